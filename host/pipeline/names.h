// host/pipeline/names.h — a program's module must run: what it imports from plugins is there, what it reads is bound,
// and what it computes has a value.
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

// Reports each name that running the module would read before any statement has bound it. Bodies of functions do not
// run then: what they may name is for the dialect to say.
void check_bound(const Store &store, htp_node module, Diagnostics &diagnostics);

// Reports each number that running the module would not get: a division by 0, a text that is none.
void check_numbers(const Store &store, htp_node module, Diagnostics &diagnostics);

} // namespace htp
