// components.h — the parts of a network that can be told about one at a time.
//
// Who waits in a circle waits along channels that form a circle. So a network in which every channel gets what it puts
// ends when each of its biconnected parts does, alone: processes as points, a channel and each reader of it as a line.
// A part of one line never gets stuck.
#pragma once

#include "network/network.h"

namespace htp::csp {

// Each part with its own channels and processes, which keep their names; those of one line are left out.
std::vector<Network> components(const Network &network);

} // namespace htp::csp
