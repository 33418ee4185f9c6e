#include "my_plugin.h"

namespace htp_my_plugin {

bool marked(const Context &c, const Names &names, Node function) {
  for (const Node d : c.get<ast::FunctionDef>(function).decorator_list())
    if (names.qualified(d) == "htp_my_plugin.whole") return true;
  return false;
}

bool whole_index(const Context &c, Node index) {
  const auto slice = c.as<ast::Slice>(index);
  return slice && !slice.lower() && !slice.upper() && !slice.step();
}

Result is_whole(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  if (function && marked(c, Names(c, root), function)) return HTP_OK;
  c.report(diag::not_marked, function ? function : root, c.entry());
  return HTP_FAILED;
}

} // namespace htp_my_plugin
