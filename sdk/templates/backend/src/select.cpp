// From the tile language to the target set.
#include "htp_cpp/select.h"
#include "htp_cpp/edit.h"
#include "my_plugin.h"

namespace htp_my_plugin {

// The words are the tile language's own, so only the callee changes: `tile.mul(a, b)` becomes `my_plugin.mul(a, b)`.
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call) {
  const std::string_view intrinsic = row.intrinsic;
  auto changed = c.read<ast::Call>(call.call);
  changed.func = c.path("my_plugin." + std::string(intrinsic.substr(intrinsic.find('.') + 1)), changed.func);
  return {with_value(c, call.statement, c.with(call.call, changed))};
}

// my-plugin.select: all calls, by their handlers; what then has no form is refused here, at the user's own line.
Result select(const Context &c, Node root, Node &out) {
  const Node selected = select_calls(c, root, diag::no_handler, "htp_my_plugin", "my_plugin");
  if (!selected) return HTP_FAILED;
  out = selected;
  read_kernel(c, selected, [&](Node where, const std::string &what) {
    c.report(diag::no_form, where, what).hint("`target: cpu` takes all programs");
  });
  return c.result();
}

} // namespace htp_my_plugin
