#include "host/ast/unparse.h"

#include "host/ast/unparse_printer.h"

namespace htp {

void Printer::print(htp_node n) {
  const uint16_t which = kind(n);
  switch (which < store_.kind_count ? store_.kinds[which].group : 0) {
  case HTP_GROUP_STMT: return statement(n);
  case HTP_GROUP_EXPR: return expression(n);
  case HTP_GROUP_PATTERN: return pattern(n);
  case HTP_GROUP_TYPEPARAM: return type_param(n);
  default: break;
  }
  switch (which) {
  case HTP_Module: return module(n);
  case HTP_Interactive: return statements(HTP_FIELDS(Interactive, &store_, n)->body, false);
  case HTP_Expression: return expression(HTP_FIELDS(Expression, &store_, n)->body);
  case HTP_FunctionType: {
    const auto *f = HTP_FIELDS(FunctionType, &store_, n);
    begin('(');
    joined(f->argtypes);
    end(')');
    out_.write(" -> ");
    return expression(f->returns);
  }
  case HTP_comprehension: return generator(n);
  case HTP_ExceptHandler: return handler(n);
  case HTP_arguments: return arguments(n);
  case HTP_arg: return arg(n);
  case HTP_keyword: return keyword(n);
  case HTP_alias: return alias(n);
  case HTP_withitem: return withitem(n);
  case HTP_match_case: return match_case(n);
  case HTP_TypeIgnore: return;
  default: return fail(n, "it is no node of Python's grammar");
  }
}

std::string unparse(const htp_store &store, htp_node root, const UnparseOptions &options) {
  Printer printer(store, options);
  printer.print(root);
  return std::string(printer.text());
}

} // namespace htp
