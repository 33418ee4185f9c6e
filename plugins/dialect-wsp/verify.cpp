#include "wsp.h"

namespace htp::wsp {

namespace {

bool has_directive(const Program &p, const std::set<std::string> &names) {
  for (const Directive &d : p.directives)
    if (names.contains(d.name)) return true;
  return false;
}

} // namespace

Result is_workload(const Context &c, std::string_view, Node root) { return read_program(c, root, false).workload ? HTP_OK : HTP_FAILED; }

Result is_tiled(const Context &c, std::string_view, Node root) {
  const Program p = read_program(c, root, false);
  return p.workload && !has_directive(p, {"tile"}) ? HTP_OK : HTP_FAILED;
}

Result is_bound(const Context &c, std::string_view, Node root) {
  const Program p = read_program(c, root, false);
  return p.workload && !has_directive(p, {"parallel", "bind"}) ? HTP_OK : HTP_FAILED;
}

} // namespace htp::wsp
