#include "scalars.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace htp::validator {

namespace {

constexpr Fold known_folds[] = {{"sum", "add"}, {"product", "mul"}, {"max", "maximum"}, {"min", "minimum"}};

bool is_float_dtype(std::string_view dtype) { return dtype.starts_with("f") || dtype.starts_with("bf"); }

bool commutes(std::string_view name) {
  return name == "add" || name == "mul" || name == "and" || name == "or" || name == "bit_and" || name == "bit_or" ||
         name == "bit_xor" || name == "eq" || name == "ne";
}

} // namespace

// ── variables ──

Term Scalars::fresh_int() { return t.symbol("dim ?" + std::to_string(++variables_)); }

Term Scalars::fresh_value(const std::string &dtype) {
  const Term x = t.make(Op::symbol, "value ?" + std::to_string(++variables_), {});
  t.type(x, {dtype, {}});
  return x;
}

Term Scalars::bound_int(int64_t height) { return t.symbol("dim #" + std::to_string(height)); }

Term Scalars::bound_value(int64_t height, size_t k, const std::string &dtype) {
  const Term x = t.make(Op::symbol, "value #" + std::to_string(height) + "." + std::to_string(k) + " " + dtype, {});
  t.type(x, {dtype, {}});
  return x;
}

bool Scalars::mentions(Term x, Term variable) { return mentions_any(x, {variable}); }

bool Scalars::mentions_any(Term x, const std::set<Term> &variables) {
  std::set<Term> seen;
  const std::function<bool(Term)> in = [&](Term y) {
    if (variables.contains(y)) return true;
    if (!seen.insert(y).second) return false;
    const std::vector<Term> args = t.at(y).args;
    return std::any_of(args.begin(), args.end(), in);
  };
  return in(x);
}

int64_t Scalars::height(Term x) {
  if (const auto it = heights_.find(x); it != heights_.end()) return it->second;
  const TermNode n = t.at(x);
  int64_t h = n.op == Op::apply && (n.tag == "over" || n.tag == "rec") ? n.numbers[0] : 0;
  for (const Term a : n.args) h = std::max(h, height(a));
  return heights_[x] = h;
}

Term Scalars::again(Term x, std::vector<Term> args) {
  const TermNode n = t.at(x);
  if (args == n.args) return x;
  switch (n.op) {
  case Op::sum: {
    Term result = t.integer(n.numbers[0]);
    for (size_t k = 0; k < args.size(); ++k) result = t.add(result, t.scale(args[k], n.numbers[k + 1]));
    return result;
  }
  case Op::product: {
    Term result = args[0];
    for (size_t k = 1; k < args.size(); ++k) result = t.mul(result, args[k]);
    return result;
  }
  case Op::floordiv: return t.floordiv(args[0], args[1]);
  case Op::minimum: return t.least(std::move(args));
  case Op::maximum: return t.most(std::move(args));
  case Op::choice: return guarded(atoms_of_condition(t, args[0]), args[1], args[2]);
  case Op::apply: {
    const Type type = t.type_of(x);
    if (n.tag == "all") return t.make(Op::apply, "all", std::move(args));
    if (n.tag.starts_with("fold ")) return fold(n.tag.substr(5), type.dtype, std::move(args));
    if (n.tag == "over" || n.tag == "rec") {
      const Term made = t.make(Op::apply, n.tag, std::move(args), n.numbers);
      if (type.known()) t.type(made, type);
      return made;
    }
    if (type.known() && type.dtype != "int" && type.dtype != "truth" && type.extents.empty())
      return function(n.tag, std::move(args), type.dtype);
    const Term made = t.make(Op::apply, n.tag, std::move(args), n.numbers);
    if (type.known()) t.type(made, type);
    return made;
  }
  default: {
    const Term made = t.make(n.op, n.tag, std::move(args), n.numbers);
    if (const Type type = t.type_of(x); type.known()) t.type(made, type);
    return made;
  }
  }
}

Term Scalars::replaced(Term x, const std::map<Term, Term> &by) {
  std::map<Term, Term> known(by);
  const std::function<Term(Term)> in = [&](Term y) -> Term {
    if (const auto it = known.find(y); it != known.end()) return it->second;
    const TermNode n = t.at(y);
    if (n.args.empty()) return known[y] = y;
    std::vector<Term> args;
    for (const Term a : n.args) args.push_back(in(a));
    return known[y] = again(y, std::move(args));
  };
  return in(x);
}

Term Scalars::pinned_in(Term x, const Pin &pin) {
  if (!pin.whole || pin.per == 1) return replaced(x, {{pin.variable, pin.value}});
  std::map<Term, Term> known{{pin.variable, pin.value}};
  const std::function<Term(Term)> in = [&](Term y) -> Term {
    if (const auto it = known.find(y); it != known.end()) return it->second;
    const TermNode n = t.at(y);
    if (n.args.empty()) return known[y] = y;
    if (n.op == Op::sum) {
      Term result = t.integer(n.numbers[0]);
      for (size_t k = 0; k < n.args.size(); ++k) {
        const int64_t by = n.numbers[k + 1];
        const bool whole = n.args[k] == pin.variable && by % pin.per == 0;
        result = t.add(result, whole ? t.scale(pin.whole, by / pin.per) : t.scale(in(n.args[k]), by));
      }
      return known[y] = result;
    }
    std::vector<Term> args;
    for (const Term a : n.args) args.push_back(in(a));
    return known[y] = again(y, std::move(args));
  };
  return in(x);
}

// ── functions ──

bool Scalars::is_weak(Term x) const { return t.is(x, Op::number) || t.is_int(x); }

Term Scalars::typed(Term x, const std::string &dtype) {
  if (!is_weak(x)) return x;
  const char *how = t.is_int(x) && !t.constant(x) ? "index" : "full";
  const Term of = how == std::string_view("index") ? t.symbol(dtype) : t.symbol("htp." + dtype);
  return t.apply(how, {of, x}, {dtype, {}});
}

Term Scalars::function(const std::string &name, std::vector<Term> args, const std::string &dtype) {
  // Maxima and minima, and sums and products of ints, are the same in any order.
  if (const Fold *f = fold_of_function(name); f && args.size() == 2) {
    const bool exact = name == "maximum" || name == "minimum" || !is_float_dtype(dtype);
    if (exact) return fold(std::string(f->name), dtype, std::move(args));
  }
  // Two zeros of which none is below 0 make one.
  const auto zero = [&](Term x) {
    const TermNode &n = t.at(x);
    return n.op == Op::apply && n.tag == "full" && t.constant(n.args[1]) == 0;
  };
  if (args.size() == 2 && (name == "mul" || name == "add") && zero(args[0]) && zero(args[1])) return args[0];
  if (args.size() == 2 && commutes(name) && args[0] > args[1]) std::swap(args[0], args[1]);
  return t.apply(name, std::move(args), {dtype, {}});
}

// ── choices ──

std::vector<Term> Scalars::atoms_of_condition(const Terms &t, Term condition) {
  const TermNode &n = t.at(condition);
  if (n.op == Op::apply && n.tag == "all") return n.args;
  return {condition};
}

Term Scalars::guarded(std::vector<Term> conditions, Term yes, Term no) {
  if (yes == no) return yes;
  std::vector<Term> kept;
  const size_t mark = facts.mark();
  for (const Term c : conditions) {
    if (is_truth(c)) {
      kept.push_back(c);
      continue;
    }
    if (facts.proves(c)) continue;
    if (facts.proves(t.sub(t.integer(-1), c))) {
      facts.back_to(mark);
      return no;
    }
    kept.push_back(c);
    facts.assume(c);
  }
  facts.back_to(mark);
  if (kept.empty()) return yes;
  // One value by several conditions, of which one always holds.
  if (t.is(no, Op::choice) && t.at(no).args[1] == yes) {
    Term rest = no;
    facts.assume_not(kept);
    bool ints = std::none_of(kept.begin(), kept.end(), [&](Term c) { return is_truth(c); });
    for (; ints && t.is(rest, Op::choice) && t.at(rest).args[1] == yes; rest = t.at(rest).args[2]) {
      const auto atoms = atoms_of_condition(t, t.at(rest).args[0]);
      ints = std::none_of(atoms.begin(), atoms.end(), [&](Term c) { return is_truth(c); });
      if (ints) facts.assume_not(atoms);
    }
    const bool always = ints && facts.impossible();
    facts.back_to(mark);
    if (always) return yes;
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  const Term condition = kept.size() == 1 ? kept[0] : t.make(Op::apply, "all", kept);
  const Term made = t.make(Op::choice, "", {condition, yes, no});
  std::string dtype = dtype_of(yes);
  if (dtype.empty() || dtype == "int") dtype = dtype_of(no);
  if (!dtype.empty()) t.type(made, {dtype, {}});
  return made;
}

bool Scalars::has_choice(Term x) {
  if (const auto it = chooses_.find(x); it != chooses_.end()) return it->second;
  const TermNode n = t.at(x);
  bool is = n.op == Op::choice;
  for (const Term a : n.args) is = is || has_choice(a);
  return chooses_[x] = is;
}

Term Scalars::decided(Term x) {
  std::map<Term, Term> known;
  const std::function<Term(Term)> in = [&](Term y) -> Term {
    if (!has_choice(y)) return y;
    const TermNode n = t.at(y);
    if (n.op == Op::choice) { // by more facts: not for others
      const auto atoms = atoms_of_condition(t, n.args[0]);
      const size_t mark = facts.mark();
      bool never = false;
      std::vector<Term> ints;
      for (const Term c : atoms)
        if (!is_truth(c)) {
          never = never || facts.proves(t.sub(t.integer(-1), c));
          facts.assume(c);
          ints.push_back(c);
        }
      const Term yes = never ? 0 : decided(n.args[1]);
      facts.back_to(mark);
      if (ints.size() == atoms.size()) {
        if (!never && std::all_of(ints.begin(), ints.end(), [&](Term c) { return facts.proves(c); })) return yes;
        facts.assume_not(ints);
      }
      const Term no = decided(n.args[2]);
      facts.back_to(mark);
      return never ? no : guarded(atoms, yes, no);
    }
    if (const auto it = known.find(y); it != known.end()) return it->second;
    if (n.op == Op::apply && (n.tag == "over" || n.tag == "rec")) return known[y] = y;
    std::vector<Term> args;
    for (const Term a : n.args) args.push_back(in(a));
    return known[y] = again(y, std::move(args));
  };
  return in(x);
}

// ── folds ──

const Fold *Scalars::fold_of_function(std::string_view function) {
  for (const Fold &f : known_folds)
    if (f.function == function) return &f;
  return nullptr;
}

bool Scalars::folds(Term x, const std::string &name, const std::string &dtype) const {
  const TermNode &n = t.at(x);
  return n.op == Op::apply && n.tag == "fold " + name && t.type_of(x).dtype == dtype;
}

bool Scalars::is_identity(Term x, const std::string &name, const std::string &dtype) const {
  const auto k = t.constant(x);
  if (name == "sum") return k == 0;
  if (name == "product") return k == 1;
  if (!is_float_dtype(dtype)) { // the dtype's least or largest
    const bool is_signed = dtype.starts_with("i");
    int bits = 0;
    for (const int b : {8, 16, 32})
      if (dtype == (is_signed ? "i" : "u") + std::to_string(b)) bits = b;
    if (!bits) return false;
    const int64_t most = (int64_t{1} << (is_signed ? bits - 1 : bits)) - 1;
    return k == (name == "min" ? most : is_signed ? -most - 1 : 0);
  }
  return t.is(x, Op::number) && t.at(x).tag == (name == "max" ? "-inf" : "inf");
}

Term Scalars::fold(const std::string &name, const std::string &dtype, std::vector<Term> items) {
  std::vector<Term> flat;
  for (const Term x : items) {
    if (folds(x, name, dtype))
      flat.insert(flat.end(), t.at(x).args.begin(), t.at(x).args.end());
    else if (t.is(x, Op::apply) && t.at(x).tag == "full" && is_identity(t.at(x).args[1], name, dtype))
      continue;
    else if (!is_identity(x, name, dtype))
      flat.push_back(typed(x, dtype));
  }
  if (flat.empty()) {
    if (items.empty()) fail("a fold of nothing");
    return typed(items[0], dtype);
  }
  const auto ranges = [&](Term x) { return t.is(x, Op::apply) && t.at(x).tag == "over"; };
  while (std::count_if(flat.begin(), flat.end(), ranges) > 1 &&
         (joined(name, dtype, flat) || interleaved(name, dtype, flat)))
    ;
  const bool floats = is_float_dtype(dtype) && (name == "sum" || name == "product");
  if (flat.size() == 1 && !ranges(flat[0])) return flat[0];
  if (floats) reordered_ = true;
  std::sort(flat.begin(), flat.end());
  // The same twice is once.
  if (name == "max" || name == "min") flat.erase(std::unique(flat.begin(), flat.end()), flat.end());
  return t.apply("fold " + name, std::move(flat), {dtype, {}});
}

Term Scalars::over(const std::string &name, const std::string &dtype, Term count, Term variable, Term body) {
  if (const auto k = t.constant(count); k && *k == 1) {
    return fold(name, dtype, {replaced(body, {{variable, t.integer(0)}})});
  }
  // A fold of folds is one of their items.
  if (folds(body, name, dtype)) {
    std::vector<Term> items;
    for (const Term item : std::vector<Term>(t.at(body).args))
      items.push_back(over(name, dtype, count, variable, item));
    return fold(name, dtype, std::move(items));
  }
  if (const Term whole = merged(name, dtype, count, variable, body)) return whole;
  if (const Term both = cut(name, dtype, count, variable, body)) return both;
  const int64_t h = 1 + std::max(height(body), height(count));
  const Term made = t.make(Op::apply, "over", {t.symbol(name), count, replaced(body, {{variable, bound_int(h)}})}, {h});
  t.type(made, {dtype, {}});
  return fold(name, dtype, {made});
}

// Where it is decided by the variable what the body is: the range before that, and the rest. Of the rest, as of items
// that are 0, nothing is left.
Term Scalars::cut(const std::string &name, const std::string &dtype, Term count, Term variable, Term body) {
  if (!has_choice(body)) return 0;
  std::set<Term> seen;
  std::vector<Term> places;
  const std::function<void(Term)> find = [&](Term x) {
    if (!has_choice(x) || !seen.insert(x).second) return;
    const TermNode n = t.at(x);
    if (n.op == Op::choice)
      for (const Term c : atoms_of_condition(t, n.args[0])) {
        const TermNode s = t.at(c);
        if (is_truth(c) || s.op != Op::sum) continue;
        const auto it = std::find(s.args.begin(), s.args.end(), variable);
        if (it == s.args.end()) continue;
        // m - v - 1 is not negative up to m; v - m from m on.
        const int64_t by = s.numbers[static_cast<size_t>(it - s.args.begin()) + 1];
        if (by != 1 && by != -1) continue;
        const Term m = by == -1 ? t.add(t.add(c, variable), t.integer(1)) : t.sub(variable, c);
        if (!mentions(m, variable)) places.push_back(m);
      }
    for (const Term a : n.args) find(a);
  };
  find(body);
  for (const Term m : places) {
    if (m == count || t.constant(m) == 0 || !facts.proves(m) || !facts.proves(t.sub(count, m))) continue;
    const size_t mark = facts.mark();
    facts.assume(variable);
    facts.assume(t.sub(t.sub(m, variable), t.integer(1)));
    const Term first = decided(body);
    facts.back_to(mark);
    const Term v = fresh_int();
    facts.assume(v);
    facts.assume(t.sub(t.sub(t.sub(count, m), v), t.integer(1)));
    const Term rest = decided(replaced(body, {{variable, t.add(m, v)}}));
    facts.back_to(mark);
    if (first == body) continue;
    std::vector<Term> items{over(name, dtype, m, variable, first)};
    const TermNode r = t.at(rest);
    const bool none = r.op == Op::apply && r.tag == "full" && is_identity(r.args[1], name, dtype);
    if (!none) items.push_back(over(name, dtype, t.sub(count, m), v, rest));
    return fold(name, dtype, std::move(items));
  }
  return 0;
}

// f over [0, n), and what f is from n on over [0, m).
bool Scalars::joined(const std::string &name, const std::string &dtype, std::vector<Term> &items) {
  for (size_t a = 0; a < items.size(); ++a)
    for (size_t b = 0; b < items.size(); ++b) {
      const TermNode x = t.at(items[a]), y = t.at(items[b]);
      if (a == b || x.op != Op::apply || y.op != Op::apply || x.tag != "over" || y.tag != "over") continue;
      const Term v = fresh_int();
      const Term first = replaced(x.args[2], {{bound_int(x.numbers[0]), t.add(x.args[1], v)}});
      if (first != replaced(y.args[2], {{bound_int(y.numbers[0]), v}})) continue;
      if (!facts.proves(x.args[1]) || !facts.proves(y.args[1])) continue;
      const Term whole =
          over(name, dtype, t.add(x.args[1], y.args[1]), v, replaced(x.args[2], {{bound_int(x.numbers[0]), v}}));
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(std::max(a, b)));
      items.erase(items.begin() + static_cast<std::ptrdiff_t>(std::min(a, b)));
      if (folds(whole, name, dtype))
        items.insert(items.end(), t.at(whole).args.begin(), t.at(whole).args.end());
      else
        items.push_back(whole);
      return true;
    }
  return false;
}

// f(k · i + c) over as many i, of each c below k.
bool Scalars::interleaved(const std::string &name, const std::string &dtype, std::vector<Term> &items) {
  for (const int64_t by : {8, 4, 2}) {
    for (size_t a = 0; a < items.size(); ++a) {
      const TermNode x = t.at(items[a]);
      if (x.op != Op::apply || x.tag != "over" || static_cast<int64_t>(items.size()) < by) continue;
      const Term w = fresh_int(), bound = bound_int(x.numbers[0]), quotient = t.floordiv(w, t.integer(by));
      const Term f = pinned_in(x.args[2], {bound, quotient, by, w});
      if (mentions(f, quotient)) continue;
      std::vector<size_t> found{a};
      for (int64_t c = 1; c < by; ++c)
        for (size_t b = 0; b < items.size(); ++b) {
          const TermNode y = t.at(items[b]);
          if (y.op != Op::apply || y.tag != "over" || y.args[1] != x.args[1]) continue;
          if (std::find(found.begin(), found.end(), b) != found.end()) continue;
          const Term at = t.add(t.scale(bound_int(y.numbers[0]), by), t.integer(c));
          if (replaced(f, {{w, at}}) != y.args[2]) continue;
          found.push_back(b);
          break;
        }
      if (static_cast<int64_t>(found.size()) != by) continue;
      const Term whole = over(name, dtype, t.scale(x.args[1], by), w, f);
      std::sort(found.rbegin(), found.rend());
      for (const size_t k : found) items.erase(items.begin() + static_cast<std::ptrdiff_t>(k));
      if (folds(whole, name, dtype))
        items.insert(items.end(), t.at(whole).args.begin(), t.at(whole).args.end());
      else
        items.push_back(whole);
      return true;
    }
  }
  return false;
}

// Blocks of a range, one after the other: of step · variable + r, where r goes over min(step, what is left), nothing
// else is asked.
Term Scalars::merged(const std::string &name, const std::string &dtype, Term count, Term variable, Term body) {
  const TermNode n = t.at(body);
  if (n.op != Op::apply || n.tag != "over" || t.at(n.args[0]).tag != name) return 0;
  const Term inner = n.args[1];
  std::vector<std::pair<Term, Term>> ways; // a step, and the whole
  if (t.is(inner, Op::minimum)) {
    const auto arms = t.at(inner).args;
    if (arms.size() == 2)
      for (size_t k = 0; k < 2; ++k)
        if (!mentions(arms[k], variable)) ways.emplace_back(arms[k], t.add(arms[1 - k], t.mul(arms[k], variable)));
  } else if (!mentions(inner, variable)) {
    ways.emplace_back(inner, t.mul(count, inner));
  }
  for (const auto &[step, whole] : ways) {
    if (mentions(whole, variable)) continue;
    const size_t mark = facts.mark();
    const bool good = facts.proves(t.sub(step, t.integer(1)));
    facts.back_to(mark);
    if (!good) continue;
    const Term needed = t.floordiv(t.sub(t.add(whole, step), t.integer(1)), step);
    if (needed != count && !(whole == t.mul(count, step))) continue;
    const Term w = fresh_int();
    const Term opened = replaced(n.args[2], {{bound_int(n.numbers[0]), t.sub(w, t.mul(step, variable))}});
    if (mentions(opened, variable)) continue;
    return over(name, dtype, whole, w, opened);
  }
  return 0;
}

} // namespace htp::validator
