// plugins/backend-cpu/cpu.h — the units of the CPU backend, and its diagnostics.
#pragma once

#include "types.h"

namespace htp::cpu {

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// What a stage may need no more once its intrinsics are of the target set.
inline bool is_tile_import(std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); }

// cpu.select: Tile.Typed → Cpu.Selected.
Result select(const Context &c, Node root, Node &out);
// cpu.serialize_copies: Cpu.Selected → Cpu.Serial.
Result serialize_copies(const Context &c, Node root, Node &out);
// cpu.rename_rebindings: Cpu.Serial → Cpu.Renamed.
Result rename_rebindings(const Context &c, Node root, Node &out);
// cpu.widen_blocks: Cpu.Renamed → Tile.Scheduled.
Result widen_blocks(const Context &c, Node root, Node &out);
// cpu.loops: Cpu.Renamed, Tile.Scheduled → Codegen.Ready(target=cpu).
Result make_loops(const Context &c, Node root, Node &out);
// cpu.drop_redundant_stores: Codegen.Ready(target=cpu) → Cpu.Elided.
Result drop_redundant_stores(const Context &c, Node root, Node &out);
// cpu.pack_panels: Cpu.Elided → Cpu.Packed.
Result pack_panels(const Context &c, Node root, Node &out);
// cpu.unroll_and_jam: Cpu.Packed → Cpu.Jammed.
Result unroll_and_jam(const Context &c, Node root, Node &out);
// cpu.stream_rows: Cpu.Jammed → Cpu.Streamed.
Result stream_rows(const Context &c, Node root, Node &out);

Result verify_selected(const Context &c, std::string_view term, Node root);
Result verify_serial(const Context &c, std::string_view term, Node root);
Result verify_renamed(const Context &c, std::string_view term, Node root);
Result verify_ready(const Context &c, std::string_view term, Node root);
Result verify_elided(const Context &c, std::string_view term, Node root);
Result verify_packed(const Context &c, std::string_view term, Node root);
Result verify_jammed(const Context &c, std::string_view term, Node root);
Result verify_streamed(const Context &c, std::string_view term, Node root);

// A stage may have been edited: parallel loops become threads only where iterations are seen to be independent.
void check_parallel(const Context &c, const Names &names, Node root, Node function);

// The emitter: a Codegen.Ready(target=cpu) program to C, its signature and the build recipe.
Result emit(const Context &c, Node root);

// cpu.cost: seconds that each statement of the entry's body takes, at the sizes in the option `sizes`.
Result cost(const Context &c, Node root, const Sink &sink);
// cpu.simulation: how the entry's processes run on the model's cores, as JSON (docs/simulate.md).
Result simulate(const Context &c, Node root, const Sink &sink);

// cpu.binding: the verbs over packages of contract cpu/1.
extern const htp_binding binding;

} // namespace htp::cpu
