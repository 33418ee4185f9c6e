#include "wsp.h"

namespace htp::wsp {

Result is_workload(const Context &c, std::string_view, Node root) {
  if (read_program(c, root, false).workload) return HTP_OK;
  c.report(diag::not_workload, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

Result is_scheduled(const Context &c, std::string_view term, Node root) {
  if (const Result r = is_workload(c, term, root); r != HTP_OK) return r;
  for (const Directive &d : read_program(c, root, false).directives) {
    c.report(diag::directive_left, d.call, d.name());
    return HTP_FAILED;
  }
  return HTP_OK;
}

} // namespace htp::wsp
