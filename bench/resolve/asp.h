// bench/resolve/asp.h — a made-up universe and its request as a program for clingo: an encoding that shares nothing
// with host/resolve, matching of terms and versions included.
#pragma once

#include "bench/resolve/universe.h"

#include <string>

namespace htp::bench {

// Atoms of an answer: in(P), a plugin by its index in `world.universe.plugins`.
std::string asp_of(const World &world);

} // namespace htp::bench
