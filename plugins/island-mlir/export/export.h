// plugins/island-mlir/export/export.h — Python → MLIR's text.
#pragma once

#include "read/claim.h"

namespace htp::mlir {

// The function for a part; throws a Refusal.
std::string text_of(const Program &program, const Part &part);

} // namespace htp::mlir
