// plugins/backend-aie/aie.h — the units of the backend for AMD's AI Engines, and its diagnostics.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/refusal.h"

namespace htp::aie {

using namespace htp::sdk;

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// aie.handlers: the portable intrinsics as those of the target set, which write to tiles.
inline constexpr htp_handler handler_rows[] = {
#define HANDLER(from, form, operation) {from, "aie"},
#include "lowering/handlers.def"
};
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);

Result emit(const Context &c, Node root);
// The analysis aie.module: the text of aie.mlir.
Result module_table(const Context &c, Node root, const Sink &sink);

} // namespace htp::aie
