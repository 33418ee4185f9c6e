// swish for any backend: a few words of the tile language, which that backend's own handlers take in turn.
#include "acme.h"
#include "htp_cpp/edit.h"

namespace acme {

std::vector<uint32_t> rewrite(const Context &c, const htp_handler &, const htp_handler_call &call) {
  const Node at = call.statement;
  std::vector<uint32_t> statements;
  const auto bind = [&](const std::string &stem, Node value) {
    const std::string name = c.fresh(stem);
    statements.push_back(c.assign(name, c.parse(c.show(call.type), at), value, at));
    return name;
  };
  const auto name = [&](const std::string &n) { return c.name(n, at); };
  std::string x(c.name_of(call.arguments[0]));
  const auto words = words_of(c, call.types[0]);
  if (c.show(words.empty() ? call.types[0] : words[0]) == "i32")
    x = bind("swish_x", c.call("tile.cast", {name(x), c.parse("f32", at)}, at));
  const Node beta =
      call.count > 1 && call.arguments[1] ? c.parse("-(" + c.show(call.arguments[1]) + ")", at) : c.parse("-1.0", at);
  const std::string scaled = bind("swish_scaled", c.call("tile.mul", {name(x), beta}, at));
  const std::string power = bind("swish_power", c.call("tile.exp", {name(scaled)}, at));
  const std::string sum = bind("swish_sum", c.call("tile.add", {name(power), c.parse("1.0", at)}, at));
  const Node result = c.call("tile.div", {name(x), name(sum)}, at);
  statements.push_back(with_value(c, at, result));
  return statements;
}

} // namespace acme
