// The components of a network that end or deadlock by themselves.
//
// Who waits in a circle waits along channels that form a circle. So a network in which every channel gets what it puts
// ends when each of its biconnected components does, alone: processes as nodes, a channel and each reader of it as an
// edge. A component of one edge never gets stuck.
#pragma once

#include "htp_cpp/dataflow.h"

namespace htp::sdk::dataflow {

// Each component with its own channels and processes, which keep their names; those of one line are left out.
std::vector<Network> components(const Network &network);

} // namespace htp::sdk::dataflow
