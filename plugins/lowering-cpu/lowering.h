// plugins/lowering-cpu/lowering.h — the units between the tile language and the CPU's emitter, and their diagnostics.
#pragma once

#include "types.h"

namespace htp::cpu {

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// cpu.handlers: the portable intrinsics as words of the target set.
inline constexpr htp_handler handler_rows[] = {
#define HANDLER(from, to) {from, "cpu"},
#include "handlers.def"
};
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);

// What a stage may need no more once its intrinsics are of the target set.
inline bool is_tile_import(std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); }

// cpu.select: Tile.Typed → Cpu.Selected.
Result select(const Context &c, Node root, Node &out);
// cpu.loops: Cpu.Selected → Codegen.Ready(target=cpu).
Result make_loops(const Context &c, Node root, Node &out);

Result verify_selected(const Context &c, std::string_view term, Node root);

} // namespace htp::cpu
