// load, store, create: tiles from tensors, to tensors and from nothing. An index gives the extents it stands for.
#include "rules/rules.h"

#include <algorithm>

namespace htp::tile {
Node write_moved(const Tree &t, const std::string &block, Node origin) {
  return t.make(make::Subscript{.value = t.name("Moved", origin), .slice = t.name(block, origin), .ctx = HTP_LOAD},
                origin);
}

std::optional<Extent> read_moved(const Reader &r, Node annotation) {
  auto s = r.as<ast::Subscript>(annotation);
  if (!s || r.name_of(s.value()) != "Moved") return std::nullopt;
  return Extent{std::string(r.name_of(s.slice())), 0};
}

Node write_span(const Tree &t, const Extent &length, Node origin) {
  return t.make(
      make::Subscript{.value = t.name("Span", origin), .slice = write_extent(t, length, origin), .ctx = HTP_LOAD},
      origin);
}

std::optional<Extent> read_span(const Reader &r, Node annotation) {
  auto s = r.as<ast::Subscript>(annotation);
  return s && r.name_of(s.value()) == "Span" ? read_extent(r, s.slice()) : std::nullopt;
}

namespace {

bool is_whole(const Call &call, Node n) { return last_component(call.c.dotted(n)) == "whole"; }

// Whether a block's indices are surely a dimension's: `M - 2` has no more than `M`.
bool within(const Call &call, const Extent &block, const Extent &dimension, Node origin) {
  if (block == dimension) return true;
  const MaybeInt rest =
      read_int(call.c, write_extent(call.c, dimension, origin)) - read_int(call.c, write_extent(call.c, block, origin));
  return rest && rest->constant().value_or(-1) >= 0;
}

// `b[k, j]` of a tensor whose dimensions are the other way around: "transpose(b[j, k])"; empty where that would not fit
// either, and of a store.
std::string turned_indices(const Call &call, const Type &tensor, const std::string &name) {
  const auto indices = call.variadic();
  if (indices.size() != 2 || call.argument("value")) return {};
  const auto fits = [&](size_t k, const Extent &dimension) {
    const auto block = read_block(call.c, indices[k].second);
    return block && within(call, *block, dimension, indices[k].first);
  };
  if (!fits(0, tensor.extents[1]) || !fits(1, tensor.extents[0])) return {};
  return "transpose(" + name + "[" + call.c.show(indices[1].first) + ", " + call.c.show(indices[0].first) + "])";
}

// A mask chooses elements, and is no index: the whole is loaded or stored, and `where` chooses.
void masked(const Call &call, Report &report, const std::string &tensor, Node mask, size_t rank) {
  std::string whole = tensor + "[:";
  for (size_t k = 1; k < rank; ++k) whole += ", :";
  whole += "]";
  const std::string chosen = "where(" + call.shown(mask) + ", ";
  if (const Node value = call.argument("value"))
    report.hint("a mask chooses: `" + whole + " = " + chosen + call.shown(value) + ", " + whole + ")`");
  else
    report.hint("a mask chooses: `" + chosen + whole + ", 0.0)`, with what there is for the others");
}

std::vector<Node> bounds_of(const Call &call, Node slice) {
  const auto s = read_slice(call.c, slice);
  std::vector<Node> bounds;
  for (const Node n : s ? std::vector<Node>{s->start, s->stop} : std::vector<Node>())
    if (n) bounds.push_back(n);
  return bounds;
}

// The extents that an index for each dimension selects; nothing after a diagnostic.
std::optional<std::vector<Extent>> selected(const Call &call, const Type &tensor, Node name) {
  const auto indices = call.variadic();
  const std::string tensor_name = call.shown(name);
  if (indices.size() != tensor.rank()) {
    call.c.report(diag::index_count, call.node, tensor_name, tensor.rank(), indices.size())
        .hint("give one index for each dimension; `:` is a whole one");
    return std::nullopt;
  }
  std::vector<Extent> result;
  bool good = true;
  Node by_tile = HTP_NONE;
  const bool may_be_outside = call.given("outside");
  for (size_t k = 0; k < indices.size(); ++k) {
    const auto [argument, annotation] = indices[k];
    const Extent &dimension = tensor.extents[k];
    int64_t at = 0;
    if (is_whole(call, argument)) {
      result.push_back(dimension);
    } else if (const auto block = read_block(call.c, annotation)) {
      if (!within(call, *block, dimension, argument)) {
        const std::string turned = good ? turned_indices(call, tensor, tensor_name) : std::string();
        auto report = call.c.report(diag::index_extent, argument, call.c.show(argument), block->text(), k, tensor_name,
                                    dimension.text());
        if (!turned.empty()) return report.hint("turn what is loaded: `" + turned + "`"), std::nullopt;
        report.hint(
            call.row.rule == std::string_view("extract") && !dimension.name.empty()
                ? "a tile's indices count from 0: load the block that is needed, or store the tile to a buffer, "
                  "whose dimension has the indices of `" +
                      dimension.text() + "`"
                : "loop over `tiles(" + dimension.text() + ", …)` for this dimension");
        good = false;
      }
      result.push_back({std::string(call.c.name_of(argument)), 0});
    } else if (const auto span = read_span(call.c, annotation)) {
      const auto slice = read_slice(call.c, argument);
      int64_t step = 1;
      if (slice->step && call.c.integer(slice->step, &step) && step < 0 &&
          call.row.rule != std::string_view("extract")) {
        call.c.report(diag::bad_index, argument, call.c.show(argument))
            .hint("turn the tile: `v[::-1]`, one index for each dimension");
        good = false;
      }
      for (const Node bound : may_be_outside ? std::vector<Node>() : bounds_of(call, argument))
        if (call.c.integer(bound, &at) && at < 0) {
          call.c.report(diag::index_range, bound, at, k, tensor_name, dimension.text());
          good = false;
        }
      result.push_back(*span);
    } else if (const auto moved = read_moved(call.c, annotation)) {
      result.push_back(*moved);
    } else if (const auto tile = annotation ? read_type(call.c, annotation) : std::nullopt;
               tile && tile->form == "Tile") {
      if (dtype_class(tile->dtype) != DtypeClass::integer) {
        auto report =
            call.c.report(diag::wrong_dtype, argument, call.row.name, "an index of an integer dtype", tile->dtype);
        if (tile->dtype == "bool_")
          masked(call, report, tensor_name, argument, indices.size());
        else
          report.hint("cast it: `cast(" + call.shown(argument) + ", i32)`");
        good = false;
      } else if (by_tile) {
        call.c.report(diag::many_tiles, argument, tensor_name).label(by_tile, "this is one");
        good = false;
      }
      by_tile = argument;
      result.insert(result.end(), tile->extents.begin(), tile->extents.end());
    } else if (annotation) {
      call.c.report(diag::bad_index, argument, call.c.show(argument))
          .hint("use a block, `:`, an int or a tile of integers");
      good = false;
    } else {
      if (!may_be_outside && call.c.integer(argument, &at) &&
          (at < 0 || (dimension.name.empty() && at >= dimension.size))) {
        call.c.report(diag::index_range, argument, at, k, tensor_name, dimension.text());
        good = false;
      }
      result.push_back(Extent::of(1));
    }
  }
  return good ? std::optional(result) : std::nullopt;
}

} // namespace

namespace {

// The value's extents at those that an index selects: the last under each other, as operands stand; of more than there
// are, those of 1 go. Nothing when it does not fit.
std::optional<std::vector<Extent>> placed(const std::vector<Extent> &value, const std::vector<Extent> &extents) {
  std::vector<Extent> result;
  if (value.size() <= extents.size()) {
    result.assign(extents.size() - value.size(), Extent::of(1));
    result.insert(result.end(), value.begin(), value.end());
    for (size_t k = 0; k < extents.size(); ++k)
      if (!result[k].is(1) && !(result[k] == extents[k])) return std::nullopt;
    return result;
  }
  auto next = value.begin();
  const auto skip = [&] { next = std::find_if(next, value.end(), [](const Extent &e) { return !e.is(1); }); };
  skip();
  for (const Extent &e : extents) {
    const bool same = next != value.end() && *next == e;
    result.push_back(same ? e : Extent::of(1));
    if (same) ++next, skip();
  }
  return next == value.end() ? std::optional(result) : std::nullopt;
}

} // namespace

std::optional<std::vector<Extent>> stored_as(const Call &call) {
  const auto tensor = read_type(call.c, call.annotation("target")), value = read_type(call.c, call.annotation("value"));
  if (!tensor || !value || value->rank() <= call.variadic().size()) return std::nullopt;
  const auto extents = selected(call, *tensor, call.argument("target"));
  return extents && extents->size() < value->rank() ? placed(value->extents, *extents) : std::nullopt;
}

Node load(const Call &call) {
  const auto tensor = call.tensor("source");
  if (!tensor) return HTP_NONE;
  const auto extents = selected(call, *tensor, call.argument("source"));
  if (!extents) return HTP_NONE;
  if (call.given("outside") && !call.literal(call.argument("outside"), tensor->dtype)) return HTP_NONE;
  Type tile = *tensor;
  tile.form = "Tile";
  tile.extents = *extents;
  tile.layout = sliced_layout(call, *tensor, *extents);
  tile.space = HTP_NONE; // where a tile lives is decided later
  return call.give(tile);
}

Node extract(const Call &call) {
  auto tile = call.tile("x");
  const auto extents = tile ? selected(call, *tile, call.argument("x")) : std::nullopt;
  if (!extents) return HTP_NONE;
  tile->layout = sliced_layout(call, *tile, *extents);
  tile->extents = *extents;
  return call.give(*tile);
}

Node store(const Call &call) {
  auto tensor = call.tensor("target");
  if (!tensor || !call.accepts("target", tensor->dtype)) return HTP_NONE;
  const auto extents = selected(call, *tensor, call.argument("target"));
  if (!extents) return HTP_NONE;
  const Node value = call.argument("value");
  if (!call.annotation("value")) return call.literal(value, tensor->dtype) ? call.nothing() : HTP_NONE;
  const auto type = call.tile("value");
  if (!type) return HTP_NONE;
  if (type->dtype != tensor->dtype) {
    report_stored(call, *tensor, "value", *type);
    return HTP_NONE;
  }
  // The value's extents are the index's, or 1: what is stored never grows the place it goes to.
  if (!placed(type->extents, *extents)) {
    const std::string shapes =
        "the index selects `" + shape_text(*extents) + "`, the value has `" + shape_text(type->extents) + "`";
    if (type->rank() > extents->size()) {
      call.c.report(diag::rank_mismatch, value, call.row.name, extents->size(), text_of(call.c, *type)).hint(shapes);
      return HTP_NONE;
    }
    const size_t missing = extents->size() - type->rank();
    for (size_t k = missing; k < extents->size(); ++k)
      if (const Extent &e = type->extents[k - missing]; !e.is(1) && !(e == (*extents)[k])) {
        auto report = call.c.report(diag::shape_mismatch, value, (*extents)[k].text(), e.text(), k, call.row.name);
        report.hint(shapes);
        std::vector<Extent> turned = type->extents;
        if (turned.size() > 1) std::swap(turned.back(), turned[turned.size() - 2]);
        if (placed(turned, *extents)) report.hint("turn it: `transpose(" + call.shown(value) + ")`");
        return HTP_NONE;
      }
  }
  Type place = *tensor;
  place.layout = sliced_layout(call, *tensor, *extents);
  place.extents = *extents;
  const auto whole = type->rank() <= extents->size() ? place.extents : type->extents;
  return join_operand(call, place, *type, whole, value) ? call.nothing() : HTP_NONE;
}

// A store, whose token it gives.
Node begin(const Call &call) { return store(call) ? call.c.name("Token", call.node) : HTP_NONE; }

Node wait(const Call &call) { return call.nothing(); }

Node barrier(const Call &call) { return call.nothing(); }

std::optional<std::vector<Extent>> extents_of(const Call &call) {
  std::vector<Extent> extents;
  for (const auto &[argument, annotation] : call.variadic()) {
    const auto extent = read_extent(call.c, argument);
    extents.push_back(extent ? *extent : Extent::of(0));
    if (extents.back().name.empty() && extents.back().size <= 0) {
      call.c.report(diag::bad_extent, argument, call.c.show(argument));
      return std::nullopt;
    }
  }
  return extents;
}

namespace {

// The tile of the named dtype and extents; nothing after a diagnostic.
std::optional<Type> created(const Call &call) {
  Type tile;
  tile.form = "Tile";
  tile.dtype = last_component(call.c.dotted(call.argument("dtype")));
  if (dtype_class(tile.dtype) == DtypeClass::none) {
    call.c.report(diag::unknown_dtype, call.argument("dtype"), call.c.show(call.argument("dtype")));
    return std::nullopt;
  }
  const auto extents = extents_of(call);
  if (!extents) return std::nullopt;
  tile.extents = *extents;
  return tile;
}

} // namespace

Node create(const Call &call) {
  const auto tile = created(call);
  if (!tile) return HTP_NONE;
  if (const Node value = call.argument("value"); value && !call.literal(value, tile->dtype)) return HTP_NONE;
  return call.give(*tile);
}

Node buffer(const Call &call) {
  auto tensor = created(call);
  if (!tensor) return HTP_NONE;
  tensor->form = "Tensor";
  return call.give(*tensor);
}

// An int of one element.
Node index(const Call &call) {
  const auto type = call.tile("x");
  if (!type) return HTP_NONE;
  if (std::all_of(type->extents.begin(), type->extents.end(), [](const Extent &e) { return e.is(1); }))
    return call.nothing();
  call.c.report(diag::one_element, call.argument("x"), call.row.name, text_of(call.c, *type));
  return HTP_NONE;
}

Node iota(const Call &call) {
  const auto tile = created(call);
  if (!tile || !axis_of(call, *tile)) return HTP_NONE;
  if (dtype_class(tile->dtype) == DtypeClass::integer) return call.give(*tile);
  call.c.report(diag::wrong_dtype, call.argument("dtype"), call.row.name, "an integer dtype", tile->dtype)
      .hint("count in `i32`, and cast that");
  return HTP_NONE;
}

} // namespace htp::tile
