// softsign for the CPU: three intrinsics of its target set.
#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"
#include "my_plugin.h"

namespace htp_my_plugin {

// `y: T = softsign(x)` becomes
//     magnitude: T = cpu.absolute(x)
//     divisor: T = cpu.add(magnitude, 1.0)
//     y: T = cpu.div(x, divisor)
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &, const htp_handler_call &call) {
  const Node at = call.statement;
  const std::string x(c.name_of(call.arguments[0]));
  std::vector<uint32_t> statements;
  const auto bind = [&](const char *stem, const char *intrinsic, std::vector<uint32_t> operands) {
    const std::string name = c.fresh(stem);
    statements.push_back(c.assign(name, copy_of(c, call.type, at), c.call(intrinsic, std::move(operands), at), at));
    return name;
  };
  const std::string magnitude = bind("magnitude", "cpu.absolute", {c.name(x, at)});
  const std::string divisor = bind("divisor", "cpu.add", {c.name(magnitude, at), c.parse("1.0", at)});
  const Node result = c.call("cpu.div", {c.name(x, at), c.name(divisor, at)}, at);
  statements.push_back(with_value(c, at, result)); // the statement's own target
  return statements;
}

} // namespace htp_my_plugin
