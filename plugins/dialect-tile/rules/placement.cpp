// Where the result of an operation lies, from where its operands do. What is computed element by element lies as its
// operands; what changes places or is cut out is on the devices that the algebra says, and in each one's memory
// row-major. Where that is not determined, or all is in one memory, there is no layout, which joins any.
#include "rules/placement.h"

#include <algorithm>

namespace htp::tile {

std::optional<layout::Layout> core_of(const Call &call, Node expression) {
  auto k = call.c.as<ast::Call>(expression);
  if (!k || last_component(call.c.dotted(k.func())) != "layout") return std::nullopt;
  const auto read = read_layout(call.c, expression);
  return read ? std::optional(*read) : std::nullopt;
}

std::optional<std::vector<int64_t>> shape_of(const std::vector<Extent> &extents) {
  std::vector<int64_t> shape;
  for (const Extent &e : extents) {
    if (!e.name.empty() || e.size < 1) return std::nullopt;
    shape.push_back(e.size);
  }
  return shape;
}

layout::Space mesh_of(const Call &call, const Type &a, const Type &b) {
  const auto one = core_of(call, a.layout), other = core_of(call, b.layout);
  return one && other ? layout::moves::devices_of(*one, *other) : layout::Space();
}

std::optional<layout::Sharding> distribution_of(const Call &call, const Type &type, const layout::Space &mesh) {
  const auto layout = core_of(call, type.layout);
  const auto shape = shape_of(type.extents);
  if (!layout || !shape || layout::product_of(*shape) != layout->size() || mesh.empty()) return std::nullopt;
  const auto found = layout::to_sharding(*layout, mesh, *shape);
  return found ? std::optional(found->sharding) : std::nullopt;
}

namespace {

std::string cut_text(const std::vector<std::string> &axes) {
  std::string text;
  for (const std::string &axis : axes) text += (text.empty() ? "" : ", ") + axis;
  return text;
}

// What is made anew of something on these devices, and lies on them as this layout says.
Node made_anew(const Call &call, const layout::Layout &layout, const std::vector<int64_t> &shape,
               const layout::Space &mesh) {
  if (mesh.empty()) return HTP_NONE;
  const auto found = layout::to_sharding(layout, mesh, shape);
  const auto rows =
      found ? layout::from_sharding(found->sharding, shape) : layout::Result<layout::Layout>(layout::No{});
  return write_layout(call.c, rows ? *rows : layout, call.node);
}

// Extents of 1 in front, as operands stand under each other.
Type widened(const Type &type, size_t rank) {
  Type wide = type;
  wide.extents.insert(wide.extents.begin(), rank - std::min(rank, type.rank()), Extent::of(1));
  return wide;
}

// Whether each device has of the small operand what it needs for the large one; false after a diagnostic.
bool spreads(const Call &call, const Type &large, const Type &small, Node where) {
  const layout::Space mesh = mesh_of(call, large, small);
  const auto wanted = distribution_of(call, large, mesh);
  const auto shape = shape_of(small.extents);
  if (!wanted || !shape) return true; // not known, or one device
  const auto there = distribution_of(call, small, mesh);
  layout::Sharding goal{mesh, {}, there ? there->pending : std::vector<std::pair<std::string, std::string>>{}};
  bool fits = there.has_value();
  for (size_t k = 0; k < shape->size(); ++k) {
    goal.dims.push_back((*shape)[k] > 1 ? wanted->dims[k] : std::vector<std::string>());
    fits = fits && (there->dims[k].empty() || there->dims[k] == goal.dims[k]);
  }
  if (fits) return true;
  const auto layout = layout::from_sharding(goal, *shape);
  if (!layout) return true;
  Type expected = small;
  expected.layout = write_layout(call.c, *layout, call.node);
  return join_layout(call, expected, small, where);
}

// Two operands that both grow: `(M, 1)` and `(1, N)`.
bool crossed(const Call &call, Type &into, const Type &other, const std::vector<Extent> &extents, Node where) {
  const layout::Space mesh = mesh_of(call, into, other);
  const auto a = distribution_of(call, into, mesh), b = distribution_of(call, other, mesh);
  into.layout = HTP_NONE;
  const auto shape = shape_of(extents);
  if (!a || !b || !shape) return true;
  const auto both = layout::join(*a, *b, layout::Combining::sum);
  if (!both) {
    call.c.report(diag::not_distributed, where, call.row.name, both.reason())
        .hint("`relayout` an operand so that every device has it whole");
    return false;
  }
  if (const auto layout = layout::from_sharding(*both, *shape)) into.layout = write_layout(call.c, *layout, call.node);
  return true;
}

} // namespace

bool join_operand(const Call &call, Type &into, const Type &other, const std::vector<Extent> &extents, Node where) {
  Type a = widened(into, extents.size()), b = widened(other, extents.size());
  const bool large = a.extents == extents, also = b.extents == extents;
  if (large && also) return join_layout(call, into, other, where);
  if (!into.space) into.space = other.space;
  if (!large && !also) {
    const bool good = crossed(call, a, b, extents, where);
    into.layout = a.layout;
    return good;
  }
  const Node of = large ? into.layout : other.layout;
  const bool good = !a.layout || !b.layout || spreads(call, large ? a : b, large ? b : a, where);
  into.layout = of;
  return good;
}

Node turned_layout(const Call &call, const Type &before, const std::vector<size_t> &axes) {
  const auto layout = core_of(call, before.layout);
  const auto shape = shape_of(before.extents);
  if (!layout || !shape || layout->size() != layout::product_of(*shape)) return HTP_NONE;
  const auto turned = layout::permute(*layout, *shape, axes);
  std::vector<int64_t> extents;
  for (const size_t axis : axes) extents.push_back((*shape)[axis]);
  return turned ? made_anew(call, *turned, extents, layout::moves::devices_of(*layout, *layout)) : HTP_NONE;
}

Node reshaped_layout(const Call &call, const Type &before, const std::vector<Extent> &extents) {
  const auto layout = core_of(call, before.layout);
  const auto from = shape_of(before.extents), to = shape_of(extents);
  return layout && from && to && layout->size() == layout::product_of(*to) ? before.layout : HTP_NONE;
}

Node sliced_layout(const Call &call, const Type &tensor, const std::vector<Extent> &selected) {
  // Where a call says where it lies nothing is known of that, and what is in one memory joins any.
  if (tensor.layout && run_time_steps(call.c, tensor.layout, [&](Node n) {
        int64_t value = 0;
        return call.c.integer(n, &value) ? std::optional(value) : std::nullopt;
      }))
    return HTP_NONE;
  const auto layout = core_of(call, tensor.layout);
  const auto shape = shape_of(tensor.extents);
  const auto indices = call.variadic();
  if (!layout || !shape || layout->size() != layout::product_of(*shape)) return tensor.layout;
  if (indices.size() != shape->size() || selected.size() != shape->size()) return HTP_NONE; // by a tile of indices
  std::vector<int64_t> starts(shape->size(), 0), extents = *shape, steps(shape->size(), 1);
  const auto dims = layout::by_dimension(*layout, *shape);
  bool all = true;
  for (size_t k = 0; k < shape->size(); ++k) {
    const auto [argument, annotation] = indices[k];
    if (last_component(call.c.dotted(argument)) == "whole" || read_block(call.c, annotation)) continue;
    all = false;
    // From a place that is not known on it is known where things lie only in what is all on one device.
    bool known = static_cast<bool>(dims);
    for (const layout::Term &t : known ? (*dims)[k] : std::vector<layout::Term>())
      for (const layout::Point &step : t.steps)
        for (const auto &[axis, n] : step) known = known && layout::is_local(axis);
    if (selected[k].name.empty()) {
      extents[k] = selected[k].size;
    } else if (read_moved(call.c, annotation)) { // a block that is moved
      if (!known) return HTP_NONE;
      continue;
    } else {
      return HTP_NONE;
    }
    const auto slice = read_slice(call.c, argument);
    int64_t start = 0, step = 1;
    const Node from = slice ? slice->start : argument;
    if (slice && slice->step && !call.c.integer(slice->step, &step)) return HTP_NONE;
    if (!(slice && !from) && !call.c.integer(from, &start)) {
      if (!known) return HTP_NONE;
      start = 0;
    }
    starts[k] = start;
    steps[k] = step;
  }
  if (all) return tensor.layout;
  const auto part = layout::slice(*layout, *shape, starts, extents, steps);
  if (!part) return HTP_NONE;
  // Where in a device's memory it begins is the tensor's matter.
  layout::Fields fields = part->fields();
  layout::Point offset;
  for (const auto &[axis, n] : fields.offset)
    if (!layout::is_local(axis)) offset.add(axis, n);
  fields.offset = offset;
  const auto made = layout::Layout::make(std::move(fields));
  return made ? made_anew(call, *made, extents, layout::moves::devices_of(*layout, *layout)) : HTP_NONE;
}

bool whole_along(const Call &call, const Type &x, size_t axis) {
  const auto before = distribution_of(call, x, mesh_of(call, x, x));
  if (!before || before->dims[axis].empty()) return true;
  call.c.report(diag::cut_dimension, call.argument("x"), call.row.name, axis, cut_text(before->dims[axis]));
  return false;
}

} // namespace htp::tile
