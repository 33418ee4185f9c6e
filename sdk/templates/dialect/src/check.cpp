// The language: assignments of elementwise values over vectors of one length.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

// "If" for an `if`: the statements that a formula has not go by the names that Python's grammar has for them.
bool in_language(const Context &c, Node statement) {
  std::string_view doc;
  const auto expression = c.as<ast::Expr>(statement);
  return c.is(statement, HTP_Assign) || c.is(statement, HTP_Pass) || (expression && c.string(expression.value(), &doc));
}

void check_parameters(const Context &c, Node function) {
  std::string first, length;
  for (const Node p : c.get<ast::arguments>(c.get<ast::FunctionDef>(function).args()).args()) {
    const auto parameter = c.get<ast::arg>(p);
    const auto type = vector_of(c, p);
    if (!type) {
      c.report(diag::no_vector, p, parameter.arg())
          .hint("for instance `" + std::string(parameter.arg()) + ": In[Tensor[f32, N]]`");
    } else if (first.empty()) {
      first = parameter.arg(), length = type->extents[0].text();
    } else if (type->extents[0].text() != length) {
      c.report(diag::other_length, p, parameter.arg(), type->extents[0].text(), first, length)
          .hint("use `" + length + "` for both");
    }
  }
}

void check_expressions(const Context &c, const Names &names, Node statement) {
  c.each(statement, [&](Node n) {
    if (const auto subscript = c.as<ast::Subscript>(n); subscript && !whole_index(c, subscript.slice())) {
      c.report(diag::not_whole, n, c.show(subscript.value())).hint("a formula has no indices");
    } else if (c.is(n, HTP_Call)) {
      const htp_intrinsic *row = c.intrinsic(names.called(n));
      const std::string_view rule = row ? row->rule : "";
      if (rule != "elementwise" && rule != "compare" && rule != "select" && rule != "cast")
        c.report(diag::not_elementwise, n, c.show(c.get<ast::Call>(n).func())).hint("write a `@kernel`, with its loop");
    }
  });
}

} // namespace

Result check(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!function || !marked(c, names, function)) return HTP_OK; // another dialect's
  check_parameters(c, function);
  for (const Node s : c.get<ast::FunctionDef>(function).body())
    if (in_language(c, s))
      check_expressions(c, names, s);
    else
      c.report(diag::not_a_formula, s, "`" + std::string(c.info(s).name) + "`").hint("write a `@kernel` for this");
  return c.result();
}

} // namespace htp_my_plugin
