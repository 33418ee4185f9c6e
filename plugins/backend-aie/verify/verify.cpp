// The verifiers of the backend's states: they read the whole entry, as the next pass and the emitter do.
#include "analyses/cores.h"
#include "analyses/device.h"
#include "analyses/network.h"
#include "analyses/transfers.h"
#include "passes/passes.h"
#include "spreading/kernel.h"
#include "verify/arrivals.h"
#include "verify/collects.h"
#include "verify/packed.h"

namespace htp::aie {

namespace {
// How often a core acquires a block.
int64_t acquired(const std::vector<Statement> &body, const Stream &stream) {
  int64_t times = 0;
  for (const Statement &s : body) {
    if (s.kind == Statement::Kind::acquire && s.stream == &stream) ++times;
    if (s.kind == Statement::Kind::loop) times = layout::plus(times, layout::times(s.times, acquired(s.body, stream)));
  }
  return times;
}

// How far the cores and streams of a program are: they are there; they fit the device; cores have tiles; streams of
// the host pass shims.
enum class Until : uint8_t { written, streamed, placed, routed };

// A note of what is refused: the host says what was promised.
Result noted(const Context &c, Node where, Refusal why, const std::string &note = {}) {
  why.kind.severity = HTP_NOTE;
  why.report(c, where, note);
  return HTP_FAILED;
}

// The device of a program or a kernel, which has its columns and rows; null after a note.
const Device *device_of(const Context &c, Node where, const std::string &name, int64_t columns, int64_t rows) {
  const Device *device = device_named(name);
  if (!device) {
    noted(c, where, Refusal(diag::unknown_device, name).with("the devices are npu1 and npu2"));
  } else if (columns < 1 || columns > device->columns || rows < 1 || rows > cores_per_column) {
    noted(c, where,
          Refusal(diag::device_size, columns, rows, device->columns, cores_per_column, name)
              .with("write `columns=" + std::to_string(device->columns) + ", rows=" + std::to_string(cores_per_column) +
                    "` or less"));
    device = nullptr;
  }
  return device;
}

// What is wrong with a program that has streams.
Result verify_program(const Context &c, Node root, Until until) {
  const bool placed = until >= Until::placed;
  Program program;
  const auto no = [&](Node where, const Refusal &why) { return noted(c, where, why); };
  if (!read_program(c, root, program, no)) return HTP_FAILED;
  if (!device_of(c, program.with, program.device, program.columns, program.rows)) return HTP_FAILED;
  for (const Core &core : program.cores)
    if (!program.alike && (core.column >= 0) != placed)
      return no(core.node, Refusal(placed ? diag::unplaced : diag::placed_early, core.name));
  const bool whole = until == Until::streamed || until == Until::routed;
  if (const Exceeded found = whole ? exceeded(program) : Exceeded{})
    return no(found.where ? found.where : program.node, found.why);
  if (!packs_all(program, no) || !blocks_arrive(program, no)) return HTP_FAILED;
  for (const Stream &s : program.streams) {
    if (!program.alike) break;
    const int64_t comes = s.blocks() / (s.each ? program.rows : 1), takes = acquired(program.cores.front().body, s);
    if (takes != comes) return no(s.node, Refusal(diag::block_count, s.name, comes, takes));
  }
  if (const Clash found = clash(program); found.where) return no(found.where, found.why);
  if (!program.alike)
    if (const Deadlock found = deadlock_of(program, turns_of(program)))
      return noted(c, found.where ? found.where : program.node, found.why, found.others);
  return HTP_OK;
}

// What is wrong with a kernel whose loops say which cores share them.
Result verify_kernel(const Context &c, Node root, Node function, const OnDevice &on) {
  if (!device_of(c, on.call, on.device, on.columns, on.rows)) return HTP_FAILED;
  Kernel kernel(c, root, function);
  if (read_kernel(kernel)) return HTP_OK;
  return kernel.refused ? noted(c, kernel.refused->where, kernel.refused->why) : HTP_FAILED;
}

// What is wrong with what cores load, store and compute.
Result verify_cores(const Context &c, Node root, Node function, const OnDevice &on) {
  if (!device_of(c, on.call, on.device, on.columns, on.rows)) return HTP_FAILED;
  std::optional<Refused> refused;
  cores::Cores all;
  all.columns = on.columns, all.rows = on.rows;
  if (cores::read(c, root, function, {.choices = on.choices, .quiet = true, .refused = &refused}, all)) return HTP_OK;
  return refused ? noted(c, refused->where, refused->why) : noted(c, function, Refusal(diag::no_core));
}
} // namespace

Result verify_mapped(const Context &c, std::string_view term, Node root) {
  const Node function = c.entry_function(root);
  const auto on = function ? on_device(c, Names(c, root), function) : std::nullopt;
  if (!on || !loads_tensors(c, Names(c, root), *on)) return verify_fed(c, term, root);
  const Nodes body = c.get<ast::With>(on->with).body();
  if (!on->choices.cores && !c.is(body.back(), HTP_FunctionDef)) return verify_kernel(c, root, function, *on);
  return verify_cores(c, root, function, *on);
}

Result verify_on_cores(const Context &c, std::string_view term, Node root) {
  const Node function = c.entry_function(root);
  const auto on = function ? on_device(c, Names(c, root), function) : std::nullopt;
  if (!on || !loads_tensors(c, Names(c, root), *on)) return verify_fed(c, term, root);
  if (verify_cores(c, root, function, *on) != HTP_OK) return HTP_FAILED;
  // Each pass up to the one that establishes this has nothing to do.
  constexpr struct {
    std::string_view state, pass;
    Node (*made)(const Context &, Node);
  } passes[] = {
#define CORE_PASS(state, name, made) {state, "aie." #name, made},
#include "passes/on_cores.def"
#undef CORE_PASS
  };
  for (const auto &[state, pass, made] : passes) {
    if (const Node done = made(c, root); done != root)
      return done ? noted(c, function, Refusal(diag::not_done, pass, c.entry())) : HTP_FAILED;
    if (term.starts_with(state)) break;
  }
  return HTP_OK;
}

Result verify_fed(const Context &c, std::string_view, Node root) { return verify_program(c, root, Until::written); }

Result verify_elided(const Context &c, std::string_view term, Node root) {
  if (verify_fed(c, term, root) != HTP_OK) return HTP_FAILED;
  const Node done = elided_copies(c, root);
  if (done == root) return HTP_OK;
  return done ? noted(c, c.entry_function(root), Refusal(diag::not_done, "aie.elide_copies", c.entry())) : HTP_FAILED;
}

Result verify_streamed(const Context &c, std::string_view, Node root) {
  return verify_program(c, root, Until::streamed);
}

Result verify_placed(const Context &c, std::string_view, Node root) { return verify_program(c, root, Until::placed); }

Result verify_ready(const Context &c, std::string_view, Node root) { return verify_program(c, root, Until::routed); }

} // namespace htp::aie
