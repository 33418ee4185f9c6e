// plugins/backend-aie/verify/packed.h — whether what the host packs is all there, once.
#pragma once

#include "analyses/program.h"

namespace htp::aie {

// Of a packed tensor: false, after a refusal, where an element of what it is made of is left behind, or two lie at one
// offset.
bool packs_all(const Program &program, const Refuse &refuse);

} // namespace htp::aie
