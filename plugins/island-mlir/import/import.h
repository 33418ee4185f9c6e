// plugins/island-mlir/import.h — values → Python.
#pragma once

#include "parts.h"
#include "values.h"

namespace htp::mlir {

// The statements that stand for a part; throws NoReturn. `lost`: loops that no longer have their words, by the number
// of their statement.
std::vector<uint32_t> statements_of(const Program &program, const Part &part, const Operation &function,
                                    std::set<size_t> &lost);

} // namespace htp::mlir
