// Loads of memory with a dimension for each index, as what they are where they are used.
#include "passes/passes.h"

namespace htp::a2a3 {

Node load_of(const Context &c, const Names &names, Node value) {
  const std::string called = names.called(value);
  if (called == "htp_tile.load") return value;
  if (called != "htp_tile.reshape") return HTP_NONE;
  const Nodes operands = c.get<ast::Call>(value).args();
  return operands.size() > 1 && names.called(operands[0]) == "htp_tile.load" ? operands[0] : HTP_NONE;
}

Node with_last_index(const Context &c, Node value, Node index) {
  auto call = c.read<ast::Call>(value);
  if (c.is(call.args[0], HTP_Call)) call.args[0] = with_last_index(c, call.args[0], copy_of(c, index, value));
  call.args.back() = index;
  return c.with(value, call);
}

} // namespace htp::a2a3
