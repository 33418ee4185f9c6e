// plugins/backend-simt/simt.h — the units of the SIMT backend, and its diagnostics.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"

namespace htp::simt {

using namespace htp::sdk;

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// simt.dependences: of each loop of the entry what keeps its iterations from running at once: "carried m", "written y".
Result dependences(const Context &c, Node root, const Sink &sink);

} // namespace htp::simt
