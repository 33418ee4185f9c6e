#include "values.h"

#include <algorithm>

namespace htp::validator {

using namespace htp::sdk;

std::optional<double> Values::real(Term x) const {
  if (const auto k = t.constant(x)) return static_cast<double>(*k);
  if (t.is(x, Op::number)) return std::stod(t.at(x).tag);
  return std::nullopt;
}

bool Values::is_number(Term x) const { return t.is(x, Op::number) || t.constant(x).has_value(); }

bool Values::is_one(Term x) const { return t.constant(x) == 1; }

Term Values::truth(const char *name, std::vector<Term> args) { return t.apply(name, std::move(args), {"truth", {}}); }

Term Values::nonnegative(Term x) {
  if (const auto k = t.constant(x)) return t.symbol(*k >= 0 ? "True" : "False");
  return truth("nonnegative", {x});
}

Term Values::negated(Term x) {
  const TermNode n = t.at(x);
  if (n.op == Op::apply && n.tag == "not") return n.args[0];
  if (n.op == Op::apply && n.tag == "nonnegative") return truth("nonnegative", {t.sub(t.integer(-1), n.args[0])});
  if (n.op == Op::symbol && n.tag == "True") return t.symbol("False");
  if (n.op == Op::symbol && n.tag == "False") return t.symbol("True");
  return truth("not", {x});
}

Term Values::choice(Term condition, Term a, Term b, const Type &type) {
  if (t.is(a, Op::undefined) || t.is(b, Op::undefined)) return t.make(Op::undefined, "", {});
  if (t.is(a, Op::block) || t.is(b, Op::block) || t.is(a, Op::tuple)) return t.make(Op::undefined, "", {});
  Type both = type;
  if (t.is_int(a) && t.is_int(b)) both = {"int", {}};
  const Term x = t.make(Op::choice, "", {condition, a, b});
  if (both.known() && (both.dtype == "int" || t.type_of(a) == t.type_of(b))) t.type(x, both);
  return x;
}

Term Values::index_of_int(Term at) { return t.make(Op::slice, "", {at, t.integer(1), t.integer(1)}); }

Term Values::extent_of(Term x, Node n) {
  if (t.is(x, Op::block)) return t.at(x).args[1];
  if (!t.is_int(x)) fail(n, "an extent that is not an int");
  if (const auto k = t.constant(x); k && *k <= 0) fail(n, "an extent that is not positive");
  return x;
}

std::optional<std::vector<Term>> Values::broadcast(const std::vector<Term> &a, const std::vector<Term> &b) {
  std::vector<Term> result(std::max(a.size(), b.size()));
  for (size_t k = 1; k <= result.size(); ++k) {
    const Term x = k <= a.size() ? a[a.size() - k] : t.integer(1), y = k <= b.size() ? b[b.size() - k] : t.integer(1);
    if (x == y || is_one(y))
      result[result.size() - k] = x;
    else if (is_one(x))
      result[result.size() - k] = y;
    else
      return std::nullopt;
  }
  return result;
}

std::vector<Term> Values::without_leading_ones(std::vector<Term> extents) const {
  while (extents.size() > 1 && t.constant(extents[0]) == 1) extents.erase(extents.begin());
  return extents;
}

std::vector<Term> Values::without_ones(std::vector<Term> extents) const {
  std::erase_if(extents, [&](Term e) { return is_one(e); });
  return extents;
}

bool Values::same_extents(const std::vector<Term> &a, const std::vector<Term> &b) const {
  return without_leading_ones(a) == without_leading_ones(b);
}

Term Values::scalar_of(Term x) const {
  const TermNode &n = t.at(x);
  return n.op == Op::apply && n.tag == "full" ? n.args[1] : 0;
}

std::vector<Term> Values::extents_at(const std::vector<Term> &index) const {
  std::vector<Term> extents;
  for (const Term i : index) {
    if (t.is(i, Op::slice)) {
      extents.push_back(t.at(i).args[1]);
    } else {
      const Type tile = t.type_of(i);
      extents.insert(extents.end(), tile.extents.begin(), tile.extents.end());
    }
  }
  return extents;
}

void Values::add_shape(std::vector<Term> &args, const std::vector<Term> &extents) const {
  const auto shape = without_leading_ones(extents);
  args.insert(args.end(), shape.begin(), shape.end());
}

Term Values::function(std::string_view name, std::vector<Term> args, Node n, const std::string &summed_in) {
  const Function *f = function_named(name);
  if (!f) fail(n, "`" + std::string(name) + "` has no meaning here");
  Type type;
  switch (f->result) {
  case Typing::elementwise:
  case Typing::compare:
  case Typing::select: {
    bool any = false;
    for (size_t k = 0; k < args.size(); ++k) {
      if (is_number(args[k]) || t.is_int(args[k])) continue;
      const Type of = t.type_of(args[k]);
      if (!of.known()) fail(n, "an operand of `" + std::string(name) + "` has a type that is not known here");
      const bool condition = f->result == Typing::select && k == 0;
      if (condition ? of.dtype != "bool_" : type.known() && type.dtype != of.dtype && !type.dtype.empty())
        fail(n, "operands of `" + std::string(name) + "` have dtypes " + type.dtype + " and " + of.dtype);
      if (!condition && !type.known()) type.dtype = of.dtype;
      const auto extents = any ? broadcast(type.extents, of.extents) : std::optional(of.extents);
      if (!extents) fail(n, "extents of operands of `" + std::string(name) + "` are not shown to be equal");
      type.extents = *extents;
      any = true;
    }
    if (!any || !type.known()) fail(n, "`" + std::string(name) + "` has no operand with a type");
    for (size_t k = 0; k < args.size(); ++k)
      if (const Term scalar = scalar_of(args[k])) {
        // The type stays what it is without this operand.
        Type others;
        bool first = true, good = true;
        for (size_t j = 0; j < args.size() && good; ++j) {
          if (j == k || is_number(args[j]) || t.is_int(args[j])) continue;
          const Type of = t.type_of(args[j]);
          if (!(f->result == Typing::select && j == 0)) others.dtype = of.dtype;
          const auto e = first ? std::optional(of.extents) : broadcast(others.extents, of.extents);
          good = e.has_value();
          if (good) others.extents = *e;
          first = false;
        }
        if (good && !first && others.dtype == type.dtype && same_extents(others.extents, type.extents))
          args[k] = scalar;
      }
    if (f->result == Typing::compare) type.dtype = "bool_";
    if (name == "gt") return t.apply("lt", {args[1], args[0]}, type);
    if (name == "ge") return t.apply("le", {args[1], args[0]}, type);
    break;
  }
  case Typing::reduce: {
    type = t.type_of(args[0]);
    if (!type.known()) fail(n, "the type of what is reduced is not known here");
    std::vector<int64_t> axes;
    if (t.is(args[1], Op::tuple)) {
      for (const Term a : t.at(args[1]).args) axes.push_back(t.constant(a).value_or(99));
    } else {
      axes.push_back(t.constant(args[1]).value_or(99));
    }
    const auto rank = static_cast<int64_t>(type.extents.size());
    Term value = args[0];
    for (int64_t &axis : axes) {
      if (axis < 0) axis += rank;
      if (axis < 0 || axis >= rank) fail(n, "an axis that is not known here");
    }
    for (const int64_t axis : axes) { // one after the other
      const Term extent = type.extents[static_cast<size_t>(axis)];
      type.extents[static_cast<size_t>(axis)] = t.integer(1);
      if (name == "reduce_mean") {
        if (type.dtype != "f32" && type.dtype != "f64") fail(n, "the mean of narrow floats has no meaning here");
        value = t.apply("reduce_sum", {value, t.integer(axis - rank)}, type);
        value = function("div", {value, extent}, n);
      } else {
        value = t.apply(std::string(name), {value, t.integer(axis - rank)}, type);
      }
    }
    return value;
  }
  case Typing::like: {
    type = t.type_of(args[0]);
    if (!type.known()) fail(n, "an operand's type is not known here");
    auto axis = t.constant(args[1]);
    if (!axis) fail(n, "an axis that is not known here");
    if (*axis >= 0) *axis -= static_cast<int64_t>(type.extents.size());
    return t.apply(std::string(name), {args[0], t.integer(*axis)}, type);
  }
  case Typing::product: {
    const Type a = t.type_of(args[0]), b = t.type_of(args[1]);
    if (!a.known() || !b.known() || a.extents.size() < 2 || b.extents.size() < 2)
      fail(n, "the factors' types are not known here");
    if (a.dtype != b.dtype) fail(n, "factors of two dtypes");
    if (a.extents.back() != b.extents[b.extents.size() - 2]) fail(n, "the factors' extents are not shown to be equal");
    const auto batch = broadcast({a.extents.begin(), a.extents.end() - 2}, {b.extents.begin(), b.extents.end() - 2});
    if (!batch) fail(n, "the factors' extents are not shown to be equal");
    type.extents = *batch;
    type.extents.push_back(a.extents[a.extents.size() - 2]);
    type.extents.push_back(b.extents.back());
    type.dtype = a.dtype;
    if (args.size() > 2) {
      const Type acc = t.type_of(args[2]);
      if (!acc.known() || !same_extents(acc.extents, type.extents))
        fail(n, "the accumulator's extents are not shown to be the product's");
      type.dtype = acc.dtype;
      if (const Term scalar = scalar_of(args[2]); scalar && t.constant(scalar) == 0) args[2] = scalar; // of nothing
    } else {
      args.push_back(t.integer(0));
      if (!summed_in.empty()) type.dtype = summed_in;
    }
    // In which dtype it is summed.
    args.push_back(t.symbol(type.dtype));
    break;
  }
  case Typing::transpose: {
    type = t.type_of(args[0]);
    if (!type.known() || type.extents.size() < 2) fail(n, "the type of what is transposed is not known here");
    const size_t rank = type.extents.size();
    if (args.size() > 1) {
      std::vector<Term> extents;
      std::vector<Term> axes;
      for (const Term a : t.at(args[1]).args) {
        const auto k = t.constant(a);
        if (!t.is(args[1], Op::tuple) || !k || *k < 0 || static_cast<size_t>(*k) >= rank)
          fail(n, "axes that are not known here");
        extents.push_back(type.extents[static_cast<size_t>(*k)]);
        axes.push_back(t.integer(*k - static_cast<int64_t>(rank)));
      }
      if (extents.size() != rank) fail(n, "axes that are not known here");
      type.extents = extents;
      args[1] = t.make(Op::tuple, "", axes);
    } else {
      for (size_t k = 0; k + 2 < rank; ++k)
        if (!is_one(type.extents[k])) fail(n, "a transposition of more than two dimensions");
      std::swap(type.extents[rank - 1], type.extents[rank - 2]);
    }
    break;
  }
  }
  return t.apply(std::string(name), std::move(args), type);
}

Term Values::cast(Term x, const std::string &dtype, Term rounding, Node n) {
  Type type = t.type_of(x);
  if (!type.known()) fail(n, "the type of what is cast is not known here");
  if (type.dtype == dtype) return x;
  type.dtype = dtype;
  return t.apply("cast", {x, t.symbol("htp." + dtype), rounding ? rounding : t.symbol("None")}, type);
}

Term Values::full(const std::string &dtype, Term value, std::vector<Term> extents) {
  std::vector<Term> args{t.symbol("htp." + dtype), value};
  add_shape(args, extents);
  return t.apply("full", std::move(args), {dtype, std::move(extents)});
}

Term Values::reshaped(Term x, std::vector<Term> extents) {
  Type type = t.type_of(x);
  if (same_extents(type.extents, extents)) return x;
  if (t.is(x, Op::apply) && t.at(x).tag == "reshape") {
    const Term inner = t.at(x).args[0];
    if (same_extents(t.type_of(inner).extents, extents)) return inner;
    x = inner;
  }
  std::vector<Term> args{x};
  add_shape(args, extents);
  type.extents = std::move(extents);
  return t.apply("reshape", std::move(args), type);
}

Term Values::spread(Term x, const std::vector<Term> &to, Node n) {
  const Type type = t.type_of(x);
  if (!type.known()) fail(n, "an operand's type is not known here");
  const auto extents = broadcast(to, type.extents);
  if (!extents || !same_extents(*extents, to)) fail(n, "extents are not shown to be equal");
  if (same_extents(type.extents, to)) return x;
  std::vector<Term> args{x};
  add_shape(args, to);
  return t.apply("spread", std::move(args), {type.dtype, to});
}

Term Values::load(Term holds, const Type &of, const std::vector<Term> &index, Term outside) {
  Type type{of.dtype, extents_at(index)};
  const TermNode h = t.at(holds);
  if (!outside && h.op == Op::apply && h.tag == "update" &&
      std::equal(h.args.begin() + 2, h.args.end(), index.begin(), index.end()) &&
      std::all_of(index.begin(), index.end(), [&](Term i) { return t.is(i, Op::slice); })) {
    const Type stored = t.type_of(h.args[1]);
    if (stored.known() && stored.dtype == type.dtype && same_extents(stored.extents, type.extents)) return h.args[1];
  }
  std::vector<Term> args{holds};
  args.insert(args.end(), index.begin(), index.end());
  if (outside) args.push_back(t.make(Op::tuple, "outside", {outside}));
  return t.apply("load", std::move(args), type);
}

} // namespace htp::validator
