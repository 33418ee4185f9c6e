// The verifier of Codegen.Ready(target=cpu): it reads the whole entry, as the emitter does.
#include "cpu.h"
#include "emit/program.h"
#include "verify/slots.h"

namespace htp::cpu {

Result verify_ready(const Context &c, std::string_view, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  if (!function) {
    c.report(diag::no_entry, root, c.entry());
    return HTP_FAILED;
  }
  ready::Program program;
  const ready::Constants constants(c, names, root);
  const bool fine = ready::read_program(c, names, constants, function, program);
  return fine && ready::check_slots(c, program, constants) ? HTP_OK : HTP_FAILED;
}

} // namespace htp::cpu
