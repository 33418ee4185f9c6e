// What is begun and waited for: whether each copy is waited for once, on each way through a kernel, and nothing touches
// the place it goes to before. Reports what is not so.
#pragma once

#include "language/module.h"

namespace htp::tile {

void check_tokens(const Module &module, Node function);

} // namespace htp::tile
