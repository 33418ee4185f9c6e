// The verifiers of the backend's states: they read the whole entry, as the next pass and the emitter do.
#include "collects.h"
#include "device.h"
#include "kernel.h"
#include "network.h"
#include "parts.h"
#include "passes/passes.h"
#include "transfers.h"

namespace htp::aie {

namespace {
// How often a core acquires a part.
int64_t acquired(const std::vector<Statement> &body, const Stream &stream) {
  int64_t times = 0;
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::acquire && s.stream == &stream) ++times;
    if (s.kind == Statement::Kind::loop) times += s.times * acquired(s.body, stream);
  }
  return times;
}

// How far the cores and streams of a program are: they are there; they fit the device; cores have places; streams of
// the host pass shims.
enum class Until : uint8_t { written, streamed, placed, routed };

// What is wrong with a program that has streams, as `kind` tells it.
Result verify_program(const Context &c, Node root, const DiagKind &kind, Until until) {
  const bool placed = until >= Until::placed;
  Program program;
  const auto no = [&](Node where, const std::string &what, const std::string &hint = {}) {
    auto told = c.report(kind, where, what);
    if (!hint.empty()) told.hint(hint);
    return HTP_FAILED;
  };
  if (!read_program(c, root, program,
                    [&](Node where, const DiagKind *, const std::string &what, const std::string &hint) {
                      no(where, what, hint);
                    }))
    return HTP_FAILED;
  const Device *device = device_named(program.device);
  if (!device) return no(program.with, "there is no device `" + program.device + "`", "the devices are npu1 and npu2");
  if (program.columns > device->columns || program.rows > cores_per_column)
    return no(program.with,
              program.device + " has " + std::to_string(device->columns) + " columns of " +
                  std::to_string(cores_per_column) + " cores, and " + std::to_string(program.columns) + " columns of " +
                  std::to_string(program.rows) + " are said",
              "write `columns=" + std::to_string(device->columns) + ", rows=" + std::to_string(cores_per_column) +
                  "` or less");
  for (const Core &core : program.cores)
    if (!program.alike && (core.column >= 0) != placed)
      return placed ? no(core.node, "`" + core.name + "` has no place in the array",
                         "write `@aie.core(0, 2)`: its column, and its row from 2 on")
                    : no(core.node, "`" + core.name + "` has a place before `aie.place` gave it one",
                         "write `@aie.core()`");
  const bool whole = until == Until::streamed || until == Until::routed;
  if (const Exceeded found = whole ? exceeded(program) : Exceeded{}; found.kind)
    return no(found.where ? found.where : program.node, text_of(found),
              found.hint.empty() ? found.kind->hint : found.hint);
  if (!parts_are_there(program, [&](Node where, const DiagKind *, const std::string &what, const std::string &hint) {
        no(where, what, hint);
      }))
    return HTP_FAILED;
  for (const Stream &s : program.streams) {
    if (!program.alike) break;
    const int64_t comes = s.parts() / (s.each ? program.rows : 1), takes = acquired(program.cores.front().body, s);
    if (takes != comes)
      return no(s.node,
                "`" + s.name + "` has " + std::to_string(comes) + (comes == 1 ? " part" : " parts") +
                    " for each core, and a core acquires " + std::to_string(takes),
                "let the sizes of its order, and the loops of the cores, say the same");
  }
  if (const Clash found = clash(program); found.where) return no(found.where, found.what, found.hint);
  if (!program.alike)
    if (const Stuck found = stuck(program, turns_of(program)); !found.what.empty())
      return found.where
                 ? no(found.where, "the cores get stuck: " + found.what,
                      "let the loops of the cores, and the orders of the streams, say as many parts at both ends")
                 : no(program.node, "the cores get stuck: " + found.what, diag::deadlock.hint);
  return HTP_OK;
}

// What is wrong with a kernel whose loops say which cores share them.
Result verify_kernel(const Context &c, Node root, Node function, const OnDevice &on) {
  const auto no = [&](Node where, const std::string &what, const std::string &hint) {
    auto told = c.report(diag::not_held, where, what);
    if (!hint.empty()) told.hint(hint);
    return HTP_FAILED;
  };
  const Device *device = device_named(on.device);
  if (!device) return no(on.said, "there is no device `" + on.device + "`", "the devices are npu1 and npu2");
  if (on.columns < 1 || on.columns > device->columns || on.rows < 1 || on.rows > cores_per_column)
    return no(on.said,
              on.device + " has " + std::to_string(device->columns) + " columns of " +
                  std::to_string(cores_per_column) + " cores, and " + std::to_string(on.columns) + " columns of " +
                  std::to_string(on.rows) + " are said",
              "write `columns=" + std::to_string(device->columns) + ", rows=" + std::to_string(cores_per_column) +
                  "` or less");
  Kernel kernel(c, root, function);
  if (read_kernel(kernel)) return HTP_OK;
  return kernel.refused ? no(kernel.refused->where, kernel.refused->what, kernel.refused->hint) : HTP_FAILED;
}
} // namespace

Result verify_mapped(const Context &c, std::string_view term, Node root) {
  const Node function = c.entry_function(root);
  const auto on = function ? on_device(c, Names(c, root), function) : std::nullopt;
  return on && on->loads ? verify_kernel(c, root, function, *on) : verify_fed(c, term, root);
}

// Where cores do the same, what comes after changes nothing.
Result verify_fed(const Context &c, std::string_view term, Node root) {
  return has_named_cores(c, Names(c, root), root) ? verify_program(c, root, diag::not_streamed, Until::written)
                                                  : verify_streamed(c, term, root);
}

Result verify_streamed(const Context &c, std::string_view, Node root) {
  return verify_program(c, root, diag::not_streamed, Until::streamed);
}

Result verify_placed(const Context &c, std::string_view, Node root) {
  return verify_program(c, root, diag::not_ready, Until::placed);
}

Result verify_ready(const Context &c, std::string_view, Node root) {
  return verify_program(c, root, diag::not_ready, Until::routed);
}

} // namespace htp::aie
