// Values over a mesh of devices of which each has a part that is still to be combined: a product over a dimension that
// is cut, a sum along one. What an operation makes of such parts, and what it must not.
#include "rules/placement.h"

#include "language/check.h"

#include <algorithm>

namespace htp::tile {
namespace {

using Pendings = std::vector<std::pair<std::string, std::string>>; // axis, op

Pendings pending_of(const Call &call, const Type &type) {
  Pendings result;
  const auto layout = core_of(call, type.layout);
  if (!layout) return result;
  for (const layout::Pending &p : layout->pending())
    for (const auto &[axis, step] : p.term.steps.front()) result.emplace_back(axis, p.op);
  std::ranges::sort(result);
  return result;
}

// The type with the layout that a distribution is: in each device's memory its part lies row-major.
bool distribute(const Call &call, const layout::Result<layout::Sharding> &made, Node where, Type &type) {
  if (!made) {
    call.c.report(diag::not_distributed, where, call.row.name, made.reason())
        .hint(std::string_view(call.row.rule) == "matmul"
                  ? "`relayout` an operand so that both are cut alike"
                  : "`relayout` it so that each device has all along that dimension");
    return false;
  }
  const auto shape = shape_of(type.extents);
  const auto layout = shape ? layout::from_sharding(*made, *shape) : layout::Result<layout::Layout>(layout::No{});
  if (layout) type.layout = write_layout(call.c, *layout, call.node);
  return true;
}

// Whether the value is a literal 0, which adds nothing wherever it is.
bool is_nothing(const Call &call) {
  auto literal = call.c.as<ast::Constant>(call.argument("value"));
  if (!literal) return false;
  const htp_const &value = literal.value();
  return (value.type == HTP_CONST_INT && value.u.i == 0) || (value.type == HTP_CONST_FLOAT && value.u.f == 0);
}

bool refuse(const Call &call, Node argument, const Type &type) {
  const auto layout = *core_of(call, type.layout);
  const auto [axis, op] = pending_of(call, type).front();
  layout::Fields whole = layout.fields();
  for (const layout::Pending &p : whole.pending) whole.replicate.push_back(p.term);
  whole.pending.clear();
  auto report = call.c.report(diag::pending, argument, call.row.name, op, axis);
  if (const auto goal = layout::Layout::make(std::move(whole)))
    report.hint("combine the partial values first: `relayout(" + call.shown(argument) + ", " + layout::write(*goal) +
                ")`");
  return false;
}

} // namespace

bool good_with_parts(const Call &call) {
  struct Operand {
    std::string_view name;
    Node argument;
    Type type;
    Pendings pending;
  };
  std::vector<Operand> operands;
  for (uint32_t p = 0; p < call.row.parameter_count; ++p) {
    const std::string_view name = parameter_name(call.row.parameters[p]);
    if (is_variadic(call.row.parameters[p])) continue;
    const auto type = read_type(call.c, call.annotation(name));
    if (type && (type->form == "Tile" || type->form == "Tensor"))
      operands.push_back({name, call.argument(name), *type, pending_of(call, *type)});
  }
  const auto part = std::ranges::find_if(operands, [](const Operand &o) { return !o.pending.empty(); });
  if (part == operands.end()) return true;
  const std::string_view rule = call.row.rule;
  const std::string name = last_component(call.row.name);
  const auto all_are = [&](std::string_view op) {
    return std::ranges::all_of(operands, [&](const Operand &o) {
      return o.pending == part->pending &&
             std::ranges::all_of(o.pending, [&](const auto &p) { return p.second == op; });
    });
  };
  const bool sums = std::ranges::all_of(part->pending, [](const auto &p) { return p.second == "sum"; });
  const auto parts = std::ranges::count_if(operands, [](const Operand &o) { return !o.pending.empty(); });
  bool good = false;
  if (rule == "relayout" || rule == "load" || rule == "extract")
    good = true;
  else if (name == "store" || name == "copy_async") // a literal is stored to all of them: only nothing adds nothing
    good = operands.size() > 1 ? operands[0].pending == operands[1].pending : call.given("value") && is_nothing(call);
  else if (name == "add" || name == "sub")
    good = operands.size() > 1 && all_are("sum");
  else if (name == "mul")
    good = sums && parts == 1;
  else if (name == "div")
    good = sums && parts == 1 && part->name == "a";
  else if (name == "neg")
    good = sums;
  else if (name == "maximum" || name == "minimum")
    good = operands.size() > 1 && all_are(name.substr(0, 3));
  else if (rule == "reduce")
    good = name == "reduce_sum" ? sums : all_are(name.substr(std::min<size_t>(name.size(), 7)));
  else if (rule == "matmul")
    good = parts == 1 && part->name == "acc"; // the rule asks whether the product has the same
  return good || refuse(call, part->argument, part->type);
}

bool product_of_parts(const Call &call, const Type &a, const Type &b, Type &result) {
  if (result.rank() != 2) return true;
  const layout::Space mesh = mesh_of(call, a, b);
  const auto left = distribution_of(call, a, mesh), right = distribution_of(call, b, mesh);
  if (left && right && !distribute(call, layout::matmul(*left, *right), call.argument("b"), result)) return false;
  if (!call.given("acc")) return true;
  const auto acc = read_type(call.c, call.annotation("acc"));
  const Pendings made = pending_of(call, result), there = acc ? pending_of(call, *acc) : Pendings();
  if (made == there) return true;
  return refuse(call, made.empty() ? call.argument("acc") : call.node, made.empty() ? *acc : result);
}

bool reduced_parts(const Call &call, const Type &x, size_t axis, Type &result) {
  const std::string name = last_component(call.row.name);
  const auto before = distribution_of(call, x, mesh_of(call, x, x));
  if (!before) return true;
  const std::string op = name == "reduce_sum" || name == "reduce_mean" ? "sum" : name == "reduce_max" ? "max" : "min";
  if (name != "reduce_sum" && name != "reduce_max" && name != "reduce_min" && !whole_along(call, x, axis)) return false;
  return distribute(call, layout::reduce(*before, axis, op), call.argument("x"), result);
}

} // namespace htp::tile
