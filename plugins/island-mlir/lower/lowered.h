// plugins/island-mlir/lower/lowered.h — operations of affine and vector → those of scf, arith and memref, which Python
// has a form for.
#pragma once

#include "lower/text.h"

namespace htp::mlir {

// A function without affine operations, parallel loops, views and vectors; throws NoReturn.
//
// A loop over vectors becomes what it was made from: a loop over strips, and in it one over the lanes of a strip. The
// last strip has the lanes that there are, whatever MLIR's vectors hold beyond.
Operation lowered(const Operation &function);

} // namespace htp::mlir
