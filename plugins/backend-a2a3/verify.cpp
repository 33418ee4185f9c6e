// The verifiers of the backend's states: they read the whole entry, as the next pass and the emitter do.
#include "program.h"

#include "htp_cpp/select.h"

#include <algorithm>

namespace htp::a2a3 {

Result verify_selected(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const Node bad = function ? unselected_call(c, root, function) : root;
  if (!bad) return HTP_OK;
  c.report(diag::not_selected, bad,
           function ? "`" + c.show(c.get<ast::Call>(bad).func()) + "` is no instruction" : "there is no entry");
  return HTP_FAILED;
}

Result verify_split(const Context &c, std::string_view, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  Node bad = function ? HTP_NONE : root;
  if (function)
    for (const Node s : c.get<ast::FunctionDef>(function).body()) {
      auto a = c.as<ast::Assign>(s);
      auto e = c.as<ast::Expr>(s);
      auto w = c.as<ast::With>(s);
      const bool text = e && c.is(e.value(), HTP_Constant);
      const bool memory = a && names.called(a.value()) == "htp_pto.gm";
      const bool kernel = w && w.items().size() == 1 &&
                          names.called(c.get<ast::withitem>(w.items()[0]).context_expr()) == "htp_pto.one_by_one";
      if (!bad && !text && !memory && !kernel) bad = s;
    }
  if (!bad) return HTP_OK;
  c.report(diag::not_split, bad, function ? "this stands in no kernel" : "there is no entry");
  return HTP_FAILED;
}

static bool operands(const Context &c, Node root, const Program &program) {
  return std::all_of(program.kernels.begin(), program.kernels.end(),
                     [&](const Kernel &k) { return check_operands(c, root, k); });
}

Result verify_placed(const Context &c, std::string_view, Node root) {
  Program program;
  const bool fine = read_program(c, root, true, program, [&](Node where, const std::string &what) {
    c.report(diag::not_placed, where, what + " is not of the form");
  });
  return fine && operands(c, root, program) ? HTP_OK : HTP_FAILED;
}

Result verify_ready(const Context &c, std::string_view, Node root) {
  Program program;
  const auto refuse = [&](Node where, const std::string &what) { c.report(diag::not_ready, where, what); };
  if (!read_program(c, root, false, program,
                    [&](Node where, const std::string &what) { refuse(where, what + " is not of the form"); }))
    return HTP_FAILED;
  if (!operands(c, root, program)) return HTP_FAILED;
  const bool fine = std::all_of(program.kernels.begin(), program.kernels.end(),
                                [&](const Kernel &k) { return check_order(k, refuse); });
  return fine ? HTP_OK : HTP_FAILED;
}

} // namespace htp::a2a3
