// cpu.select: every intrinsic call of the entry becomes calls of the target set, by its handler (R8).
#include "cpu.h"

#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/select.h"

namespace htp::cpu {

namespace {
// A tile is a value, so where it would lie in one memory says something of nothing.
void note_relayouts(const Context &c, const Names &names, Node function) {
  c.each(function, [&](Node n) {
    auto call = c.as<ast::Call>(n);
    if (!call || names.qualified(call.func()) != "htp_tile.relayout" || call.args().size() != 2) return;
    const auto layout = read_layout(c, call.args()[1]);
    if (layout && layout::not_memory(*layout).empty())
      c.report(diag::free_relayout, call.args()[1], layout::write(*layout));
  });
}
} // namespace

Result select(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  note_relayouts(c, Names(c, root), c.entry_function(root));
  const Node selected = select_calls(c, root, diag::no_handler, "htp_cpu", "cpu");
  if (!selected) return HTP_FAILED;
  out = selected == root ? root : drop_unused_imports(c, selected, is_tile_import);
  return HTP_OK;
}

} // namespace htp::cpu
