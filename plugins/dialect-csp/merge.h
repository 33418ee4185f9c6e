// merge.h — two bodies of processes as one, in which the second one's statements follow the first one's, as early as it
// can: loops over the same become one loop.
#pragma once

#include "program.h"

#include "htp_cpp/imports.h"

namespace htp::csp {

// Which of a body's loops can become one with the other body's: those that use the channels from the first to the
// second, or any.
enum class Loops : uint8_t { between, all };

// The statements of both, whose locals have different names. What the first puts into a channel and the second gets in
// the same iteration is a local, of the type that the channel says; other channels stay, and may be put into and got
// from by the one process that both are now. `taken`: names that are no longer free.
std::vector<uint32_t> merged(const Context &c, const Program &program, Nodes first, Nodes second, Loops which,
                             std::set<std::string, std::less<>> &taken, Imports &imports);

} // namespace htp::csp
