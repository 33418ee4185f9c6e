// streams.h — checked channels: how many items they carry, data decides.
//
// A checked channel has one writer, which closes it once, behind its last put; a reader has its items until then.
// Whether processes wait for each other along such channels is shown where structure shows it, and else found when the
// pipeline runs.
#pragma once

#include "program.h"

namespace htp::csp {

// Reports checked channels with a missing or a second end, writers that do not close them, and processes that would
// give each other items for ever. False after a report.
bool check_streams(const Context &c, const Built &built);

// Whether checked channels make nobody wait for ever, where the network ends without them. A reader takes all of its
// channel, in a loop that it comes to, so nobody waits for one who has ended. And no checked channel is part of a
// circle of processes of which each may wait for the next: at a channel its reader may wait for its writer, and the
// writer for the reader, unless that one waits for nothing else until the channel has ended. Two that wait for each
// other at one channel are no circle: it is not empty and full at the same time.
bool streams_end(const Built &built);

} // namespace htp::csp
