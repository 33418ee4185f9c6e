// Whether a network ends because its processes go through their loops together.
//
// All processes run at once, with sizes as names: operations are made as far as the channels let them, and loops whose
// counts are the same are looked at in one iteration, whichever it is. When that leaves the channels as they were, it
// does so every time. What a process does next depends on its own past alone, so no move is ever a wrong one; what is
// not known of sizes is looked at both ways.
#pragma once

#include "htp_cpp/dataflow.h"

#include <set>

namespace htp::sdk::dataflow {

// Whether all processes end and leave nothing in the channels, whatever the sizes. `counters` are sizes that may be 0.
bool ends_in_lockstep(const Network &network, const std::set<std::string> &counters);

// The same of one channel with its writer and one reader, which never waits for capacity: whether as many items are got
// as are put; with `in_blocks` also, whether each is got at the block that it was put at.
bool passes_in_lockstep(const Network &pair, const std::set<std::string> &counters, bool in_blocks);

} // namespace htp::sdk::dataflow
