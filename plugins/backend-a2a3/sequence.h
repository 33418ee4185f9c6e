// plugins/backend-a2a3/sequence.h — a network of processes as a sequence of loops.
#pragma once

#include "a2a3.h"

namespace htp::a2a3 {

// The module with the processes of its entry one after the other: each behind those that it gets from. What is put into
// a channel lies in memory, all of it, at the place that the loops around say; what is loaded and put is loaded where
// it is got. HTP_NONE after a report.
Node with_processes_in_turn(const Context &c, Node root);

} // namespace htp::a2a3
