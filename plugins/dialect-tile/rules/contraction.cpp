// reduce, scan, sort, gather, matmul, transpose, reshape: extents that go, meet or change places.
#include "rules/rules.h"

#include "language/check.h"

#include "htp_cpp/reshape.h"

#include <algorithm>
#include <bit>

namespace htp::tile {

std::optional<size_t> axis_of(const Call &call, const Type &type) {
  const auto rank = static_cast<int64_t>(type.rank());
  int64_t axis = 0;
  if (!call.c.integer(call.argument("axis"), &axis)) {
    call.c.report(diag::not_constant, call.argument("axis"), std::string("`axis` of `") + call.row.name + "`",
                  call.c.show(call.argument("axis")));
    return std::nullopt;
  }
  if (axis < -rank || axis >= rank) {
    auto report = call.c.report(diag::bad_axis, call.argument("axis"), text_of(call.c, type), axis);
    if (rank == 1) report.hint("a tile of one dimension has axis 0").fix(call.argument("axis"), "0", "write `axis=0`");
    return std::nullopt;
  }
  return static_cast<size_t>(axis < 0 ? axis + rank : axis);
}

Node reduce(const Call &call) {
  auto type = call.tile("x");
  const auto axis = type ? axis_of(call, *type) : std::nullopt;
  if (!axis) return HTP_NONE;
  const Type before = *type;
  type->extents[*axis] = Extent::of(1);
  type->layout = HTP_NONE; // what was spread along the axis is one element now
  return reduced_parts(call, before, *axis, *type) ? call.give(*type) : HTP_NONE;
}

Node locate(const Call &call) {
  auto type = call.tile("x");
  const auto axis = type ? axis_of(call, *type) : std::nullopt;
  if (!axis) return HTP_NONE;
  type->dtype = "i32";
  if (!whole_along(call, *type, *axis)) return HTP_NONE;
  type->extents[*axis] = Extent::of(1);
  type->layout = HTP_NONE;
  return call.give(*type);
}

namespace {
bool good_direction(const Call &call) {
  return !call.given("descending") || call.literal(call.argument("descending"), "bool_");
}
} // namespace

Node scan(const Call &call) {
  const auto type = call.tile("x");
  const auto axis = type ? axis_of(call, *type) : std::nullopt;
  return axis && good_direction(call) && whole_along(call, *type, *axis) ? call.give(*type) : HTP_NONE;
}

Node argsort(const Call &call) {
  auto type = call.tile("x");
  const auto axis = type ? axis_of(call, *type) : std::nullopt;
  if (!axis || !good_direction(call) || !whole_along(call, *type, *axis)) return HTP_NONE;
  type->dtype = "i32";
  return call.give(*type);
}

Node topk(const Call &call) {
  auto type = call.tile("x");
  const auto axis = type ? axis_of(call, *type) : std::nullopt;
  if (!axis) return HTP_NONE;
  int64_t k = 0;
  const Extent &along = type->extents[*axis];
  if (!call.c.integer(call.argument("k"), &k) || k < 1 || (along.name.empty() && k > along.size)) {
    call.c.report(diag::bad_count, call.argument("k"), call.row.name, call.c.show(call.argument("k")), along.text());
    return HTP_NONE;
  }
  if (!whole_along(call, *type, *axis)) return HTP_NONE;
  if (has_name(call.row.result, "i32")) type->dtype = "i32";
  type->extents[*axis] = Extent::of(k);
  type->layout = HTP_NONE;
  return call.give(*type);
}

namespace {

// "`reshape(w[j], 1, j)`"
std::string reshaped(const Call &call, Node value, const std::vector<Extent> &extents) {
  std::string text = "`reshape(" + call.shown(value);
  for (const Extent &e : extents) text += ", " + e.text();
  return text + ")`";
}

// The extents of an index of fewer dimensions with those of 1 that make it fit: one element for each place of the
// others where it has just their extents, else the same indices for all along what it has not. Nothing where none do.
std::optional<std::vector<Extent>> spread(const Type &index, const Type &type, size_t axis) {
  std::optional<std::vector<Extent>> found;
  for (unsigned own = 0; own < 1u << type.rank(); ++own) { // the dimensions that are the index's
    if (static_cast<size_t>(std::popcount(own)) != index.rank()) continue;
    std::vector<Extent> whole;
    bool fits = true;
    for (size_t d = 0, next = 0; d < type.rank(); ++d) {
      whole.push_back(own >> d & 1 ? index.extents[next++] : Extent::of(1));
      fits &= d == axis || whole[d].is(1) || whole[d] == type.extents[d];
    }
    const bool one_each = !(own >> axis & 1);
    if (fits && (one_each ? index.rank() + 1 == type.rank() : !found)) found = whole;
  }
  return found;
}

} // namespace

// x's extents and the index's are equal or 1, but at the axis, where the index's stand.
Node gather(const Call &call) {
  auto type = call.tile("x");
  const auto index = type ? call.tile("index") : std::nullopt;
  const auto axis = index ? axis_of(call, *type) : std::nullopt;
  if (!axis) return HTP_NONE;
  if (index->rank() != type->rank()) {
    auto report = call.c.report(diag::rank_mismatch, call.argument("index"), call.row.name, type->rank(),
                                text_of(call.c, *index));
    const auto whole = index->rank() < type->rank() ? spread(*index, *type, *axis) : std::nullopt;
    if (whole) report.hint("it needs one for each dimension: " + reshaped(call, call.argument("index"), *whole));
    return HTP_NONE;
  }
  type->extents[*axis] = index->extents[*axis];
  const auto extents = joined(call, type->extents, index->extents, call.argument("index"));
  if (!extents || !whole_along(call, *call.tile("x"), *axis)) return HTP_NONE;
  type->extents = *extents;
  type->layout = HTP_NONE;
  return call.give(*type);
}

Node matmul(const Call &call) {
  const auto a = call.tile("a"), b = call.tile("b");
  if (!a || !b) return HTP_NONE;
  const size_t rank = a->rank(), m = rank - 2, n = rank - 1;
  for (const auto &[name, type] : {std::pair{"a", &*a}, std::pair{"b", &*b}})
    if (rank < 2 || type->rank() != rank) {
      const size_t wanted = std::max<size_t>(rank, 2);
      auto report =
          call.c.report(diag::rank_mismatch, call.argument(name), call.row.name, wanted, text_of(call.c, *type));
      if (type->rank() > 0 && type->rank() < wanted) {
        std::vector<Extent> whole(wanted - type->rank(), Extent::of(1));
        const bool column = type == &*b && whole.size() == 1; // a vector on the right is a column
        whole.insert(column ? whole.begin() : whole.end(), type->extents.begin(), type->extents.end());
        report.hint("load it with as many, or put in dimensions of extent 1: " +
                    reshaped(call, call.argument(name), whole));
      } else if (const auto extra = static_cast<ptrdiff_t>(type->rank() - wanted);
                 type->rank() > wanted && std::all_of(type->extents.begin(), type->extents.begin() + extra,
                                                      [](const Extent &e) { return e.is(1); })) {
        report.hint("an int index keeps its dimension, with extent 1; without: " +
                    reshaped(call, call.argument(name), {type->extents.begin() + extra, type->extents.end()}));
      }
      return HTP_NONE;
    }
  const Node where = call.argument("b");
  if (a->dtype != b->dtype) {
    report_operands(call, "a", *a, "b", *b);
    return HTP_NONE;
  }
  if (!(a->extents[n] == b->extents[m])) {
    auto report =
        call.c.report(diag::shape_mismatch, where, a->extents[n].text(), b->extents[m].text(), n, call.row.name);
    report.hint("an m x k and a k x n tile are multiplied: here `" + text_of(call.c, *a) + "` and `" +
                text_of(call.c, *b) + "`");
    if (a->extents[n] == b->extents[n])
      report.hint("turn the second: `transpose(" + call.shown(where) + ")`");
    else if (a->extents[m] == b->extents[m])
      report.hint("turn the first: `transpose(" + call.shown(call.argument("a")) + ")`");
    return HTP_NONE;
  }
  Type result;
  result.form = "Tile";
  result.dtype = a->dtype;
  const auto before =
      joined(call, {a->extents.begin(), a->extents.end() - 2}, {b->extents.begin(), b->extents.end() - 2}, where);
  if (!before) return HTP_NONE;
  result.extents = *before;
  result.extents.insert(result.extents.end(), {a->extents[m], b->extents[n]});
  if (!call.given("acc")) return product_of_parts(call, *a, *b, result) ? call.give(result) : HTP_NONE;
  const auto acc = call.tile("acc");
  if (!acc) return HTP_NONE;
  const Node at = call.argument("acc");
  if (dtype_class(acc->dtype) != dtype_class(result.dtype) || !holds_all(acc->dtype, result.dtype)) {
    call.c.report(diag::dtype_mismatch, at, call.row.name, result.dtype, acc->dtype)
        .hint("what is added up in has the operands' dtype, or a wider one that holds all they do: `zeros(" +
              (result.dtype == "i8" || result.dtype == "i16" ? "i32" : result.dtype) + ", " +
              shape_text(result.extents) + ")`");
    return HTP_NONE;
  }
  result.dtype = acc->dtype;
  if (acc->rank() != rank) {
    std::string extents;
    for (const Extent &e : result.extents) extents += ", " + e.text();
    call.c.report(diag::rank_mismatch, at, call.row.name, rank, text_of(call.c, *acc))
        .hint("the accumulator has the extents of the result: `zeros(" + acc->dtype + extents + ")`");
    return HTP_NONE;
  }
  for (size_t k = 0; k < rank; ++k)
    if (!(acc->extents[k] == result.extents[k])) {
      call.c.report(diag::shape_mismatch, at, result.extents[k].text(), acc->extents[k].text(), k, call.row.name)
          .hint("the accumulator has the extents of the result: `" + shape_text(result.extents) + "`");
      return HTP_NONE;
    }
  if (!product_of_parts(call, *a, *b, result) || !join_layout(call, result, *acc, at)) return HTP_NONE;
  return call.give(result);
}

namespace {

// The axes that a transpose names, from 0; all in order with the last two swapped where it names none. Nothing after a
// diagnostic.
std::optional<std::vector<size_t>> axes_of(const Call &call, const Type &type) {
  const auto rank = static_cast<int64_t>(type.rank());
  std::vector<size_t> axes;
  if (!call.given("axes")) {
    for (size_t k = 0; k < type.rank(); ++k) axes.push_back(k);
    std::swap(axes[type.rank() - 2], axes.back());
    return axes;
  }
  const Node argument = call.argument("axes");
  for (const Node n : call.c.get<ast::Tuple>(argument).elts()) {
    int64_t axis = 0;
    call.c.integer(n, &axis);
    if (axis < 0) axis += rank;
    if (axis >= 0 && axis < rank && std::find(axes.begin(), axes.end(), static_cast<size_t>(axis)) == axes.end())
      axes.push_back(static_cast<size_t>(axis));
  }
  if (axes.size() == type.rank() && call.c.get<ast::Tuple>(argument).elts().size() == type.rank()) return axes;
  call.c.report(diag::bad_axes, argument, call.c.show(argument), text_of(call.c, type));
  return std::nullopt;
}

} // namespace

Node transpose(const Call &call) {
  auto type = call.tile("x");
  if (!type) return HTP_NONE;
  const size_t rank = type->rank();
  if (rank < 2) {
    call.c.report(diag::rank_mismatch, call.argument("x"), call.row.name, 2, text_of(call.c, *type));
    return HTP_NONE;
  }
  const auto axes = axes_of(call, *type);
  if (!axes) return HTP_NONE;
  const std::vector<Extent> before = type->extents;
  const Node layout = turned_layout(call, *type, *axes);
  for (size_t k = 0; k < rank; ++k) type->extents[k] = before[(*axes)[k]];
  type->layout = layout;
  return call.give(*type);
}

namespace {

// How many elements stand along an extent; of what may be below 0 there are none then.
std::vector<IntExpr> counts(const Call &call, const std::vector<Extent> &extents) {
  std::vector<IntExpr> result;
  for (const Extent &e : extents) {
    const MaybeInt count = read_int(call.c, write_extent(call.c, e, call.node));
    result.push_back(
        clamped(count ? *count : IntExpr::other(e.text(), {e.name}), [](const std::string &) { return true; }));
  }
  return result;
}

// The extents that `reshape` names, and for `-1` the one that is left: `reshape(x, -1, 4)`. Nothing after a diagnostic.
std::optional<std::vector<Extent>> reshaped_extents(const Call &call, const Type &type) {
  std::vector<Extent> extents;
  std::optional<size_t> left;
  for (const auto &[argument, annotation] : call.variadic()) {
    int64_t size = 0;
    if (call.c.integer(argument, &size) && size == -1 && !left) {
      left = extents.size();
      extents.push_back(Extent::of(1));
      continue;
    }
    const auto extent = read_extent(call.c, argument);
    if (!extent || (extent->name.empty() && extent->size <= 0)) {
      call.c.report(diag::bad_extent, argument, call.c.show(argument));
      return std::nullopt;
    }
    extents.push_back(*extent);
  }
  if (!left) return extents;
  const std::vector<IntExpr> before = counts(call, type.extents);
  const MaybeInt missing = missing_extent(before, counts(call, extents));
  const Node argument = call.variadic()[*left].first;
  if (const auto same = missing ? std::ranges::find(before, *missing) : before.end(); same != before.end()) {
    extents[*left] = type.extents[static_cast<size_t>(same - before.begin())];
    return extents;
  }
  const auto clamps = [](const auto &term) {
    return std::ranges::any_of(term.first, [](const IntFactor &f) { return f->kind == IntAtom::Kind::other; });
  };
  const bool known =
      missing && (!missing->constant() || *missing->constant() > 0) && std::ranges::none_of(missing->terms(), clamps);
  if (!known) {
    extents.erase(extents.begin() + static_cast<ptrdiff_t>(*left));
    call.c.report(diag::no_extent_left, argument, text_of(call.c, type), shape_text(extents));
    return std::nullopt;
  }
  extents[*left] = Extent::of(*missing);
  return extents;
}

} // namespace

Node reshape(const Call &call) {
  auto type = call.tile("x");
  const auto extents = type ? reshaped_extents(call, *type) : std::nullopt;
  if (!extents) return HTP_NONE;
  if (!reshape_groups(counts(call, type->extents), counts(call, *extents))) {
    call.c.report(diag::reshape_mismatch, call.node, text_of(call.c, *type), shape_text(*extents))
        .label(call.argument("x"), "this is `" + text_of(call.c, *type) + "`");
    return HTP_NONE;
  }
  type->layout = reshaped_layout(call, *type, *extents);
  type->extents = *extents;
  return call.give(*type);
}

} // namespace htp::tile
