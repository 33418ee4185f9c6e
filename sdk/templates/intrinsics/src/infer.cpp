// The typing rule: the result has the type of the operand, which holds floats.
#include "htp_cpp/types.h"
#include "my_plugin.h"

namespace htp_my_plugin {

Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes types) {
  const Node operand = types.empty() ? HTP_NONE : types[0];
  const auto type = operand ? read_type(c, operand) : std::nullopt;
  if (type && dtype_class(type->dtype) == DtypeClass::floating) return operand;
  c.report(diag::no_float, call, row.name, type ? "`" + type->dtype + "`" : "a value without a type")
      .hint("cast it first: `cast(x, f32)`");
  return HTP_NONE;
}

} // namespace htp_my_plugin
