// plugins/backend-aie/processes/pipeline.h — processes and channels to cores and streams.
#pragma once

#include "analyses/device.h"

namespace htp::aie {

// Whether the entry has processes.
bool is_pipeline(const Context &c, Node root, Node function);
// The entry with a core for each process that computes; 0 after a diagnostic.
Node spread_pipeline(const Context &c, Node root, Node function, const Device &device, int64_t columns);
// The same for a kernel: the rounds of its loop are dealt out to as many cores as there are channels for. 0 without a
// diagnostic where something is `exceeded`, or where it has a form that is not known here either: what is `refused`.
Node deal_kernel(const Context &c, Node root, Node function, const Device &device, int64_t columns, Exceeded &exceeded,
                 std::optional<Refused> &refused);

} // namespace htp::aie
