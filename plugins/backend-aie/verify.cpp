// The verifiers of the backend's states: they read the whole entry, as the next pass and the emitter do.
#include "device.h"

namespace htp::aie {

Result verify_selected(const Context &c, std::string_view, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  Node bad = function ? HTP_NONE : root;
  if (function)
    for (const Node s : c.get<ast::FunctionDef>(function).body())
      c.each(s, [&](Node n) {
        auto call = c.as<ast::Call>(n);
        const std::string called = call ? names.qualified(call.func()) : std::string();
        const htp_intrinsic *row = called.empty() ? nullptr : c.intrinsic(called);
        if (row && !bad && !c.host()->in_target_set(c.ctx(), str(row->name), str(c.target()))) bad = n;
      });
  if (!bad) return HTP_OK;
  c.report(diag::not_selected, bad,
           function ? "`" + c.show(c.get<ast::Call>(bad).func()) + "` is no word of the target" : "there is no entry");
  return HTP_FAILED;
}

Result verify_ready(const Context &c, std::string_view, Node root) {
  Program program;
  const bool read = read_program(c, root, program, [&](Node where, const DiagKind *, const std::string &what) {
    c.report(diag::not_ready, where, what + " is not of the form");
  });
  if (!read) return HTP_FAILED;
  const Device *device = device_named(program.device);
  if (!device || program.columns > device->columns || program.rows > cores_per_column) {
    c.report(diag::not_ready, program.node, "no device has so many cores");
    return HTP_FAILED;
  }
  if (const Exceeded found = exceeded(program); found.kind) {
    c.report(diag::not_ready, found.where ? found.where : program.node, "it needs more than the device has");
    return HTP_FAILED;
  }
  return HTP_OK;
}

} // namespace htp::aie
