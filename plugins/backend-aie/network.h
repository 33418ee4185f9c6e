// plugins/backend-aie/network.h — whether cores with streams between them come to their end: what they acquire and
// release, and nothing else of them.
#pragma once

#include "program.h"

namespace htp::aie {

// Runs the cores of a program, each until it has to wait: what a core does next does not depend on who is faster, so
// one run tells of all. Empty if they end and leave nothing behind; else what is wrong, in words. The transfers of the
// host come in so many turns, of which two are under way at a time.
std::string stuck(const Program &program, int64_t turns);

} // namespace htp::aie
