#include "wsp.h"

namespace htp::wsp {

namespace {

Result without(const Context &c, Node root, const std::set<std::string> &names) {
  const Program p = read_program(c, root, false);
  if (!p.workload) {
    c.report(diag::not_workload, c.entry_function(root), c.entry());
    return HTP_FAILED;
  }
  for (const Directive &d : p.directives)
    if (names.contains(d.name)) {
      c.report(diag::directive_left, d.statement, d.name);
      return HTP_FAILED;
    }
  return HTP_OK;
}

} // namespace

Result is_workload(const Context &c, std::string_view, Node root) { return without(c, root, {}); }
Result is_tiled(const Context &c, std::string_view, Node root) { return without(c, root, {"tile"}); }
Result is_bound(const Context &c, std::string_view, Node root) { return without(c, root, {"parallel", "bind"}); }

} // namespace htp::wsp
