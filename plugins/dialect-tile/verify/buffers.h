// Whether what a typed kernel reads of its own buffers was stored before, on each way there and for all sizes at once.
#pragma once

#include "verify/accesses.h"

namespace htp::tile {

void check_buffers(const Module &module, Node function, const Accesses &accesses);

} // namespace htp::tile
