// plugins/backend-aie/padding.h — what a ragged block is filled up with, and whether that counts.
#pragma once

#include "kernel.h"

namespace htp::aie {

// The first word of a kernel that would count what blocks are filled up with, and the loop whose blocks those are.
struct Counted {
  Node word = HTP_NONE;
  int loop = -1;
};
Counted counted(const Kernel &kernel);

} // namespace htp::aie
