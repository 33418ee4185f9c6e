// sigmoid(x) = 0.5 * tanh(0.5 * x) + 0.5
#include "htp_cpp/edit.h"
#include "htp_cpp/types.h"
#include "my_plugin.h"

namespace htp_my_plugin {

// `y: T = tile.sigmoid(x)` becomes
//     half: T = cpu.mul(x, 0.5)
//     bend: T = cpu.tanh(half)
//     scaled: T = cpu.mul(bend, 0.5)
//     y: T = cpu.add(scaled, 0.5)
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &, const htp_handler_call &call) {
  const Node at = call.statement;
  std::vector<uint32_t> statements;
  const auto bind = [&](const char *stem, const char *intrinsic, std::vector<uint32_t> operands) {
    const std::string name = c.fresh(stem);
    statements.push_back(c.assign(name, copy_of(c, call.type, at), c.call(intrinsic, std::move(operands), at), at));
    return c.name(name, at);
  };
  const auto a_half = [&] { return c.parse("0.5", at); };
  const Node half = bind("half", "cpu.mul", {copy_of(c, call.arguments[0], at), a_half()});
  const Node bend = bind("bend", "cpu.tanh", {half});
  const Node scaled = bind("scaled", "cpu.mul", {bend, a_half()});
  const Node result = c.call("cpu.add", {scaled, a_half()}, at);
  statements.push_back(with_value(c, at, result)); // the statement's own target
  return statements;
}

} // namespace htp_my_plugin
