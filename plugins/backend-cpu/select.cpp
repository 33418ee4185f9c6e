// cpu.select: every intrinsic call of the entry becomes calls of the target set, by its handler (R8).
#include "cpu.h"

#include "htp_cpp/select.h"

namespace htp::cpu {

Result select(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  const Node selected = select_calls(c, root, diag::no_handler, "htp_cpu", "cpu");
  if (!selected) return HTP_FAILED;
  out = selected == root ? root : drop_unused_imports(c, selected, is_tile_import);
  return HTP_OK;
}

} // namespace htp::cpu
