// elementwise, compare, select: operands of one dtype, extents that broadcast, layouts that join.
#include "rules/rules.h"

#include "language/check.h"

namespace htp::tile {
namespace {

// The joined type of the operands named, literals taking their dtype.
std::optional<Type> operands(const Call &call, const std::vector<std::string_view> &names) {
  std::optional<Type> result;
  std::string_view first;
  for (const std::string_view name : names) {
    if (!call.annotation(name)) continue;
    const auto type = call.tile(name);
    if (!type) return std::nullopt;
    if (!result) {
      result = type, first = name;
      continue;
    }
    const Node where = call.argument(name);
    if (type->dtype != result->dtype) {
      report_operands(call, first, *result, name, *type);
      return std::nullopt;
    }
    const auto extents = joined(call, result->extents, type->extents, where);
    if (!extents || !join_operand(call, *result, *type, *extents, where)) return std::nullopt;
    result->extents = *extents;
  }
  if (!result) {
    call.c
        .report(diag::not_a_tile, call.node, names[0], call.row.name,
                call.argument(names[0]) ? call.c.show(call.argument(names[0])) : "nothing")
        .hint("an intrinsic of literals alone is a literal");
    return std::nullopt;
  }
  for (const std::string_view name : names)
    if (const Node argument = call.argument(name); argument && !call.annotation(name)) {
      if (!call.literal(argument, result->dtype)) return std::nullopt;
      const bool number = dtype_class(result->dtype) != DtypeClass::boolean || call.c.is(argument, HTP_Constant);
      if (!number) {
        call.c.report(diag::wrong_dtype, argument, call.row.name, "masks", "an int")
            .hint("compare it where a tile is compared: `x < " + call.shown(argument) + "`");
        return std::nullopt;
      }
    }
  return result;
}

std::vector<std::string_view> all_parameters(const Call &call) {
  std::vector<std::string_view> names;
  for (uint32_t p = 0; p < call.row.parameter_count; ++p) names.push_back(parameter_name(call.row.parameters[p]));
  return names;
}

} // namespace

Node elementwise(const Call &call) {
  const auto type = operands(call, all_parameters(call));
  return type ? call.give(*type) : HTP_NONE;
}

Node compare(const Call &call) {
  auto type = operands(call, all_parameters(call));
  if (!type) return HTP_NONE;
  type->dtype = "bool_";
  return call.give(*type);
}

Node select(const Call &call) {
  const auto condition = call.tile("condition");
  if (!condition) return HTP_NONE;
  // Literals alone have the dtype that they are written as.
  std::optional<Type> type;
  if (!call.annotation("a") && !call.annotation("b")) {
    const auto real = [&](const char *name) {
      auto k = call.c.as<ast::UnaryOp>(call.argument(name));
      auto literal = call.c.as<ast::Constant>(k ? k.operand() : call.argument(name));
      return literal && literal.value().type == HTP_CONST_FLOAT;
    };
    type = condition;
    type->dtype = real("a") || real("b") ? "f32" : "i32";
    for (const char *name : {"a", "b"})
      if (!call.literal(call.argument(name), type->dtype)) return HTP_NONE;
    return call.give(*type);
  }
  type = operands(call, {"a", "b"});
  if (!type) return HTP_NONE;
  const auto extents = joined(call, type->extents, condition->extents, call.argument("condition"));
  if (!extents || !join_operand(call, *type, *condition, *extents, call.argument("condition"))) return HTP_NONE;
  type->extents = *extents;
  return call.give(*type);
}

Node cast(const Call &call) {
  auto type = call.tile("x");
  if (!type) return HTP_NONE;
  const std::string dtype = last_component(call.c.dotted(call.argument("dtype")));
  if (dtype_class(dtype) == DtypeClass::none) {
    call.c.report(diag::unknown_dtype, call.argument("dtype"), call.c.show(call.argument("dtype")));
    return HTP_NONE;
  }
  if (call.given("rounding")) {
    std::string_view mode;
    const Node rounding = call.argument("rounding");
    const bool known = call.c.string(rounding, &mode) &&
                       (mode == "nearest" || mode == "toward_zero" || mode == "down" || mode == "up");
    const DtypeClass from = dtype_class(type->dtype), to = dtype_class(dtype);
    if (!known) {
      call.c.report(diag::bad_rounding, rounding, call.c.show(rounding));
      return HTP_NONE;
    }
    if ((from != DtypeClass::floating && from != DtypeClass::storage) || to == DtypeClass::boolean) {
      call.c.report(diag::idle_rounding, rounding, dtype, type->dtype);
      return HTP_NONE;
    }
  }
  type->dtype = dtype;
  return call.give(*type);
}

} // namespace htp::tile
