// Whether what a typed kernel stores is read, or left in an output, on some way from there.
#pragma once

#include "verify/accesses.h"

namespace htp::tile {

void check_stores(const Module &module, Node function, const Accesses &accesses);

} // namespace htp::tile
