// Layouts where they meet: operands of one operation have one layout, or one of them has none; else the steps that
// would lead from one to the other are reported. Layouts of the SDK's own notations are read here; a facet's are its
// plugin's.
#include "rules/placement.h"

#include "language/check.h"

namespace htp::tile {
namespace {

// The extents where they are the layout's elements, else as many in one dimension.
std::vector<int64_t> shape_for(const Type &type, const layout::Layout &layout) {
  std::vector<int64_t> shape;
  for (const Extent &e : type.extents) shape.push_back(e.name.empty() ? e.size : 0);
  return layout::product_of(shape) == layout.size() ? shape : std::vector{layout.size()};
}

int64_t bytes_of(const std::string &dtype) {
  const size_t digits = dtype.find_first_of("0123456789");
  return digits == std::string::npos ? 1 : std::stoi(dtype.substr(digits)) / 8;
}

} // namespace

bool join_layout(const Call &call, Type &into, const Type &other, Node where) {
  if (!into.space) into.space = other.space;
  if (!into.layout || !other.layout) {
    if (!into.layout) into.layout = other.layout;
    return true;
  }
  const auto a = core_of(call, into.layout), b = core_of(call, other.layout);
  if (a && b) {
    if (*a == *b) return true;
    // Either side may be converted, as far as there are steps.
    const std::vector<int64_t> shape = shape_for(into, *a);
    const auto there = layout::relayout(*b, *a, shape, bytes_of(into.dtype));
    const auto back = there ? there : layout::relayout(*a, *b, shape, bytes_of(into.dtype));
    auto report = call.c.report(diag::layout_mismatch, where, call.row.name, layout::write(*a), layout::write(*b));
    for (uint32_t p = 0; p < call.row.parameter_count; ++p) { // what it meets
      const std::string_view name = parameter_name(call.row.parameters[p]);
      const auto type = call.argument(name) == where ? std::nullopt : read_type(call.c, call.annotation(name));
      if (!type || !type->layout) continue;
      report.label(call.argument(name), "this lies as `" + call.c.show(type->layout) + "`");
      break;
    }
    if (there) {
      const std::string text = "relayout(" + call.shown(where) + ", " + layout::write(*a) + ")";
      report.hint("convert it: `" + text + "`");
      if (!layout::moves::devices_of(*a, *b).empty()) // in one memory another order may be the parameter's mistake
        report.fix(where, text, "convert it");
    } else if (back)
      report.hint("convert the other side: `relayout(…, " + layout::write(*b) + ")`");
    if (!back) {
      report.note("there is no relayout: " + there.reason());
      return false;
    }
    std::string text;
    for (const layout::Step &s : *back) text += (text.empty() ? "" : ", then ") + text_of(s);
    report.note("the relayout takes: " + text);
    return false;
  }
  const Node layout = call.c.host()->layout_join(call.c.ctx(), into.layout, other.layout, where);
  if (!layout) return false;
  into.layout = layout;
  return true;
}

Node relayout(const Call &call) {
  auto type = call.tile("x");
  if (!type) return HTP_NONE;
  const Node argument = call.argument("layout");
  const auto core = core_of(call, argument);
  int64_t size = 1;
  for (const Extent &e : type->extents) size = e.name.empty() ? layout::times(size, e.size) : 0;
  if (core && size > 0 && core->size() != size) {
    call.c.report(diag::layout_size, argument, core->size(), text_of(call.c, *type), size)
        .hint("give a layout whose extents are those of the tile");
    return HTP_NONE;
  }
  if (const auto before = core ? core_of(call, type->layout) : std::nullopt; before && before->size() == core->size()) {
    const auto steps = layout::relayout(*before, *core, shape_for(*type, *core), bytes_of(type->dtype));
    if (!steps) {
      call.c.report(diag::no_relayout, argument, layout::write(*before), layout::write(*core)).note(steps.reason());
      return HTP_NONE;
    }
  }
  type->layout = argument;
  return call.give(*type);
}

} // namespace htp::tile
