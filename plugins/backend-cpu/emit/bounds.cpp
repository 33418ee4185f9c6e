#include "bounds.h"

#include "htp_cpp/int_ranges.h"

#include <algorithm>
#include <utility>

namespace htp::cpu::ready {

namespace {

using sdk::IntRange;

constexpr int64_t lowest = INT64_MIN, highest = INT64_MAX;
// An int of which nothing else is known: what a package computes with has 64 bits.
constexpr IntRange any_int{lowest, highest};
// No machine holds an array of more elements.
constexpr IntRange extent_range{0, int64_t{1} << 48};
constexpr int64_t far_limit = int64_t{1} << 62;
constexpr IntRange zero{0, 0}, one{1, 1};

// Every range here has both ends.
bool within(const IntRange &r, int64_t limit) { return *r.least >= -limit && *r.most <= limit; }
IntRange clamped(const IntRange &r) { return {r.least.value_or(lowest), r.most.value_or(highest)}; }

// What ints are sums of: a dim, an int of the program, or an expression that is not linear. Each bound holds by itself,
// and is of quantities that were introduced before: so their names are in the order of their numbers.
struct Quantity {
  std::vector<IntExpr> lower = {}, upper = {};
  // Of `of // divisor`: so many times it is no more than `of`, and less than `divisor` below.
  int64_t divisor = 0;
  IntExpr of = {};
};
std::string name_of_quantity(size_t number) {
  std::string digits = std::to_string(number);
  return std::string(digits.size() < 10 ? 10 - digits.size() : 0, '0') + digits;
}

class Prover {
public:
  Prover(const Reader &reader, const Constants &constants, const Program &program)
      : t(reader), constants_(constants), p(program) {
    find_changing(p.body);
    for (const std::string &d : p.dims) {
      names_[d] = quantity({{0}, {}});
      ranges_[d] = extent_range;
    }
    for (const Memory &m : p.memories)
      if (m.direction != Direction::none && !m.slot && !m.scalar)
        for (const Node e : m.extents) extents_of_arrays_.insert(spelled(e));
    for (const Parameter &parameter : p.parameters)
      if (parameter.type.form == Type::Form::integer) {
        names_[parameter.name] = quantity({});
        ranges_[parameter.name] = any_int;
      }
    for (const Memory &m : p.memories)
      if (m.direction != Direction::none && !m.slot) extents(m);
  }

  Unproved run() {
    block(p.body);
    return std::move(unproved_);
  }

private:
  // Ints that have more than one value: nothing is known of them.
  void find_changing(const std::vector<Statement> &body) {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer && !s.declares) changing_.insert(s.name);
      find_changing(s.body);
      find_changing(s.orelse);
    }
  }

  size_t quantity(Quantity q) {
    quantities_.push_back(std::move(q));
    return quantities_.size() - 1;
  }
  static IntExpr just(size_t quantity) { return IntExpr::symbol(name_of_quantity(quantity)); }
  IntExpr unknown(Quantity q = {}) { return just(quantity(std::move(q))); }
  // Of a sum that does not fit nothing is known.
  IntExpr known(const MaybeInt &x) { return x ? *x : unknown(); }
  static bool is_number(const IntExpr &x) { return x.constant().has_value(); }

  // Whether a - b >= least holds whatever the sizes are: the latest quantity is replaced by one of its bounds until a
  // number is left.
  bool at_least(const IntExpr &a, const IntExpr &b, int64_t least) {
    const MaybeInt difference = a - b - least;
    unsigned steps = 0;
    return not_negative(difference, steps) ||
           std::any_of(running_.begin(), running_.end(),
                       [&](const IntExpr &not_empty) { return not_negative(difference - not_empty, steps); });
  }
  bool at_least(const IntExpr &a, int64_t least) { return at_least(a, 0, least); }
  bool not_negative(const MaybeInt &x, unsigned &steps) const {
    if (!x) return false;
    if (const auto number = x->constant()) return *number >= 0;
    if (++steps > 1000) return false;
    const auto &[product, coefficient] = *std::max_element(
        x->terms().begin(), x->terms().end(), [](const auto &a, const auto &b) { return last(a) < last(b); });
    const MaybeInt rest = x - IntExpr::product(product) * coefficient;
    const Quantity &q = quantity_of(*product.back());
    // What it is multiplied by: of naturals a bound times them is a bound.
    const sdk::IntProduct others(product.begin(), product.end() - 1);
    const bool natural = std::ranges::all_of(
        others, [&](const sdk::IntFactor &f) { return not_negative(IntExpr::product({f}), steps); });
    if (!natural) return false;
    const MaybeInt times = IntExpr::product(others) * coefficient;
    for (const IntExpr &bound : coefficient > 0 ? q.lower : q.upper)
      if (not_negative(rest + bound * times, steps)) return true;
    if (!q.divisor || !others.empty() || coefficient % q.divisor != 0) return false;
    const int64_t quotients = coefficient / q.divisor;
    return not_negative(rest + (quotients > 0 ? q.of - (q.divisor - 1) : MaybeInt(q.of)) * quotients, steps);
  }
  // The latest quantity of a term, by its name.
  static std::string_view last(const std::pair<const sdk::IntProduct, int64_t> &term) {
    return term.first.empty() ? std::string_view() : std::string_view(term.first.back()->text);
  }
  const Quantity &quantity_of(const sdk::IntAtom &a) const { return quantities_[std::stoul(a.text)]; }

  // ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────────

  // What an int lies between, each step of it kept within 64 bits by a check where it is not seen to be.
  IntRange range(Node n) {
    Value v;
    const auto name = t.name_of(n);
    if (const auto it = ranges_.find(name); !name.empty() && it != ranges_.end()) return it->second;
    if (!name.empty() && names_.contains(name)) return any_int;
    if (constants_.number(n, v)) return v.real || !v.digits.empty() ? any_int : IntRange{v.i, v.i};
    if (auto u = t.as<ast::UnaryOp>(n)) {
      const IntRange of = range(u.operand());
      return u.op() == HTP_USub ? checked(n, -of) : of;
    }
    if (auto call = t.as<ast::Call>(n)) { // min or max
      const IntRange a = range(call.args()[0]), b = range(call.args()[1]);
      return t.name_of(call.func()) == "min" ? sdk::least(a, b) : sdk::most(a, b);
    }
    auto b = t.as<ast::BinOp>(n);
    if (!b) return any_int;
    const IntRange x = range(b.left()), y = range(b.right());
    switch (b.op()) {
    case HTP_Add: return checked(n, x + y);
    case HTP_Sub: return checked(n, x - y);
    case HTP_Mult: return checked(n, x * y);
    case HTP_FloorDiv:
      if (*y.least >= 1) return {std::min<int64_t>(*x.least, 0), std::max<int64_t>(*x.most, 0) / *y.least};
      return clamped(sdk::hull(x, -x));
    default: {
      const IntRange rest = clamped(sdk::hull(sdk::least(y + one, zero), sdk::most(y - one, zero)));
      return *x.least >= 0 && *y.least >= 1 ? IntRange{0, std::min(*rest.most, *x.most)} : rest;
    }
    }
  }

  std::string spelled(Node n) const {
    std::string text = std::to_string(t.kind(n)) + "(" + std::string(t.name_of(n));
    if (int64_t value; t.integer(n, &value)) text += std::to_string(value);
    if (auto b = t.as<ast::BinOp>(n)) text += std::to_string(b.op());
    t.children(n, [&](Node child) { text += spelled(child); });
    return text + ")";
  }

  IntRange checked(Node n, const IntRange &r) {
    if (r.least && r.most) return r;
    if (extents_of_arrays_.contains(spelled(n))) return extent_range; // an array has as many elements
    const IntExpr x = linear_of(n);
    if (at_least(x, 0) &&
        std::ranges::any_of(sizes_of_arrays_, [&](const IntExpr &size) { return at_least(size, x, 0); }))
      return extent_range;
    unproved_.overflows.insert(n);
    return clamped(r);
  }

  // The ints that these statements give a value.
  void assigned(const std::vector<Statement> &body, std::set<std::string, std::less<>> &names) const {
    for (const Statement &s : body) {
      if (s.kind == Statement::Kind::integer) names.insert(s.name);
      assigned(s.body, names);
      assigned(s.orelse, names);
    }
  }
  void forget(const std::vector<Statement> &body) {
    std::set<std::string, std::less<>> names;
    assigned(body, names);
    for (const std::string &name : names)
      if (const auto it = ranges_.find(name); it != ranges_.end()) it->second = any_int;
  }

  // The ints that a `while` changes: between the least and the most that one of them is before it, as in a search by
  // halves, if each iteration leaves them there; else anywhere.
  void keep_together(const Statement &s) {
    std::set<std::string, std::less<>> names;
    assigned(s.body, names);
    std::erase_if(names, [&](const std::string &name) { return !ranges_.contains(name); });
    if (names.empty()) return;
    IntRange all = ranges_.at(*names.begin());
    for (const std::string &name : names) all = sdk::hull(all, ranges_.at(name));
    for (const std::string &name : names) ranges_[name] = all;
    const auto unproved = unproved_;
    const auto names_before = names_;
    const auto ranges = ranges_;
    const auto given = std::exchange(given_, {});
    condition(s.test);
    assume(s.test);
    block(s.body);
    const bool kept = std::all_of(names.begin(), names.end(), [&](const std::string &name) {
      const auto it = given_.find(name);
      return it == given_.end() || sdk::hull(all, it->second) == all;
    });
    given_ = given;
    ranges_ = ranges;
    names_ = names_before;
    unproved_ = unproved;
    if (!kept)
      for (const std::string &name : names) ranges_[name] = any_int;
  }

  // What a condition that holds says of the names in it.
  void assume(Node n) {
    if (auto b = t.as<ast::BoolOp>(n)) {
      if (b.op() == HTP_And)
        for (const Node v : b.values()) assume(v);
      return;
    }
    auto compared = t.as<ast::Compare>(n);
    if (!compared) return;
    Node left = compared.left();
    for (size_t k = 0; k < compared.ops().size(); ++k) {
      const Node right = compared.comparators()[k];
      const auto op = compared.ops()[k];
      const IntRange x = range(left), y = range(right), apart = op == HTP_Lt || op == HTP_Gt ? one : zero;
      if (op == HTP_Lt || op == HTP_LtE) {
        narrow(left, {x.least, sdk::least(x, y - apart).most});
        narrow(right, {sdk::most(y, x + apart).least, y.most});
      } else if (op == HTP_Gt || op == HTP_GtE) {
        narrow(left, {sdk::most(x, y + apart).least, x.most});
        narrow(right, {y.least, sdk::least(y, x - apart).most});
      }
      left = right;
    }
  }
  void narrow(Node n, const IntRange &r) {
    const auto name = t.name_of(n);
    if (const auto it = ranges_.find(name); !name.empty() && it != ranges_.end() && r.least <= r.most) it->second = r;
  }

  // Of an expression that is printed: what it is made of is checked where that may not fit, and then nothing else is
  // known of it that the check does not keep.
  IntExpr linear(Node n) {
    range(n);
    IntExpr found = linear_of(n);
    return unproved_.overflows.contains(n) ? unknown() : found;
  }

  IntExpr linear_of(Node n) {
    Value v;
    if (const auto name = t.name_of(n); !name.empty()) {
      if (const auto it = names_.find(name); it != names_.end())
        return changing_.contains(name) ? unknown() : just(it->second);
    }
    if (constants_.number(n, v)) return v.real || !v.digits.empty() ? unknown() : IntExpr(v.i);
    if (auto u = t.as<ast::UnaryOp>(n)) {
      const IntExpr of = linear(u.operand());
      return u.op() == HTP_USub ? known(-MaybeInt(of)) : of;
    }
    if (auto call = t.as<ast::Call>(n)) { // min or max
      const IntExpr a = linear(call.args()[0]), b = linear(call.args()[1]);
      const IntRange r = range(n); // the least of two is no less than a number that both are no less than
      return t.name_of(call.func()) == "min" ? unknown({{*r.least}, {a, b}}) : unknown({{a, b}, {*r.most}});
    }
    auto b = t.as<ast::BinOp>(n);
    if (!b) return unknown();
    const IntExpr left = linear(b.left()), right = linear(b.right());
    switch (b.op()) {
    case HTP_Add: return known(left + right);
    case HTP_Sub: return known(left - right);
    case HTP_Mult: {
      if (is_number(left) || is_number(right)) return known(left * right);
      return known(left * right); // of `g * M` a bound of `g`, times M, is one
    }
    default: return divided(n, b.op(), left, right);
    }
  }

  IntExpr divided(Node n, htp_op op, const IntExpr &left, const IntExpr &right) {
    if (!at_least(right, 1)) {
      // A negative number is fine as well; but the lowest int has no opposite.
      if (right.constant().value_or(0) > -2) unproved_.divisions.insert(n);
      return unknown();
    }
    if (op == HTP_FloorDiv) {
      unsigned steps = 0;
      const bool natural = not_negative(left, steps); // wherever it stands: not only where a loop around runs
      if (!right.constant() || (!natural && at_least(left, 0)))
        return at_least(left, 0) ? unknown({{0}, {left}}) : unknown();
      const auto [it, fresh] = quotients_.try_emplace({left.text(), *right.constant()}, 0);
      if (fresh) {
        Quantity q{.divisor = *right.constant(), .of = left};
        if (natural) q.lower = {0}, q.upper = {left};
        it->second = quantity(std::move(q));
      }
      return just(it->second);
    }
    const MaybeInt most = right - 1;
    return most ? unknown({{0}, {*most}}) : unknown();
  }

  // Divisions in a condition.
  void condition(Node n) {
    t.each(n, [&](Node m) {
      const bool whole = t.is(m, HTP_BinOp) || t.is(m, HTP_UnaryOp) || t.is(m, HTP_Call);
      if (!whole || (t.is(m, HTP_UnaryOp) && t.get<ast::UnaryOp>(m).op() == HTP_Not)) return true;
      linear(m);
      return false;
    });
  }

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  void extents(const Memory &m) {
    auto &list = extents_[&m];
    MaybeInt size = IntExpr(1);
    for (const Node e : m.extents) list.push_back(linear(e)), size = size * list.back();
    if (size && m.direction != Direction::none && !m.slot) sizes_of_arrays_.push_back(*size);
  }

  void block(const std::vector<Statement> &body) {
    const auto before = names_;
    auto ranges = ranges_;
    for (const Statement &s : body) statement(s);
    names_ = before;
    ranges_ = std::move(ranges);
    forget(body);
  }

  void statement(const Statement &s) {
    switch (s.kind) {
    case Statement::Kind::loop: loop(s); return;
    case Statement::Kind::repeat:
    case Statement::Kind::branch: {
      if (s.kind == Statement::Kind::repeat) keep_together(s);
      condition(s.test);
      auto before = ranges_;
      assume(s.test);
      block(s.body);
      ranges_ = std::move(before);
      block(s.orelse);
      if (s.kind == Statement::Kind::branch) forget(s.body);
      return;
    }
    case Statement::Kind::integer: {
      const IntExpr value = s.test ? linear(s.test) : unknown();
      names_[s.name] = quantity({{value}, {value}});
      for (const Node n : s.channel_index) linear(n);
      const IntRange r = ranges_[s.name] = s.test ? range(s.test) : s.channel ? IntRange{0, 1} : position(s);
      const auto [it, fresh] = given_.try_emplace(s.name, r);
      if (!fresh) it->second = sdk::hull(it->second, r);
      return;
    }
    case Statement::Kind::alloc: extents(*s.memory); return;
    case Statement::Kind::slot:
      if (s.memory) extents(*s.memory);
      for (const Node n : s.channel_index) linear(n);
      return;
    case Statement::Kind::done:
    case Statement::Kind::close:
      for (const Node n : s.channel_index) linear(n);
      return;
    case Statement::Kind::process: {
      const auto before = names_;
      const auto ranges = ranges_;
      for (size_t d = 0; d < s.grid.size(); ++d) {
        names_[s.indices[d]] = quantity({{0}, {s.grid[d] - 1}});
        ranges_[s.indices[d]] = {0, s.grid[d] - 1};
      }
      block(s.body);
      names_ = before;
      ranges_ = ranges;
      return;
    }
    case Statement::Kind::order: order(s); return;
    default: break;
    }
    for (const Value &v : s.operands)
      if (v.kind == Value::Kind::integer) linear(v.node);
    if (!s.memory) return;
    for (size_t d = 0; d < s.index.size(); ++d) {
      const IntExpr index = linear(s.index[d]);
      if (!at_least(index, 0) || !at_least(extents_.at(s.memory)[d], index, 1)) unproved_.indices.insert(s.index[d]);
    }
  }

  // An element as an int.
  IntRange position(const Statement &s) {
    const DType *d = s.operands[0].scalar->dtype;
    const int unused = 64 - static_cast<int>(d->bytes) * 8;
    IntRange r = d->kind == Class::boolean   ? IntRange{0, 1}
                 : d->kind == Class::integer ? IntRange{lowest >> unused, highest >> unused}
                 : unused                    ? IntRange{0, highest >> (unused - 1)}
                                             : IntRange{0, highest};
    if (s.limit) {
      linear(s.limit);
      r = {0, sdk::most(range(s.limit) - one, zero).most}; // 0 stands for what is not below it
    }
    return r;
  }

  // The line, and as much of it as is used, lies in both buffers.
  void order(const Statement &s) {
    const IntExpr count = linear(s.test), first = linear(s.stop);
    const auto &to = extents_.at(s.memory), &from = extents_.at(s.source);
    bool inside = at_least(first, 0) && at_least(count, first, 0) && at_least(from.back(), count, 0) &&
                  at_least(to.back(), first, 0);
    for (size_t d = 0; d < s.index.size(); ++d) {
      const IntExpr index = linear(s.index[d]);
      inside = inside && at_least(index, 0) && at_least(to[d], index, 1) && at_least(from[d], index, 1);
    }
    if (!inside) unproved_.indices.insert(s.node);
  }

  void loop(const Statement &s) {
    forget(s.body);
    const IntExpr start = s.start ? linear(s.start) : IntExpr(), stop = linear(s.stop);
    if (is_far(s)) unproved_.far.insert(s.node);
    Quantity variable{{start}, {}};
    const IntExpr last = known(stop - 1);
    if (s.down) return descending(s, start, stop);
    if (s.step) {
      // Where the step is not positive the loop does not run.
      const IntExpr step = linear(s.step);
      if (!at_least(step, 1)) unproved_.steps.insert(s.step);
      // Over a known distance the last one is known.
      const MaybeInt whole = last - start;
      const auto by = step.constant(), distance = whole ? whole->constant() : std::nullopt;
      if (by && *by > 0 && distance)
        if (const MaybeInt reached = start + *distance / *by * *by) variable.upper.push_back(*reached);
    }
    variable.upper.push_back(last);
    body(s, std::move(variable), start, last);
  }

  // From 0 on only what is too large matters.
  bool is_far(const Statement &s) {
    const IntRange step = s.step ? range(s.step) : one, stop = range(s.stop);
    if (!s.start && !s.down) return *stop.most > far_limit || *step.most > far_limit;
    return !within(range(s.start), far_limit) || !within(stop, far_limit) || !within(step, far_limit);
  }

  // From `start` down to what is above `stop`.
  void descending(const Statement &s, const IntExpr &start, const IntExpr &stop) {
    const IntExpr lowest = known(stop + 1);
    body(s, {{lowest}, {start}}, lowest, start);
  }

  // The body of a loop that runs only when `most` is not less than `least`.
  void body(const Statement &s, Quantity variable, const IntExpr &least, const IntExpr &most) {
    const auto before = names_;
    const auto ranges = ranges_;
    const IntRange first = s.start ? range(s.start) : zero, last = range(s.stop);
    names_[s.name] = quantity(std::move(variable));
    IntRange &own = ranges_[s.name];
    own = s.down ? IntRange{(last + one).least, first.most} : IntRange{first.least, (last - one).most};
    if (own.least > own.most) own = any_int; // it does not run
    running_.push_back((most - least).value_or(0));
    block(s.body);
    running_.pop_back();
    names_ = before;
    ranges_ = ranges;
  }

  const Reader &t;
  const Constants &constants_;
  const Program &p;
  std::vector<Quantity> quantities_;
  std::map<std::pair<std::string, int64_t>, size_t> quotients_; // by what is divided, and by what
  std::map<std::string, size_t, std::less<>> names_;
  std::map<std::string, IntRange, std::less<>> ranges_;
  std::map<std::string, IntRange, std::less<>> given_; // to ints, so far
  std::set<std::string, std::less<>> extents_of_arrays_;
  std::vector<IntExpr> sizes_of_arrays_; // how many elements they have
  std::set<std::string, std::less<>> changing_;
  std::map<const Memory *, std::vector<IntExpr>> extents_;
  std::vector<IntExpr> running_; // of each loop around: its last int less its first, which is not negative in its body
  Unproved unproved_;
};

} // namespace

bool Unproved::overflows_in(const Reader &t, Node expression) const {
  bool found = false;
  if (expression) t.each(expression, [&](Node n) { found = found || overflows.contains(n); });
  return found;
}

Unproved find_unproved(const Reader &t, const Constants &constants, const Program &program) {
  return Prover(t, constants, program).run();
}

} // namespace htp::cpu::ready
