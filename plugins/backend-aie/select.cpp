// aie.select: every intrinsic call of the entry becomes words of the target, by its handler (R8).
#include "external.h"

#include "htp_cpp/select.h"

namespace htp::aie {

Result select(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  const Node selected = select_calls(c, without_caches(c, root), diag::no_handler, "htp_aie", "aie");
  if (!selected) return HTP_FAILED;
  out = drop_unused_imports(c, with_room_for_calls(c, selected),
                            [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  return c.result();
}

} // namespace htp::aie
