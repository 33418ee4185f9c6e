#include "my_plugin.h"

namespace htp_my_plugin {

bool marked(const Context &c, const Names &names, Node function) {
  for (const Node d : c.get<ast::FunctionDef>(function).decorator_list())
    if (names.qualified(d) == "htp_my_plugin.whole") return true;
  return false;
}

std::optional<Type> vector_of(const Context &c, Node parameter) {
  const Node annotation = c.get<ast::arg>(parameter).annotation();
  const auto type = annotation ? read_type(c, annotation) : std::nullopt;
  return type && type->rank() == 1 ? type : std::nullopt;
}

bool whole_index(const Context &c, Node index) {
  const auto slice = c.as<ast::Slice>(index);
  return slice && !slice.lower() && !slice.upper() && !slice.step();
}

Result is_whole(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  if (!function || !marked(c, Names(c, root), function)) {
    c.report(diag::no_formula, function ? function : root, c.entry(), "it is not marked with `@whole`");
    return HTP_FAILED;
  }
  // The loop is as long as the first parameter.
  const Nodes parameters = c.get<ast::arguments>(c.get<ast::FunctionDef>(function).args()).args();
  if (!parameters.empty() && vector_of(c, parameters[0])) return HTP_OK;
  c.report(diag::no_formula, function, c.entry(), "its first parameter is no vector");
  return HTP_FAILED;
}

} // namespace htp_my_plugin
