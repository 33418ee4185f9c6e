#include "wsp.h"

namespace htp::wsp {

namespace {

// One of which tasks are pipelines becomes a pipeline.
bool calls_pipeline(const Context &c, const Program &p, Node root) {
  bool found = false;
  for (const Node s : c.get<ast::FunctionDef>(p.workload).body())
    c.each(s, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      const Node callee = call ? c.function(root, c.name_of(call.func())) : HTP_NONE;
      for (const Node d : callee ? c.get<ast::FunctionDef>(callee).decorator_list() : Nodes())
        found = found || p.names.qualified(d) == "htp_csp.pipeline" || p.names.called(d) == "htp_csp.pipeline";
    });
  return found;
}

} // namespace

Result is_workload(const Context &c, std::string_view, Node root) {
  if (const Program p = read_program(c, root, false); p.workload && !calls_pipeline(c, p, root)) return HTP_OK;
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
