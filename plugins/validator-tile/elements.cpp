#include "elements.h"

#include <algorithm>

namespace htp::validator {

namespace {

constexpr size_t most_compared = 20'000, most_elements = 9'000;

std::string_view fold_of_reduction(std::string_view name) {
  return name == "reduce_sum"    ? "sum"
         : name == "reduce_max"  ? "max"
         : name == "reduce_min"  ? "min"
         : name == "reduce_prod" ? "product"
                                 : "";
}

} // namespace

// ── contents ──

Term Elements::element(Term x, const Index &index) {
  std::vector<Term> key(index);
  key.push_back(0);
  for (const OpenLoop &o : open_) key.push_back(o.loop), key.push_back(o.turn), key.push_back(o.at);
  key.push_back(0);
  facts.append_to(key);
  const std::pair<std::vector<Term>, Term> of(std::move(key), x);
  if (const auto it = known_.find(of); it != known_.end()) return it->second;
  if (++steps_ > most_elements) fail("it has too many elements");
  return known_[of] = element_of(x, index);
}

Term Elements::element_if(Term x, const Index &index) {
  const size_t loops = open_.size(), mark = facts.mark();
  try {
    return element(x, index);
  } catch (const NoElement &why) {
    open_.resize(loops);
    facts.back_to(mark);
    why_ = why.why;
    return t.apply("hole", {t.symbol(dtype_of(x))}, {dtype_of(x), {}});
  }
}

Term Elements::operand(Term x, const Index &index) {
  if (t.is(x, Op::number)) return x;
  if (t.is_int(x)) return integer(x);
  return element(x, fitted(index, t.type_of(x).extents));
}

Elements::Index Elements::fitted(const Index &index, const std::vector<Term> &extents) {
  Index result(extents.size(), t.integer(0));
  for (size_t k = 1; k <= extents.size() && k <= index.size(); ++k)
    if (t.constant(extents[extents.size() - k]) != 1) result[extents.size() - k] = index[index.size() - k];
  return result;
}

Term Elements::only(Term x) { return element(x, Index(t.type_of(x).extents.size(), t.integer(0))); }

Term Elements::integer(Term x) {
  const TermNode n = t.at(x);
  std::vector<Term> args;
  switch (n.op) {
  case Op::symbol: return x;
  case Op::variable: {
    const OpenLoop *o = open(static_cast<uint32_t>(n.numbers[0]));
    if (!o) fail("a loop's variable outside of the loop");
    return o->begun;
  }
  case Op::sum: {
    Term result = t.integer(n.numbers[0]);
    for (size_t k = 0; k < n.args.size(); ++k) result = t.add(result, t.scale(integer(n.args[k]), n.numbers[k + 1]));
    return result;
  }
  case Op::product: {
    Term result = t.integer(1);
    for (const Term a : n.args) result = t.mul(result, integer(a));
    return result;
  }
  case Op::floordiv: {
    const Term a = integer(n.args[0]);
    return quotient(a, integer(n.args[1]));
  }
  case Op::minimum:
  case Op::maximum:
    for (const Term a : n.args) args.push_back(integer(a));
    return n.op == Op::minimum ? t.least(std::move(args)) : t.most(std::move(args));
  case Op::apply:
    if (n.tag == "element" && n.args.size() == 1) return t.apply("element", {only(n.args[0])}, {"int", {}});
    break;
  default: break;
  }
  fail("`" + t.show(x) + "` is an int that has no form here");
}

Term Elements::choice(Term condition, const std::function<Term()> &yes, const std::function<Term()> &no) {
  const TermNode n = t.at(condition);
  if (n.op == Op::symbol && n.tag == "True") return yes();
  if (n.op == Op::symbol && n.tag == "False") return no();
  if (n.op != Op::apply) fail("a condition that has no form here");
  if (n.tag == "not") return choice(n.args[0], no, yes);
  if (n.tag == "and" && n.args.size() == 2)
    return choice(
        n.args[0], [&] { return choice(n.args[1], yes, no); }, no);
  if (n.tag == "or" && n.args.size() == 2) return choice(n.args[0], yes, [&] { return choice(n.args[1], yes, no); });
  std::vector<Term> atoms;
  if (n.tag == "nonnegative") {
    atoms = {integer(n.args[0])};
  } else if (n.tag == "zero") {
    const Term x = integer(n.args[0]);
    atoms = {x, t.scale(x, -1)};
  } else if (n.tag == "element") {
    const Term x = t.apply("element", {only(n.args[0])}, {"truth", {}});
    return guarded({x}, yes(), no());
  } else {
    fail("a condition that has no form here");
  }
  Term one = 0, other = 0;
  const bool always = std::all_of(atoms.begin(), atoms.end(), [&](Term a) { return facts.proves(a); });
  if (always) return yes();
  if (facts.impossible(atoms)) return no();
  {
    const Restored restored(facts);
    for (const Term a : atoms) facts.assume(a);
    one = yes();
  }
  {
    const Restored restored(facts);
    facts.assume_not(atoms);
    other = no();
  }
  return guarded(atoms, one, other);
}

Term Elements::element_of(Term x, const Index &index) {
  const TermNode n = t.at(x);
  const Type type = t.type_of(x);
  if (t.is(x, Op::number)) return x;
  if (t.is_int(x)) return integer(x);
  switch (n.op) {
  case Op::argument: {
    if (index.size() != type.extents.size()) fail("an index of another rank");
    std::vector<Term> args{x};
    args.insert(args.end(), index.begin(), index.end());
    return t.apply("at", std::move(args), {type.dtype, {}});
  }
  case Op::state: return state(static_cast<uint32_t>(n.numbers[0]), static_cast<size_t>(n.numbers[1]), index);
  case Op::exit: return after(static_cast<uint32_t>(n.numbers[0]), static_cast<size_t>(n.numbers[1]), index);
  case Op::map: return mapped(n, index, type.dtype);
  case Op::garbage: return t.apply("hole", {t.symbol(type.dtype)}, {type.dtype, {}});
  case Op::choice:
    return choice(
        n.args[0], [&] { return element_if(n.args[1], index); }, [&] { return element_if(n.args[2], index); });
  case Op::apply: break;
  default: fail("`" + t.show(x) + "` has no elements here");
  }
  if (n.tag == "nothing") return t.apply("hole", {t.symbol(type.dtype)}, {type.dtype, {}});
  if (const Function *f = function_named(n.tag)) return function_of(*f, n, index, type.dtype);
  if (n.tag == "load" || n.tag == "get") return load(n, index, type.dtype);
  if (n.tag == "update") return update(n, index, type.dtype);
  if (n.tag == "full") {
    return typed(operand(n.args[1], index), type.dtype);
  }
  if (n.tag == "index") return typed(integer(n.args[1]), type.dtype);
  if (n.tag == "cast") return t.apply("cast", {operand(n.args[0], index), n.args[1], n.args[2]}, {type.dtype, {}});
  if (n.tag == "spread") return operand(n.args[0], index);
  if (n.tag == "reshape") return reshaped(n.args[0], index, type.extents);
  if (n.tag == "iota") {
    const auto axis = static_cast<int64_t>(index.size()) + t.constant(n.args[2]).value_or(-99);
    if (axis < 0 || axis >= static_cast<int64_t>(index.size())) fail("an axis that is not known here");
    return typed(t.add(integer(n.args[1]), index[static_cast<size_t>(axis)]), type.dtype);
  }
  if (n.tag == "both") return both(n, index);
  if (n.tag == "pad") return padded(n, index, type);
  if (n.tag == "crop") return cropped(n, index, type);
  if (n.tag == "fed") return fed(n, index);
  if (n.tag == "mmul") return product_of_blocks(n, index, type.dtype);
  if (n.tag == "pack") return packed(n, index, type);
  if (n.tag == "unpack") return unpacked(n, index, type);
  if (n.tag == "gather") {
    const Type of = t.type_of(n.args[0]);
    const auto axis = static_cast<int64_t>(of.extents.size()) + t.constant(n.args[2]).value_or(-99);
    if (axis < 0 || static_cast<size_t>(axis) >= index.size() || index.size() != of.extents.size())
      fail("an axis that is not known here");
    Index at = index;
    at[static_cast<size_t>(axis)] = t.apply("element", {operand(n.args[1], index)}, {"int", {}});
    return element(n.args[0], at);
  }
  fail("`" + n.tag + "` has no elements here");
}

Term Elements::function_of(const Function &f, const TermNode &n, const Index &index, const std::string &dtype) {
  switch (f.result) {
  case Typing::elementwise:
  case Typing::compare:
  case Typing::select: {
    std::vector<Term> args;
    std::string met;
    for (size_t k = 0; k < n.args.size(); ++k) {
      args.push_back(operand(n.args[k], index));
      if (!(f.result == Typing::select && k == 0) && !is_weak(args[k])) met = dtype_of(args[k]);
    }
    if (met.empty()) met = dtype;
    for (Term &a : args) a = typed(a, met);
    return function(std::string(f.name), std::move(args), dtype);
  }
  case Typing::reduce: return reduced(n, index, dtype);
  case Typing::product: return product(n, index, dtype);
  case Typing::transpose: {
    const auto rank = static_cast<int64_t>(index.size());
    Index at = index;
    if (n.args.size() > 1) {
      const auto axes = t.at(n.args[1]).args;
      for (size_t k = 0; k < axes.size(); ++k)
        at[static_cast<size_t>(rank + t.constant(axes[k]).value_or(-1))] = index[k];
    } else {
      std::swap(at[index.size() - 1], at[index.size() - 2]);
    }
    return element(n.args[0], at);
  }
  case Typing::like: break;
  }
  fail("`" + n.tag + "` has no elements here");
}

Term Elements::reduced(const TermNode &n, const Index &index, const std::string &dtype) {
  const std::string name(fold_of_reduction(n.tag));
  const Type of = t.type_of(n.args[0]);
  const auto axis = static_cast<int64_t>(of.extents.size()) + t.constant(n.args[1]).value_or(-99);
  if (name.empty() || axis < 0 || index.size() != of.extents.size()) fail("`" + n.tag + "` has no elements here");
  const Term count = integer(of.extents[static_cast<size_t>(axis)]), r = fresh_int();
  Index at = index;
  at[static_cast<size_t>(axis)] = r;
  Term body = 0;
  {
    const Restored restored(facts);
    facts.assume(r);
    facts.assume(t.sub(t.sub(count, r), t.integer(1)));
    body = element(n.args[0], at);
  }
  return fold(name, dtype, {over(name, dtype, count, r, body)});
}

Term Elements::product(const TermNode &n, const Index &index, const std::string &dtype) {
  const Type a = t.type_of(n.args[0]), b = t.type_of(n.args[1]);
  const size_t rank = index.size();
  if (rank < 2 || a.extents.size() < 2 || b.extents.size() < 2) fail("a product of what is no matrix");
  const Term count = integer(a.extents.back()), r = fresh_int();
  Index one = index, other = index;
  one[rank - 1] = r, other[rank - 2] = r;
  // Extents of 1 are no broadcast here: r stays.
  const auto at = [&](Term x, const Index &whole, const std::vector<Term> &extents) {
    Index i = fitted(whole, extents);
    for (size_t k = 1; k <= 2; ++k) i[i.size() - k] = whole[rank - k];
    Term e = element(x, i);
    if (dtype_of(e) != dtype) e = t.apply("cast", {e, t.symbol("htp." + dtype), t.symbol("None")}, {dtype, {}});
    return e;
  };
  Term body = 0;
  {
    const Restored restored(facts);
    facts.assume(r);
    facts.assume(t.sub(t.sub(count, r), t.integer(1)));
    body = function("mul", {at(n.args[0], one, a.extents), at(n.args[1], other, b.extents)}, dtype);
  }
  std::vector<Term> items{over("sum", dtype, count, r, body)};
  if (t.constant(n.args[2]) != 0) items.push_back(operand(n.args[2], index));
  return fold("sum", dtype, std::move(items));
}

Term Elements::reshaped(Term x, const Index &index, const std::vector<Term> &extents) {
  const Type of = t.type_of(x);
  std::vector<Term> from, to;
  Index some;
  for (size_t k = 0; k < extents.size(); ++k)
    if (t.constant(extents[k]) != 1) to.push_back(extents[k]), some.push_back(index[k]);
  for (const Term e : of.extents)
    if (t.constant(e) != 1) from.push_back(e);
  Index at(of.extents.size(), t.integer(0));
  if (from == to) {
    size_t next = 0;
    for (size_t k = 0; k < at.size(); ++k)
      if (t.constant(of.extents[k]) != 1) at[k] = some[next++];
    return element(x, at);
  }
  return element(x, unravelled(of.extents, ravelled(extents, index)));
}

std::vector<Term> Elements::within(Term slice, Term at, Term &local) {
  const TermNode sl = t.at(slice);
  const int64_t apart = sl.op == Op::slice ? t.constant(sl.args[2]).value_or(0) : 0;
  if (apart < 1) fail("a store in places that are not known");
  const Term from = integer(sl.args[0]), extent = integer(sl.args[1]), distance = t.sub(at, from);
  local = t.floordiv(distance, t.integer(apart));
  std::vector<Term> result{local, t.sub(t.sub(extent, local), t.integer(1))};
  if (apart > 1) result.push_back(t.sub(t.scale(local, apart), distance)); // not between them
  return result;
}

Elements::Index Elements::stored(const std::vector<Term> &slices, const Index &local, Term value) {
  const std::vector<Term> extents = t.type_of(value).extents;
  std::vector<Term> wanted;
  for (const Term sl : slices) wanted.push_back(t.at(sl).args[1]);
  bool spreads = extents.size() <= wanted.size();
  for (size_t k = 1; k <= extents.size() && spreads; ++k) {
    const Term e = extents[extents.size() - k], w = wanted[wanted.size() - k];
    spreads = e == w || t.constant(e) == 1;
  }
  if (spreads) return fitted(local, extents);
  Index result(extents.size(), t.integer(0)), some;
  for (size_t k = 0; k < wanted.size(); ++k)
    if (t.constant(wanted[k]) != 1) some.push_back(local[k]);
  size_t next = 0;
  for (size_t k = 0; k < extents.size(); ++k)
    if (t.constant(extents[k]) != 1) {
      if (next == some.size()) fail("a store of other extents");
      result[k] = some[next++];
    }
  if (next != some.size()) fail("a store of other extents");
  return result;
}

Term Elements::put(const TermNode &n, const std::vector<Term> &slices, const Index &local, const std::string &dtype) {
  if (is_weak(n.args[1])) return typed(operand(n.args[1], local), dtype);
  return element(n.args[1], stored(slices, local, n.args[1]));
}

Term Elements::update(const TermNode &n, const Index &index, const std::string &dtype) {
  if (index.size() + 2 != n.args.size()) fail("an index of another rank");
  const std::vector<Term> slices(n.args.begin() + 2, n.args.end());
  std::vector<Term> conditions;
  Index local(index.size());
  for (size_t k = 0; k < index.size(); ++k)
    for (const Term c : within(slices[k], index[k], local[k])) conditions.push_back(c);
  if (std::all_of(conditions.begin(), conditions.end(), [&](Term c) { return facts.proves(c); }))
    return put(n, slices, local, dtype);
  if (facts.impossible(conditions)) return element(n.args[0], index);
  const Term before = element_if(n.args[0], index);
  Term value = 0;
  {
    const Restored restored(facts);
    for (const Term c : conditions) facts.assume(c);
    std::vector<Term> now = conditions;
    const std::vector<OpenLoop> unpinned = open_;
    pin_all(now, local);
    try {
      value = put(n, slices, local, dtype);
    } catch (const NoElement &) {
      unpin(unpinned);
      throw;
    }
    unpin(unpinned);
  }
  return guarded(std::move(conditions), value, before);
}

Term Elements::load(const TermNode &n, const Index &index, const std::string &dtype) {
  std::vector<Term> slices(n.args.begin() + 1, n.args.end());
  Term outside = 0;
  if (!slices.empty() && t.is(slices.back(), Op::tuple) && t.at(slices.back()).tag == "outside") {
    outside = t.at(slices.back()).args[0];
    slices.pop_back();
  }
  Index at;
  size_t next = 0;
  for (const Term sl : slices) {
    if (t.is(sl, Op::slice)) {
      const TermNode s = t.at(sl);
      if (next == index.size()) fail("an index of another rank");
      at.push_back(t.add(integer(s.args[0]), t.mul(integer(s.args[2]), index[next++])));
    } else if (t.is_int(sl)) { // of a scalar that is got
      at.push_back(integer(sl));
    } else {
      const size_t rank = t.type_of(sl).extents.size();
      if (next + rank > index.size()) fail("an index of another rank");
      const Index inner(index.begin() + static_cast<std::ptrdiff_t>(next),
                        index.begin() + static_cast<std::ptrdiff_t>(next + rank));
      next += rank;
      at.push_back(t.apply("element", {element(sl, inner)}, {"int", {}}));
    }
  }
  if (next != index.size()) fail("an index of another rank");
  if (!outside) return element(n.args[0], at);
  const Type of = t.type_of(n.args[0]);
  if (of.extents.size() != at.size()) fail("an index of another rank");
  std::vector<Term> there;
  for (size_t k = 0; k < at.size(); ++k) {
    there.push_back(at[k]);
    there.push_back(t.sub(t.sub(integer(of.extents[k]), at[k]), t.integer(1)));
  }
  if (!is_weak(outside)) fail("what is outside is not a number");
  const Term no = typed(operand(outside, {}), dtype);
  return guarded_by(
      std::move(there), [&] { return element(n.args[0], at); }, no);
}

// ── equality ──

bool Elements::has_hole(Term x) {
  if (const auto it = holes_.find(x); it != holes_.end()) return it->second;
  const TermNode n = t.at(x);
  bool is = n.op == Op::apply && n.tag == "hole";
  for (const Term a : n.args) is = is || has_hole(a);
  return holes_[x] = is;
}

bool Elements::differ(Term a, Term b) {
  if (difference_.empty()) difference_ = "`" + t.show(a) + "` before, `" + t.show(b) + "` after";
  return false;
}

Term Elements::chosen(Term x) {
  while (t.is(x, Op::choice)) {
    const TermNode n = t.at(x);
    const auto atoms = atoms_of_condition(t, n.args[0]);
    std::vector<Term> ints;
    for (const Term a : atoms)
      if (!is_truth(a)) ints.push_back(a);
    if (ints.size() == atoms.size() && std::all_of(ints.begin(), ints.end(), [&](Term a) { return facts.proves(a); }))
      x = n.args[1];
    else if (!ints.empty() && facts.impossible(ints))
      x = n.args[2];
    else
      break;
  }
  return x;
}

bool Elements::same(Term a, Term b) {
  if (++steps_ > most_compared) return differ(a, b);
  a = chosen(a), b = chosen(b);
  if (a == b) return !has_hole(a) || facts.impossible() || differ(a, b);
  const TermNode x = t.at(a), y = t.at(b);
  if (x.op == Op::choice || y.op == Op::choice) {
    const TermNode &by = x.op == Op::choice ? x : y;
    const auto atoms = atoms_of_condition(t, by.args[0]);
    if (std::any_of(atoms.begin(), atoms.end(), [&](Term c) { return is_truth(c); })) {
      if (x.op != y.op || x.args[0] != y.args[0]) return differ(a, b);
      return same(x.args[1], y.args[1]) && same(x.args[2], y.args[2]);
    }
    const bool first = x.op == Op::choice;
    {
      const Restored restored(facts);
      for (const Term c : atoms) facts.assume(c);
      if (!facts.impossible() && !same(first ? x.args[1] : a, first ? b : y.args[1])) return false;
    }
    const Restored restored(facts);
    facts.assume_not(atoms);
    return facts.impossible() || same(first ? x.args[2] : a, first ? b : y.args[2]);
  }
  if (x.op != Op::apply || y.op != Op::apply || x.tag != y.tag || x.args.size() != y.args.size() ||
      dtype_of(a) != dtype_of(b))
    return facts.impossible() || differ(a, b);
  if (x.tag == "rec") { // as one: its variable, and its states, one by one
    if (x.args[0] != y.args[0]) return differ(a, b);
    const Term v = fresh_int();
    std::map<Term, Term> one{{bound_int(x.numbers[0]), v}}, other{{bound_int(y.numbers[0]), v}};
    for (size_t k = 0; 2 * k + 2 < x.args.size(); ++k) {
      if (!same(x.args[2 * k + 1], y.args[2 * k + 1])) return false;
      const std::string dtype = dtype_of(x.args[2 * k + 2]);
      if (dtype_of(y.args[2 * k + 2]) != dtype) return differ(a, b);
      const Term s = fresh_value(dtype);
      one[bound_value(x.numbers[0], k, dtype)] = other[bound_value(y.numbers[0], k, dtype)] = s;
    }
    const Restored restored(facts);
    facts.assume(v);
    facts.assume(t.sub(t.sub(x.args[0], v), t.integer(1)));
    for (size_t k = 2; k < x.args.size(); k += 2)
      if (!same(replaced(x.args[k], one), replaced(y.args[k], other))) return false;
    return true;
  }
  if (x.tag == "over") { // the variable of both is one
    if (x.args[0] != y.args[0] || x.args[1] != y.args[1]) return differ(a, b);
    const Term v = fresh_int();
    const Term one = replaced(x.args[2], {{bound_int(x.numbers[0]), v}});
    const Term other = replaced(y.args[2], {{bound_int(y.numbers[0]), v}});
    const Restored restored(facts);
    facts.assume(v);
    facts.assume(t.sub(t.sub(x.args[1], v), t.integer(1)));
    return same(one, other);
  }
  if (x.tag.starts_with("fold ")) { // each with another one
    std::vector<Term> rest = y.args;
    for (const Term one : x.args) {
      bool found = false;
      for (size_t k = 0; k < rest.size() && !found; ++k)
        if (rest[k] == one || same(one, rest[k])) {
          rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(k));
          found = true;
        }
      if (!found) return differ(a, b);
    }
    return true;
  }
  if (x.numbers != y.numbers) return differ(a, b);
  for (size_t k = 0; k < x.args.size(); ++k)
    if (x.args[k] != y.args[k] && (t.is_int(x.args[k]) || !same(x.args[k], y.args[k]))) return differ(a, b);
  return true;
}

bool Elements::equal(Term a, Term b, const Type &type) {
  const Restored restored(facts);
  open_.clear();
  steps_ = 0;
  difference_.clear();
  why_.clear();
  try {
    Index index;
    for (const Term e : type.extents) {
      const Term i = fresh_int();
      index.push_back(t.constant(e) == 1 ? t.integer(0) : i);
      facts.assume(index.back());
      facts.assume(t.sub(t.sub(integer(e), index.back()), t.integer(1)));
    }
    const Term one = element(a, index);
    open_.clear();
    const Term other = element(b, index);
    steps_ = 0;
    if (same(one, other)) return true;
    if (!why_.empty() && (has_hole(one) || has_hole(other))) difference_ = why_;
    return false;
  } catch (const NoElement &why) {
    difference_ = why.why;
    open_.clear();
    return false;
  }
}

} // namespace htp::validator
