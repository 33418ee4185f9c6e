// aie.select: every intrinsic call of the entry becomes those of the target set, by its handler (R8).
#include "passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/select.h"

namespace htp::aie {

namespace {
std::string instead(std::string_view intrinsic) {
  static constexpr std::pair<std::string_view, std::string_view> forms[] = {
#define MISSING(name, form) {name, form},
#include "missing.def"
  };
  for (const auto &[name, form] : forms)
    if (name == intrinsic) return std::string(form);
  return {};
}
} // namespace

Result select(const Context &c, Node root, Node &out) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, HTP_NONE, c.entry());
    return HTP_FAILED;
  }
  const Node selected = select_calls(c, root, diag::no_handler, "htp_aie", "aie", instead);
  if (!selected) return HTP_FAILED;
  out = drop_unused_imports(c, selected,
                            [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  return c.result();
}

Result verify_selected(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const Node bad = function ? unselected_call(c, root, function) : root;
  if (!bad) return HTP_OK;
  if (function)
    c.report(diag::not_selected, bad, c.show(c.get<ast::Call>(bad).func()));
  else
    c.report(diag::no_entry, bad, c.entry());
  return HTP_FAILED;
}

} // namespace htp::aie
