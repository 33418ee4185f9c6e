#include "terms.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

namespace htp::validator {

namespace {

[[noreturn]] void too_large() { throw std::overflow_error("an int of the program is too large"); }
int64_t times(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) too_large();
  return result;
}
int64_t plus(int64_t a, int64_t b) {
  int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) too_large();
  return result;
}

int64_t floor_of(int64_t a, int64_t b) {
  const int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

} // namespace

size_t Terms::Hash::operator()(const TermNode &n) const {
  size_t h = static_cast<size_t>(n.op) * 0x9e3779b97f4a7c15U + std::hash<std::string>()(n.tag);
  for (const Term a : n.args) h = h * 1099511628211U + a;
  for (const int64_t k : n.numbers) h = h * 1099511628211U + static_cast<size_t>(k) + 17;
  return h;
}

Terms::Terms() : loops(1) { nodes_.emplace_back(); }

Term Terms::make(Op op, std::string tag, std::vector<Term> args, std::vector<int64_t> numbers) {
  TermNode n{op, std::move(tag), std::move(args), std::move(numbers)};
  const auto [it, added] = known_.try_emplace(std::move(n), static_cast<Term>(nodes_.size()));
  if (added) nodes_.push_back(it->first);
  return it->second;
}

Term Terms::integer(int64_t value) { return make(Op::sum, "", {}, {value}); }

std::optional<int64_t> Terms::constant(Term t) const {
  const TermNode &n = at(t);
  if (n.op != Op::sum || !n.args.empty()) return std::nullopt;
  return n.numbers[0];
}

bool Terms::is_int(Term t) const {
  const TermNode &n = at(t);
  switch (n.op) {
  case Op::sum:
  case Op::product:
  case Op::floordiv:
  case Op::minimum:
  case Op::maximum:
  case Op::variable: return true;
  case Op::symbol: return n.tag.starts_with("dim ");
  case Op::state:
  case Op::exit:
  case Op::choice:
  case Op::apply: return type_of(t).dtype == "int";
  default: return false;
  }
}

Terms::Sum Terms::sum_of(Term t) const {
  const TermNode &n = at(t);
  if (n.op != Op::sum) return {0, {{t, 1}}};
  Sum sum{n.numbers[0], {}};
  for (size_t k = 0; k < n.args.size(); ++k) sum.atoms[n.args[k]] = n.numbers[k + 1];
  return sum;
}

// Where one atom is a minimum or maximum, as it is or negated, the rest goes into it.
Term Terms::of_sum(const Sum &sum) {
  Term extreme_atom = 0;
  int64_t sign = 0;
  unsigned extremes = 0;
  for (const auto &[atom, k] : sum.atoms)
    if (k && (is(atom, Op::minimum) || is(atom, Op::maximum))) ++extremes, extreme_atom = atom, sign = k;
  if (extremes == 1 && (sign == 1 || sign == -1)) {
    Sum rest = sum;
    rest.atoms.erase(extreme_atom);
    const Term others = of_sum(rest);
    const TermNode inner = at(extreme_atom);
    std::vector<Term> arms;
    for (const Term arm : inner.args) arms.push_back(combine(others, 1, arm, sign));
    return extreme((inner.op == Op::minimum) == (sign == 1) ? Op::minimum : Op::maximum, std::move(arms));
  }
  std::vector<Term> atoms;
  std::vector<int64_t> numbers{sum.constant};
  for (const auto &[atom, k] : sum.atoms)
    if (k) atoms.push_back(atom), numbers.push_back(k);
  if (atoms.size() == 1 && numbers[0] == 0 && numbers[1] == 1) return atoms[0];
  return make(Op::sum, "", std::move(atoms), std::move(numbers));
}

Term Terms::combine(Term a, int64_t ka, Term b, int64_t kb) {
  const Sum one = sum_of(a), other = sum_of(b);
  Sum sum{plus(times(one.constant, ka), times(other.constant, kb)), {}};
  for (const auto &[atom, k] : one.atoms) sum.atoms[atom] = times(k, ka);
  for (const auto &[atom, k] : other.atoms) {
    int64_t &into = sum.atoms[atom];
    into = plus(into, times(k, kb));
  }
  return of_sum(sum);
}

Term Terms::scale(Term a, int64_t k) { return combine(a, k, integer(0), 0); }

Term Terms::mul(Term a, Term b) {
  if (const auto k = constant(a)) return scale(b, *k);
  if (const auto k = constant(b)) return scale(a, *k);
  const Sum one = sum_of(a), other = sum_of(b);
  Term result = integer(times(one.constant, other.constant));
  const auto and_also = [&](Term atom, int64_t k) { result = combine(result, 1, atom, k); };
  for (const auto &[x, k] : one.atoms) and_also(x, times(k, other.constant));
  for (const auto &[y, k] : other.atoms) and_also(y, times(k, one.constant));
  for (const auto &[x, kx] : one.atoms)
    for (const auto &[y, ky] : other.atoms) {
      std::vector<Term> factors;
      for (const Term t : {x, y}) {
        if (is(t, Op::product))
          factors.insert(factors.end(), at(t).args.begin(), at(t).args.end());
        else
          factors.push_back(t);
      }
      std::sort(factors.begin(), factors.end());
      and_also(make(Op::product, "", std::move(factors)), times(kx, ky));
    }
  return result;
}

Term Terms::floordiv(Term a, Term b) {
  const auto by = constant(b);
  if (!by || *by <= 0) return make(Op::floordiv, "", {a, b});
  if (*by == 1) return a;
  if (const auto k = constant(a)) return integer(floor_of(*k, *by));
  Sum sum = sum_of(a), whole, rest;
  for (const auto &[atom, k] : sum.atoms) (k % *by == 0 ? whole : rest).atoms[atom] = k;
  whole.constant = floor_of(sum.constant, *by);
  rest.constant = sum.constant - whole.constant * *by;
  for (auto &[atom, k] : whole.atoms) k /= *by;
  if (rest.atoms.empty()) return of_sum(whole); // the constant that is left is below the divisor
  const Term divided = make(Op::floordiv, "", {of_sum(rest), b});
  return combine(of_sum(whole), 1, divided, 1);
}

Term Terms::extreme(Op op, std::vector<Term> of) {
  std::vector<Term> arms;
  for (size_t k = 0; k < of.size(); ++k) {
    if (is(of[k], op))
      arms.insert(arms.end(), at(of[k]).args.begin(), at(of[k]).args.end());
    else
      arms.push_back(of[k]);
  }
  std::sort(arms.begin(), arms.end());
  arms.erase(std::unique(arms.begin(), arms.end()), arms.end());
  // Of two whose difference is known one decides.
  std::vector<Term> kept;
  for (size_t i = 0; i < arms.size(); ++i) {
    bool stays = true;
    for (size_t j = 0; j < arms.size() && stays; ++j) {
      if (i == j || is(arms[i], Op::minimum) || is(arms[i], Op::maximum) || is(arms[j], Op::minimum) ||
          is(arms[j], Op::maximum))
        continue;
      const auto d = constant(sub(arms[i], arms[j]));
      if (d && *d != 0) stays = (*d < 0) == (op == Op::minimum);
    }
    if (stays) kept.push_back(arms[i]);
  }
  if (op == Op::minimum && kept.size() > 1) {
    int64_t least = INT64_MAX;
    for (const Term arm : kept)
      if (const auto k = constant(arm)) least = *k;
    if (least != INT64_MAX) std::erase_if(kept, [&](Term arm) { return !constant(arm) && is_far(arm, least); });
  }
  if (kept.size() == 1) return kept[0];
  return make(op, "", std::move(kept));
}

// Whether it is the way from a loop's variable to its end, or to what bounds that, in whole steps that are not shorter:
// end - variable, where end - begin is a multiple of the step. Within the loop no less than a step is left.
bool Terms::is_far(Term arm, int64_t least) {
  const TermNode first = is(arm, Op::maximum) || is(arm, Op::minimum) ? at(at(arm).args[0]) : at(arm);
  if (first.op != Op::sum) return false;
  for (size_t k = 0; k < first.args.size(); ++k) {
    if (first.numbers[k + 1] != -1 || !is(first.args[k], Op::variable)) continue;
    const Loop loop = loops[static_cast<size_t>(at(first.args[k]).numbers[0])];
    const auto step = constant(loop.step);
    if (!step || *step < least || *step <= 0) continue;
    const Term end = add(arm, first.args[k]);
    const bool bounds = loop.high == end ||
                        (is(loop.high, Op::minimum) && std::find(at(loop.high).args.begin(), at(loop.high).args.end(),
                                                                 end) != at(loop.high).args.end());
    if (bounds && divisible(sub(end, loop.low), *step)) return true;
  }
  return false;
}

uint32_t Terms::again(uint32_t loop, uint32_t by, uint32_t inner, std::map<Term, Term> &known,
                      std::map<uint32_t, uint32_t> &loops_again) {
  if (inner == loop) return by;
  if (inner == 0) return 0;
  if (const auto it = loops_again.find(inner); it != loops_again.end()) return it->second;
  const uint32_t parent = again(loop, by, loops[inner].parent, known, loops_again);
  if (parent == loops[inner].parent) return inner;                                         // not within it
  if (const auto it = loops_again.find(inner); it != loops_again.end()) return it->second; // as its parent was made
  const auto made = static_cast<uint32_t>(loops.size());
  loops_again[inner] = made;
  Loop copy = loops[inner];
  copy.parent = parent;
  loops.push_back(copy);
  known[variable(inner)] = variable(made);
  for (size_t k = 0; k < copy.slots.size(); ++k) {
    const TermNode n = at(copy.slots[k].state);
    const Term state = make(Op::state, n.tag, {}, {static_cast<int64_t>(made), static_cast<int64_t>(k)});
    known[copy.slots[k].state] = state;
    Type type = type_of(copy.slots[k].state);
    for (Term &e : type.extents) e = replaced(e, loop, by, known, loops_again);
    if (type.known()) this->type(state, type);
    loops[made].slots[k].state = state;
  }
  const auto put = [&](Term Loop::*member) {
    const Term x = replaced(copy.*member, loop, by, known, loops_again);
    loops[made].*member = x;
  };
  put(&Loop::low), put(&Loop::high), put(&Loop::step);
  for (size_t k = 0; k < copy.slots.size(); ++k) {
    const Term initial = replaced(copy.slots[k].initial, loop, by, known, loops_again);
    const Term next = replaced(copy.slots[k].next, loop, by, known, loops_again);
    loops[made].slots[k].initial = initial, loops[made].slots[k].next = next;
  }
  return made;
}

Term Terms::replaced(Term x, uint32_t loop, uint32_t by, std::map<Term, Term> &known,
                     std::map<uint32_t, uint32_t> &loops_again) {
  if (x == 0) return 0;
  if (const auto it = known.find(x); it != known.end()) return it->second;
  const TermNode n = at(x);
  const auto of = [&](Term a) { return replaced(a, loop, by, known, loops_again); };
  std::vector<Term> args;
  if (n.op != Op::variable && n.op != Op::state && n.op != Op::exit)
    for (const Term a : n.args) args.push_back(of(a));
  Term result = x;
  switch (n.op) {
  case Op::variable: result = variable(again(loop, by, static_cast<uint32_t>(n.numbers[0]), known, loops_again)); break;
  case Op::state:
  case Op::exit: {
    const uint32_t to = again(loop, by, static_cast<uint32_t>(n.numbers[0]), known, loops_again);
    result = make(n.op, n.tag, {}, {static_cast<int64_t>(to), n.numbers[1]});
    break;
  }
  case Op::sum:
    result = integer(n.numbers[0]);
    for (size_t k = 0; k < args.size(); ++k) result = combine(result, 1, args[k], n.numbers[k + 1]);
    break;
  case Op::product:
    result = args[0];
    for (size_t k = 1; k < args.size(); ++k) result = mul(result, args[k]);
    break;
  case Op::floordiv: result = floordiv(args[0], args[1]); break;
  case Op::minimum:
  case Op::maximum: result = extreme(n.op, args); break;
  case Op::map: {
    std::vector<int64_t> axes;
    for (const int64_t a : n.numbers) axes.push_back(again(loop, by, static_cast<uint32_t>(a), known, loops_again));
    result = make(n.op, n.tag, std::move(args), std::move(axes));
    break;
  }
  default: result = args == n.args ? x : make(n.op, n.tag, std::move(args), n.numbers);
  }
  known[x] = result;
  if (result != x) {
    Type type = type_of(x);
    for (Term &e : type.extents) e = of(e);
    if (type.known()) this->type(result, type);
  }
  return result;
}

bool Terms::divisible(Term t, int64_t by) const {
  if (by == 1) return true;
  const TermNode &n = at(t);
  switch (n.op) {
  case Op::sum:
    if (n.numbers[0] % by != 0) return false;
    for (size_t k = 0; k < n.args.size(); ++k)
      if (n.numbers[k + 1] % by != 0 && !divisible(n.args[k], by)) return false;
    return true;
  case Op::product: return std::any_of(n.args.begin(), n.args.end(), [&](Term a) { return divisible(a, by); });
  case Op::minimum:
  case Op::maximum: return std::all_of(n.args.begin(), n.args.end(), [&](Term a) { return divisible(a, by); });
  case Op::variable: {
    const Loop &loop = loops[static_cast<size_t>(n.numbers[0])];
    return divisible(loop.low, by) && divisible(loop.step, by);
  }
  default: return false;
  }
}

Term Terms::number(double value) {
  if (std::nearbyint(value) == value && std::fabs(value) < 9e15 && !(value == 0 && std::signbit(value)))
    return integer(static_cast<int64_t>(value));
  char digits[40];
  std::snprintf(digits, sizeof digits, "%.17g", value);
  return make(Op::number, digits, {});
}

Term Terms::apply(std::string function, std::vector<Term> args, Type type) {
  const Term t = make(Op::apply, std::move(function), std::move(args));
  if (type.known()) types_.try_emplace(t, std::move(type));
  return t;
}

Term Terms::garbage(Type type) {
  const Term t = make(Op::garbage, std::to_string(++garbages_), {});
  if (type.known()) types_.try_emplace(t, std::move(type));
  return t;
}

Type Terms::type_of(Term t) const {
  const auto it = types_.find(t);
  return it == types_.end() ? Type{} : it->second;
}

std::string Terms::show(Term t, int depth) const {
  const TermNode &n = at(t);
  const auto listed = [&](const char *separator) {
    std::string text;
    for (const Term a : n.args) text += (text.empty() ? "" : separator) + show(a, depth - 1);
    return text;
  };
  if (depth <= 0 && !n.args.empty()) return "…";
  switch (n.op) {
  case Op::none: return "nothing";
  case Op::undefined: return "no value";
  case Op::garbage: return "what may have been overwritten";
  case Op::number: return n.tag;
  case Op::text: return "'" + n.tag + "'";
  case Op::symbol: return n.tag.starts_with("dim ") ? n.tag.substr(4) : n.tag;
  case Op::sum: {
    std::string text;
    for (size_t k = 0; k < n.args.size(); ++k) {
      const int64_t c = n.numbers[k + 1];
      text += text.empty() ? (c < 0 ? "-" : "") : c < 0 ? " - " : " + ";
      if (c != 1 && c != -1) text += std::to_string(c < 0 ? -c : c) + " * ";
      text += show(n.args[k], depth - 1);
    }
    if (text.empty()) return std::to_string(n.numbers[0]);
    if (n.numbers[0]) text += (n.numbers[0] < 0 ? " - " : " + ") + std::to_string(std::abs(n.numbers[0]));
    return text;
  }
  case Op::product: return listed(" * ");
  case Op::floordiv: return "(" + listed(") // (") + ")";
  case Op::minimum: return "min(" + listed(", ") + ")";
  case Op::maximum: return "max(" + listed(", ") + ")";
  case Op::variable: return "i" + std::to_string(n.numbers[0]);
  case Op::state: return "what " + n.tag + " holds";
  case Op::exit: return "what " + n.tag + " holds after a loop";
  case Op::choice: return "choice(" + listed(", ") + ")";
  case Op::block: return "block(" + listed(", ") + ")";
  case Op::slice: return "slice(" + listed(", ") + ")";
  case Op::tuple: return "(" + listed(", ") + ")";
  case Op::whole: return "whole";
  case Op::argument: return n.tag;
  case Op::map: return "each block of " + listed(", ");
  case Op::apply: return n.tag + "(" + listed(", ") + ")";
  }
  return "?";
}

} // namespace htp::validator
