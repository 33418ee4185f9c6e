// plugins/backend-cpu/cpu.h — the units of the CPU backend, and its diagnostics.
#pragma once

#include "types.h"

namespace htp::cpu {

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

Result verify_ready(const Context &c, std::string_view term, Node root);

// The emitter: a Codegen.Ready(target=cpu) program to C, its signature and the build recipe.
Result emit(const Context &c, Node root);

} // namespace htp::cpu
