// plugins/backend-a2a3/a2a3.h — the units of the backend for Ascend's A2 and A3, and its diagnostics.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"

namespace htp::a2a3 {

using namespace htp::sdk;

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// a2a3.handlers: the portable intrinsics as instructions that write to tiles.
inline constexpr htp_handler handler_rows[] = {
#define HANDLER(from, form, word) {from, "a2a3"},
#include "handlers.def"
};
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);

// a2a3.select: Tile.Typed → A2a3.Selected, every value of the entry a tile that instructions write to.
Result select(const Context &c, Node root, Node &out);
// a2a3.split: A2a3.Selected → A2a3.Split, kernels for vector and for cube cores, and what goes between them.
Result split(const Context &c, Node root, Node &out);
// a2a3.place: A2a3.Split → A2a3.Placed, kernels over ints whose tiles lie at bytes of their memories.
Result place(const Context &c, Node root, Node &out);
// a2a3.order: A2a3.Placed → Codegen.Ready(target=a2a3), the same with flags and barriers between its pipes.
Result order(const Context &c, Node root, Node &out);

Result verify_selected(const Context &c, std::string_view term, Node root);
Result verify_split(const Context &c, std::string_view term, Node root);
Result verify_placed(const Context &c, std::string_view term, Node root);
Result verify_ready(const Context &c, std::string_view term, Node root);

Result emit(const Context &c, Node root);

} // namespace htp::a2a3
