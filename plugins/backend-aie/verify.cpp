// The verifiers of the backend's states: they read the whole entry, as the next pass and the emitter do.
#include "device.h"
#include "network.h"
#include "transfers.h"

#include "htp_cpp/select.h"

namespace htp::aie {

Result verify_selected(const Context &c, std::string_view, Node root) {
  const Node function = c.entry_function(root);
  const Node bad = function ? unselected_call(c, root, function) : root;
  if (!bad) return HTP_OK;
  c.report(diag::not_selected, bad,
           function ? "`" + c.show(c.get<ast::Call>(bad).func()) + "` is no word of the target" : "there is no entry");
  return HTP_FAILED;
}

namespace {
// What is wrong with a program that is spread, as `kind` tells it.
Result verify_program(const Context &c, Node root, const DiagKind &kind, bool placed) {
  Program program;
  const auto no = [&](Node where, const std::string &what) {
    c.report(kind, where, what);
    return HTP_FAILED;
  };
  if (!read_program(c, root, program, [&](Node where, const DiagKind *, const std::string &what) {
        no(where, what + " is not of the form");
      }))
    return HTP_FAILED;
  const Device *device = device_named(program.device);
  if (!device || program.columns > device->columns || program.rows > cores_per_column)
    return no(program.node, "no device has so many cores");
  for (const Core &core : program.cores)
    if (!program.alike && (core.column >= 0) != placed)
      return no(core.node, placed ? "a core without a place" : "a core that has a place already");
  if (const Exceeded found = exceeded(program); found.kind)
    return no(found.where ? found.where : program.node, "it needs more than the device has");
  if (!program.alike)
    if (const std::string text = stuck(program, turns_of(program)); !text.empty())
      return no(program.node, "the cores get stuck: " + text);
  return HTP_OK;
}
} // namespace

Result verify_streamed(const Context &c, std::string_view, Node root) {
  return verify_program(c, root, diag::not_streamed, false);
}

Result verify_ready(const Context &c, std::string_view, Node root) {
  return verify_program(c, root, diag::not_ready, true);
}

} // namespace htp::aie
