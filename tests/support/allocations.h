// How much work something does: allocations are as many at every run, and a loop that goes over all of a program for
// each statement of it takes time, which is counted for this thread alone.
#pragma once

#include <cstddef>

namespace htp {

size_t allocations(); // of this program and its plugins so far
double thread_seconds();

} // namespace htp
