// What a typed kernel does to memory, for all sizes at once: whether all of each output is written, and whether int
// indices are inside. Reports what is surely wrong, with sizes that show it, and what could not be shown.
#pragma once

#include "language/module.h"

namespace htp::tile {

void check_memory(const Module &module, Node function);

} // namespace htp::tile
