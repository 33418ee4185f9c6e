// plugins/backend-aie/analyses/links.h — which streams of a pipeline share a channel, by way of a memory tile.
#pragma once

#include "analyses/device.h"

#include <map>

namespace htp::aie {

// The links of streams, by the streams' names: as many as bring what the host exchanges with cores down to the channels
// that cores and shims have, where that is possible. At a shim up to `together` streams share one.
std::map<std::string, std::string> links(const Program &program, int64_t together);
// A name for the link of a stream, and maybe others, that nothing else has.
std::string link_of(const Program &program, const Stream &stream, std::string_view suffix);

} // namespace htp::aie
