// The verifier of Codegen.Ready(target=cpu): it reads the whole entry, as the emitter does.
#include "cpu.h"
#include "emit/program.h"
#include "verify/slots.h"

#include "htp_cpp/signature.h"

namespace htp::cpu {

Result verify_ready(const Context &c, std::string_view, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, root, c.entry());
    return HTP_FAILED;
  }
  if (const Node call = unfitting_call(c, names, function)) {
    c.report(diag::arguments, call, c.show(call));
    return HTP_FAILED;
  }
  ready::Program program;
  const ready::Constants constants(c, names, root);
  const size_t errors = c.errors();
  const bool fine =
      ready::read_program(c, names, constants, function, program) && ready::check_slots(c, program, constants);
  if (fine) check_parallel(c, names, root, function);
  return fine && c.errors() == errors ? HTP_OK : HTP_FAILED;
}

} // namespace htp::cpu
