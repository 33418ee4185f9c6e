// Elements of what moves: of tensors with padding, and of the blocks that transfers bring.
#include "elements.h"

#include <algorithm>
#include <functional>

namespace htp::validator {

Term Elements::quotient(Term a, Term b) {
  const auto within = [&](Term x) { return facts.proves(x) && facts.proves(t.sub(t.sub(b, x), t.integer(1))); };
  if (within(a)) return t.integer(0);
  const Term q = t.floordiv(a, b);
  const auto by = t.constant(b);
  if (!by || !t.is(a, Op::sum)) return q;
  // a = b * whole + rest, where the rest may be within the divisor.
  const TermNode n = t.at(a);
  Term whole = t.integer(0);
  for (size_t k = 0; k < n.args.size(); ++k)
    if (n.numbers[k + 1] % *by == 0) whole = t.add(whole, t.scale(n.args[k], n.numbers[k + 1] / *by));
  const Term rest = t.sub(a, t.scale(whole, *by));
  return rest != a && within(rest) ? whole : q;
}

// Of a dimension that is padded in pieces: piece // own, and what is within the piece.
Term Elements::padded(const TermNode &n, const Index &index, const Type &type) {
  const std::vector<Term> extents = t.at(n.args[3]).args, pieces = t.at(n.args[2]).args;
  if (extents.size() != index.size() || type.extents.size() != index.size()) fail("an index of another rank");
  Index at = index;
  std::vector<Term> there;
  for (size_t k = 0; k < index.size(); ++k) {
    Term own = integer(extents[k]), rest = index[k];
    if (const int64_t by = pieces.empty() ? 1 : t.constant(pieces[k]).value_or(1); by > 1) {
      const Term whole = t.integer(t.constant(type.extents[k]).value_or(0) / by);
      own = t.integer(t.constant(own).value_or(0) / by);
      const Term q = quotient(index[k], whole);
      rest = t.sub(index[k], t.mul(q, whole));
      at[k] = t.add(t.mul(q, own), rest);
    }
    there.push_back(t.sub(t.sub(own, rest), t.integer(1)));
  }
  return guarded_by(
      std::move(there), [&] { return of(n.args[0], at); }, typed(operand(n.args[1], {}), type.dtype));
}

Term Elements::cropped(const TermNode &n, const Index &index, const Type &type) {
  const std::vector<Term> to = t.at(n.args[2]).args, pieces = t.at(n.args[1]).args;
  if (to.size() != index.size() || type.extents.size() != index.size()) fail("an index of another rank");
  Index at = index;
  for (size_t k = 0; k < index.size(); ++k) {
    const int64_t by = pieces.empty() ? 1 : t.constant(pieces[k]).value_or(1);
    if (by <= 1) continue;
    const Term own = t.integer(t.constant(type.extents[k]).value_or(0) / by);
    const Term whole = t.integer(t.constant(to[k]).value_or(0) / by), q = quotient(index[k], own);
    at[k] = t.add(t.mul(q, whole), t.sub(index[k], t.mul(q, own)));
  }
  return of(n.args[0], at);
}

Term Elements::of(Term x, const Index &index) { return element(x, fitted(index, t.type_of(x).extents)); }

Term Elements::ravelled(const std::vector<Term> &extents, const Index &index) {
  if (extents.size() != index.size()) fail("an index of another rank");
  Term flat = t.integer(0);
  for (size_t k = 0; k < extents.size(); ++k) flat = t.add(t.mul(flat, integer(extents[k])), index[k]);
  return flat;
}

Elements::Index Elements::unravelled(const std::vector<Term> &extents, Term flat) {
  Index at(extents.size(), t.integer(0));
  for (size_t k = extents.size(); k-- > 0;) {
    const Term e = integer(extents[k]);
    if (!facts.proves(t.sub(e, t.integer(1)))) fail("extents that may not be positive");
    const Term rest = quotient(flat, e);
    at[k] = t.sub(flat, t.mul(e, rest));
    flat = rest;
  }
  return at;
}

// What one stores where the other one leaves what was there. What they store is told by the conditions on the way to
// it: of two of them never all hold.
Term Elements::both(const TermNode &n, const Index &index) {
  const Term was = element(n.args[2], index), one = element(n.args[0], index), other = element(n.args[1], index);
  if (has_hole(was)) fail("processes store where nothing is yet");
  std::vector<std::vector<Term>> ways[2];
  const auto collect = [&](Term x, std::vector<std::vector<Term>> &into) {
    std::vector<Term> path;
    const std::function<void(Term)> in = [&](Term y) {
      if (y == was) return;
      if (!t.is(y, Op::choice)) {
        into.push_back(path);
        return;
      }
      const TermNode c = t.at(y);
      const size_t mark = path.size();
      const auto atoms = atoms_of_condition(t, c.args[0]);
      for (const Term a : atoms)
        if (!is_truth(a)) path.push_back(a);
      in(c.args[1]);
      path.resize(mark);
      if (atoms.size() == 1 && !is_truth(atoms[0])) path.push_back(t.sub(t.integer(-1), atoms[0]));
      in(c.args[2]);
      path.resize(mark);
    };
    in(x);
  };
  collect(one, ways[0]);
  collect(other, ways[1]);
  if (ways[0].size() * ways[1].size() > 400) fail("processes that store in too many ways");
  for (const auto &a : ways[0])
    for (const auto &b : ways[1]) {
      std::vector<Term> all(a);
      all.insert(all.end(), b.begin(), b.end());
      if (!facts.impossible(all)) fail("processes may store to one place");
    }
  const std::function<Term(Term)> merged = [&](Term x) -> Term {
    if (x == was) return one;
    if (!t.is(x, Op::choice)) return x;
    const TermNode c = t.at(x);
    return guarded(atoms_of_condition(t, c.args[0]), merged(c.args[1]), merged(c.args[2]));
  };
  return merged(other);
}

Term Elements::as_bits(Term x, const std::string &dtype) {
  if (dtype_of(x) == dtype) return x;
  const TermNode n = t.at(x);
  if (n.op == Op::choice)
    return guarded(atoms_of_condition(t, n.args[0]), as_bits(n.args[1], dtype), as_bits(n.args[2], dtype));
  if (n.op == Op::apply && n.tag == "full" && t.constant(n.args[1]) == 0) return typed(n.args[1], dtype);
  if (n.op == Op::apply && n.tag == "bits" && dtype_of(n.args[0]) == dtype) return n.args[0];
  return t.apply("bits", {x, t.symbol(dtype)}, {dtype, {}});
}

Term Elements::unpacked(const TermNode &n, const Index &index, const Type &type) {
  const Term flat = t.add(integer(n.args[1]), ravelled(type.extents, index));
  return as_bits(element(n.args[0], unravelled(t.type_of(n.args[0]).extents, flat)), type.dtype);
}

// Of the source whose loops come here, or 0. Each loop goes over no more than a step of the one around it: so how far
// an element is from where the source begins says which turn of each loop it is.
Term Elements::packed(const TermNode &n, const Index &index, const Type &type) {
  const Term flat = ravelled(type.extents, index);
  const std::function<Term(size_t)> from = [&](size_t k) -> Term {
    if (k == n.args.size()) return typed(t.integer(0), type.dtype);
    const TermNode source = t.at(n.args[k]);
    const std::vector<Term> extents = t.at(source.args[3]).args, loops = t.at(source.args[2]).args;
    Index at(extents.size(), t.integer(0));
    Term rest = t.sub(flat, source.args[1]);
    std::vector<Term> there;
    for (const Term l : loops) {
      const std::vector<Term> loop = t.at(l).args;
      const Term turn = quotient(rest, loop[3]);
      rest = t.sub(rest, t.mul(turn, loop[3]));
      there.push_back(turn);
      there.push_back(t.sub(t.sub(loop[0], turn), t.integer(1)));
      if (const auto d = t.constant(loop[1]); d && *d >= 0)
        at[static_cast<size_t>(*d)] = t.add(at[static_cast<size_t>(*d)], t.mul(turn, loop[2]));
    }
    there.push_back(rest);
    there.push_back(t.scale(rest, -1));
    for (size_t d = 0; d < at.size(); ++d) there.push_back(t.sub(t.sub(integer(extents[d]), at[d]), t.integer(1)));
    if (std::all_of(there.begin(), there.end(), [&](Term c) { return facts.proves(c); }))
      return as_bits(of(source.args[0], at), type.dtype);
    return guarded_by(
        std::move(there), [&] { return as_bits(of(source.args[0], at), type.dtype); }, from(k + 1));
  };
  return from(0);
}

// (…, m, n, r, c) is element (m * R + r, n * C + c); so are the factors'.
Term Elements::product_of_blocks(const TermNode &n, const Index &index, const std::string &dtype) {
  const Type a = t.type_of(n.args[0]), b = t.type_of(n.args[1]);
  const size_t rank = index.size();
  if (rank < 4 || a.extents.size() < 4 || b.extents.size() < 4) fail("a product of what lies in no blocks");
  const Term deep = integer(a.extents.back()), whole = t.mul(integer(a.extents[a.extents.size() - 3]), deep);
  if (!t.constant(deep) || integer(b.extents[b.extents.size() - 2]) != deep) fail("a product of other blocks");
  const Term r = fresh_int();
  const Restored restored(facts);
  facts.assume(r);
  facts.assume(t.sub(t.sub(whole, r), t.integer(1)));
  const Term block = quotient(r, deep), within = t.sub(r, t.mul(block, deep));
  const auto at = [&](Term x, const std::vector<Term> &extents, const Index &last) {
    Index i = fitted(index, extents);
    for (size_t k = 0; k < 4; ++k) i[i.size() - 4 + k] = last[k];
    Term e = element(x, i);
    if (dtype_of(e) != dtype) e = t.apply("cast", {e, t.symbol("htp." + dtype), t.symbol("None")}, {dtype, {}});
    return e;
  };
  const Term m = index[rank - 4], c = index[rank - 3], row = index[rank - 2], column = index[rank - 1];
  const Term body = function(
      "mul", {at(n.args[0], a.extents, {m, block, row, within}), at(n.args[1], b.extents, {block, c, within, column})},
      dtype);
  std::vector<Term> items{over("sum", dtype, whole, r, body)};
  items.push_back(operand(n.args[2], index));
  return fold("sum", dtype, std::move(items));
}

Term Elements::fed(const TermNode &n, const Index &index) {
  std::map<Term, Term> by;
  for (size_t k = 0; k < index.size(); ++k) by[t.symbol("dim local " + std::to_string(k))] = index[k];
  Index at;
  for (const Term x : std::vector<Term>(t.at(n.args[1]).args)) at.push_back(integer(replaced(x, by)));
  return of(n.args[0], at);
}

Term Elements::guarded_by(std::vector<Term> conditions, const std::function<Term()> &yes, Term no) {
  if (std::all_of(conditions.begin(), conditions.end(), [&](Term c) { return facts.proves(c); })) return yes();
  if (facts.impossible(conditions)) return no;
  Term one = 0;
  {
    const Restored restored(facts);
    for (const Term c : conditions) facts.assume(c);
    one = yes();
  }
  return guarded(std::move(conditions), one, no);
}

} // namespace htp::validator
