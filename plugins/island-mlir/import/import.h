// plugins/island-mlir/import/import.h — values → Python.
#pragma once

#include "import/values.h"
#include "read/claim.h"

namespace htp::mlir {

// The statements that stand for what was claimed; throws NoReturn. `lost`: loops that no longer have their wrappers, by
// the number of their statement.
std::vector<uint32_t> statements_of(const Program &program, const Part &part, const Operation &function,
                                    std::set<size_t> &lost);

} // namespace htp::mlir
