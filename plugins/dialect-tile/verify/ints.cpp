#include "verify/ints.h"

#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::tile {

namespace {
constexpr int64_t most_cases = 64; // of a product that are told apart
}

Ints::Ints(const Module &module, Node function) : m_(module), c(module.c) {
  for (const Node n : c.get<ast::arguments>(c.get<ast::FunctionDef>(function).args()).args())
    if (auto a = c.get<ast::arg>(n); m_.is_int(a.annotation())) given_.emplace_back(a.arg());
  std::set<std::string, std::less<>> once;
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE)
      if (std::string id(name.id()); !once.insert(id).second) changing_.insert(std::move(id));
  });
}

IntValue Ints::extent(const std::string &name, int64_t size) {
  if (name.empty()) return number(size);
  if (m_.is_dim(name)) return isl_.variable(name);
  if (name.find_first_of(" -") != std::string::npos)
    if (const auto sum = value(c.parse(name, HTP_NONE))) return *sum;
  const auto constant = m_.constant(name);
  return constant && !constant->real ? number(constant->i) : isl_.variable(name);
}

std::optional<IntValue> Ints::value(Node n) {
  if (const std::string_view name = c.name_of(n); !name.empty()) {
    if (const auto it = ints_.find(name); it != ints_.end()) return it->second;
    if (changing_.contains(name)) return std::nullopt;
    if (m_.is_dim(name) || std::find(given_.begin(), given_.end(), name) != given_.end())
      return isl_.variable(std::string(name));
  }
  if (const auto constant = m_.integer(n)) return number(*constant);
  if (auto u = c.as<ast::UnaryOp>(n)) {
    const auto x = value(u.operand());
    if (!x || (u.op() != HTP_USub && u.op() != HTP_UAdd)) return std::nullopt;
    return u.op() == HTP_USub ? number(0) - *x : x;
  }
  if (auto call = c.as<ast::Call>(n)) {
    const std::string_view name = c.name_of(call.func());
    if (name == "len" && call.args().size() == 1) {
      const auto r = block(call.args()[0]);
      if (const auto v = variable_of(call.args()[0])) variables_[*v].pinned = true;
      return r ? std::optional(r->stop - r->start) : std::nullopt;
    }
    if ((name != "min" && name != "max") || call.args().empty()) return std::nullopt;
    auto result = value(call.args()[0]);
    for (const Node a : call.args().subspan(1)) {
      const auto x = value(a);
      if (!result || !x) return std::nullopt;
      result = name == "min" ? least(*result, *x) : most(*result, *x);
    }
    return result;
  }
  if (auto a = c.as<ast::Attribute>(n)) { // i.start, i.stop
    const auto r = block(a.value());
    if (const auto v = variable_of(a.value())) variables_[*v].pinned = true;
    return r ? std::optional(a.attr() == "start" ? r->start : r->stop) : std::nullopt;
  }
  auto b = c.as<ast::BinOp>(n);
  if (!b) return std::nullopt;
  const auto left = value(b.left()), right = value(b.right());
  if (!left || !right) return std::nullopt;
  auto result = combined(b.op(), *left, *right);
  return result || b.op() != HTP_Mult ? result : by_cases(n);
}

// `g * M`, where g has few values: for each of them a number times M.
std::optional<IntValue> Ints::by_cases(Node n) {
  const Variable *few = nullptr;
  c.each(n, [&](Node e) {
    const auto at = c.is(e, HTP_Name) ? variable_of(e) : std::nullopt;
    const auto own = at && variables_[*at].values ? ints_.find(c.name_of(e)) : ints_.end();
    if (!few && own != ints_.end() && !own->second.constant()) few = &variables_[*at];
  });
  if (!few) return std::nullopt;
  const auto [first, count] = *few->values;
  const std::string name = few->name, shown = few->shown;
  const auto around = std::exchange(cases_, cases_ * count);
  const IntValue own = ints_.at(shown);
  std::optional<IntValue> result;
  for (int64_t k = 0; k < count && cases_ <= most_cases; ++k) {
    ints_.insert_or_assign(shown, number(first + k));
    const auto one = value(n);
    if (!one) {
      result.reset();
      break;
    }
    const IntValue here = one->within(isl_.variable(name) == number(first + k));
    result = result ? either(*result, here) : here;
  }
  ints_.insert_or_assign(shown, own);
  cases_ = around;
  return result;
}

std::optional<IntValue> Ints::combined(htp_op op, const IntValue &left, const IntValue &right) {
  switch (op) {
  case HTP_Add: return left + right;
  case HTP_Sub: return left - right;
  case HTP_Mult:
    if (const auto factor = right.constant()) return left * *factor;
    if (const auto factor = left.constant()) return right * *factor;
    return std::nullopt;
  case HTP_FloorDiv:
  case HTP_Mod: {
    const auto divisor = right.constant();
    if (!divisor || *divisor < 1) return std::nullopt;
    return op == HTP_FloorDiv ? left / *divisor : left % *divisor;
  }
  default: return std::nullopt;
  }
}

std::optional<IntSet> Ints::condition(Node n) {
  if (auto b = c.as<ast::BoolOp>(n)) {
    IntSet result = b.op() == HTP_And ? isl_.all() : isl_.none();
    for (const Node v : b.values()) {
      const auto part = condition(v);
      if (!part) return std::nullopt;
      result = b.op() == HTP_And ? result & *part : result | *part;
    }
    return result;
  }
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) {
    const auto part = condition(u.operand());
    return part ? std::optional(isl_.all() - *part) : std::nullopt;
  }
  if (auto k = c.as<ast::Compare>(n)) {
    IntSet result = isl_.all();
    Node left = k.left();
    for (size_t i = 0; i < k.ops().size(); ++i) {
      const auto part = comparison(static_cast<htp_op>(k.ops()[i]), left, k.comparators()[i]);
      if (!part) return std::nullopt;
      result = result & *part;
      left = k.comparators()[i];
    }
    return result;
  }
  if (auto k = c.as<ast::Constant>(n))
    if (k.value().type == HTP_CONST_TRUE || k.value().type == HTP_CONST_FALSE)
      return k.value().type == HTP_CONST_TRUE ? isl_.all() : isl_.none();
  if (const auto number = m_.evaluate(n); number && (number->real || number->truth))
    return number->as_double() != 0 ? isl_.all() : isl_.none();
  const auto x = value(n);
  return x ? std::optional(*x != number(0)) : std::nullopt;
}

namespace {

template <class T> auto holds(htp_op op, const T &a, const T &b) -> std::optional<decltype(a < b)> {
  switch (op) {
  case HTP_Lt: return a < b;
  case HTP_LtE: return a <= b;
  case HTP_Gt: return a > b;
  case HTP_GtE: return a >= b;
  case HTP_Eq: return a == b;
  case HTP_NotEq: return a != b;
  default: return std::nullopt;
  }
}

} // namespace

std::optional<IntSet> Ints::compared(htp_op op, const IntValue &left, const IntValue &right) {
  return holds(op, left, right);
}

std::optional<IntSet> Ints::comparison(htp_op op, Node left, Node right) {
  const auto a = m_.evaluate(left), b = m_.evaluate(right);
  if (a && b && (a->real || b->real)) {
    const auto answer = holds(op, a->as_double(), b->as_double());
    if (!answer) return std::nullopt;
    return *answer ? isl_.all() : isl_.none();
  }
  const auto x = value(left), y = value(right);
  return x && y ? compared(op, *x, *y) : std::nullopt;
}

std::optional<Range> Ints::block(Node n) const {
  const auto it = blocks_.find(c.name_of(n));
  return it == blocks_.end() ? std::nullopt : std::optional(it->second);
}

std::optional<Moved> Ints::moved(Node n) {
  if (auto whole = block(n)) return Moved{*whole, 1, number(0)};
  if (const auto s = read_slice(c, n)) {
    const auto start = value(s->start), stop = value(s->stop);
    const auto step = s->step ? m_.integer(s->step) : std::optional<int64_t>(1);
    if (!start || !stop || !step || *step < 1) return std::nullopt;
    return Moved{{number(0), (*stop - *start + number(*step - 1)) / *step}, *step, *start};
  }
  auto b = c.as<ast::BinOp>(n);
  if (!b) return std::nullopt;
  const bool first = moved(b.left()).has_value();
  auto result = moved(first ? b.left() : b.right());
  const auto other = result ? value(first ? b.right() : b.left()) : std::nullopt;
  if (!other) return std::nullopt;
  if (b.op() == HTP_Add) return result->by = result->by + *other, result;
  if (b.op() == HTP_Sub && first) return result->by = result->by - *other, result;
  const auto factor = other->constant();
  if (b.op() != HTP_Mult || !factor || *factor < 1) return std::nullopt;
  if (__builtin_mul_overflow(result->times, *factor, &result->times)) return std::nullopt;
  result->by = result->by * *factor;
  return result;
}

std::optional<Range> Ints::range(Node n) {
  if (auto known = block(n)) return known;
  if (const std::string_view name = c.name_of(n); m_.is_dim(name))
    return Range{number(0), isl_.variable(std::string(name))};
  const auto size = value(n);
  return size ? std::optional(Range{number(0), *size}) : std::nullopt;
}

void Ints::bind(std::string_view name, Node n) {
  ints_.erase(std::string(name));
  if (changing_.contains(name)) return;
  auto x = value(n);
  if (!x) return;
  ints_.emplace(name, std::move(*x));
  bound_.emplace_back(name);
}

void Ints::forget(size_t bound) {
  for (; bound_.size() > bound; bound_.pop_back()) ints_.erase(bound_.back());
}

IntValue Ints::variable(std::string_view shown, std::optional<size_t> own) {
  const size_t number = own ? *own : number_of_variables_++;
  variables_.push_back({std::string(shown) + "#" + std::to_string(number), std::string(shown), isl_.all()});
  return isl_.variable(variables_.back().name);
}

std::optional<size_t> Ints::variable_of(Node n) const {
  for (size_t k = variables_.size(); k-- > 0;)
    if (variables_[k].shown == c.name_of(n)) return k;
  return std::nullopt;
}

std::optional<IntSet> Ints::selected(Node index, const IntValue &at) {
  if (last_component(c.dotted(index)) == "whole") return isl_.all();
  if (const auto block = moved(index)) {
    IntSet set = (at >= block->first()) & (at <= block->last(number(1)));
    if (block->times > 1) set = set & ((at - block->by) % block->times == number(0));
    return set;
  }
  if (const auto n = value(index)) return at == *n;
  return std::nullopt;
}

std::vector<bool> Ints::live(Nodes indices) const {
  std::vector<bool> live(variables_.size());
  std::vector<size_t> uses(variables_.size()); // by how many indices
  for (size_t k = 0; k < live.size(); ++k) live[k] = !variables_[k].of || variables_[k].pinned;
  for (const Node n : indices) {
    if (c.is(n, HTP_Name)) {
      for (auto v = variable_of(n); v; v = variables_[*v].from) live[*v] = live[*v] || ++uses[*v] > 1;
    } else {
      c.each(n, [&](Node inner) {
        if (const auto v = c.is(inner, HTP_Name) ? variable_of(inner) : std::nullopt) live[*v] = true;
      });
    }
  }
  for (size_t k = live.size(); k-- > 0;) // what a live one is cut from
    if (live[k] && variables_[k].from) live[*variables_[k].from] = true;
  return live;
}

Range Ints::whole(size_t variable, const std::vector<bool> &live) const {
  while (const auto from = variables_[variable].from) {
    if (live[*from]) break;
    variable = *from;
  }
  return *variables_[variable].of;
}

bool Ints::iterate(std::string_view name, Node iter, bool again) {
  std::optional<size_t> own;
  if (again) {
    const auto [known, fresh] = numbers_.try_emplace(iter, number_of_variables_);
    if (!fresh) own = known->second;
  }
  auto call = c.as<ast::Call>(iter);
  if (call && m_.path(call.func()) == "htp_tile.tiles") return blocks(name, own, call.args());
  if (call && c.name_of(call.func()) == "range") return counts(name, own, call.args());
  variable(name, own);
  return false;
}

bool Ints::blocks(std::string_view name, std::optional<size_t> own, Nodes arguments) {
  const auto of = arguments.empty() ? std::nullopt : range(arguments[0]);
  const auto size = arguments.size() == 2 ? m_.integer(arguments[1]) : std::nullopt;
  const auto from = arguments.empty() || !block(arguments[0]) ? std::nullopt : variable_of(arguments[0]);
  const IntValue start = variable(name, own);
  blocks_.erase(std::string(name));
  if (!of || !size || *size < 1) return false;
  variables_.back().of = of;
  variables_.back().from = from;
  IntSet &within = variables_.back().within;
  within = (start >= of->start) & (start < of->stop) & ((start - of->start) % *size == number(0));
  blocks_.emplace(name, Range{start, least(start + number(*size), of->stop)});
  return true;
}

void Ints::place(std::string_view name, int64_t extent) {
  const IntValue at = variable(name, std::nullopt);
  ints_.insert_or_assign(std::string(name), at);
  variables_.back().within = (at >= number(0)) & (at < number(extent));
  variables_.back().values = {0, extent};
}

bool Ints::counts(std::string_view name, std::optional<size_t> own, Nodes arguments) {
  const IntValue at = variable(name, own);
  ints_.insert_or_assign(std::string(name), at);
  bound_.emplace_back(name);
  if (arguments.empty() || arguments.size() > 3) return false;
  const auto start = arguments.size() > 1 ? value(arguments[0]) : number(0);
  const auto stop = value(arguments[arguments.size() > 1 ? 1 : 0]);
  const auto step = arguments.size() > 2 ? m_.integer(arguments[2]) : std::optional<int64_t>(1);
  if (!step || *step == 0 || *step == INT64_MIN) return false;
  IntSet &within = variables_.back().within;
  if (start) within = within & (*step > 0 ? at >= *start : at <= *start);
  if (stop) within = within & (*step > 0 ? at < *stop : at > *stop);
  if (start && *step != 1 && *step != -1) within = within & ((at - *start) % (*step < 0 ? -*step : *step) == number(0));
  if (const auto from = start ? start->constant() : std::nullopt, to = stop ? stop->constant() : std::nullopt;
      from && to && *step == 1 && *from < *to && *to - *from <= most_cases)
    variables_.back().values = {*from, *to - *from};
  return start && stop;
}

} // namespace htp::tile
