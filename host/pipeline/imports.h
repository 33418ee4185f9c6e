// host/pipeline/imports.h — what a program imports from the plugins' Python modules must be there.
#pragma once

#include "host/ast/store.h"
#include "host/diag/diagnostic.h"
#include "host/manifest/manifest.h"

#include <vector>

namespace htp {

// Reports each name imported at module level from a module of `manifests` whose text binds no such name. The modules
// are read, not run; one that cannot be read, or that takes all names of another, is not asked.
void check_imports(const Store &store, htp_node module, const std::vector<const Manifest *> &manifests,
                   Diagnostics &diagnostics);

} // namespace htp
