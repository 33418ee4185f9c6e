// verify/sizes.h — which sizes and ints a stage's kernels can do with.
#pragma once

#include "program.h"
#include "stage.h"

namespace htp::a2a3sim {

// Adds what a kernel's statements say to the stage's limits: what tiles hold, which sizes loops count on, which
// places are there, and what indices ask of ints.
void limit(const Told &kernel, const std::vector<program::Py> &body, const program::Constants &constants, Stage &stage);

} // namespace htp::a2a3sim
