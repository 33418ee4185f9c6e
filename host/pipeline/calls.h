// host/pipeline/calls.h — a stage that somebody edited must run: its calls of what plugins' Python modules define have
// the arguments of the definitions.
#pragma once

#include "host/ast/store.h"
#include "host/diag/diagnostic.h"
#include "host/manifest/manifest.h"

#include <vector>

namespace htp {

// Reports each call of a function of the modules of `manifests` that Python would not make: an argument is missing,
// given twice, or one too many. The modules are read, not run; a function that is defined twice, or whose decorators
// may give it another signature, is not asked. False after a report.
bool check_calls(const Store &store, htp_node module, const std::vector<const Manifest *> &manifests,
                 Diagnostics &diagnostics);

} // namespace htp
