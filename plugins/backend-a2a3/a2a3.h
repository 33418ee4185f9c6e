// plugins/backend-a2a3/a2a3.h — the units of the backend for Ascend's A2 and A3, and its diagnostics.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"
#include "htp_cpp/refusal.h"

namespace htp::a2a3 {

using namespace htp::sdk;

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// a2a3.handlers: the portable intrinsics as instructions that write to tiles.
inline constexpr htp_handler handler_rows[] = {
#define HANDLER(from, form, instruction) {from, "a2a3"},
#include "lowering/handlers.def"
};
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);

// The states that rewrites lead to (passes/passes.def).
Result verify_rewritten(const Context &c, std::string_view term, Node root);
Result verify_selected(const Context &c, std::string_view term, Node root);
Result verify_split(const Context &c, std::string_view term, Node root);
Result verify_tasks(const Context &c, std::string_view term, Node root);
Result verify_placed(const Context &c, std::string_view term, Node root);
Result verify_ready(const Context &c, std::string_view term, Node root);

Result emit(const Context &c, Node root);
// The analysis a2a3.views: what a report draws.
Result views(const Context &c, Node root, const Sink &sink);

} // namespace htp::a2a3
