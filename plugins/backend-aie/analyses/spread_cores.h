// plugins/backend-aie/analyses/spread_cores.h — how the processes of a pipeline, or the iterations of a kernel's loop,
// come to cores: which choices fit the device.
#pragma once

#include "analyses/device.h"
#include "analyses/on_device.h"

namespace htp::aie {

// Whether the entry has processes.
bool is_pipeline(const Context &c, Node function);
// The choices for a pipeline whose processes that compute have a core each, or share some; nothing after a diagnostic.
std::optional<Choices> choose_cores(const Context &c, Node root, Node function, const Device &device, int64_t columns);
// The same for a kernel: the iterations of a loop are dealt out to as many cores as there are channels for. Nothing and
// no diagnostic where something is `exceeded`, or where it has a form that is not known here either: what is `refused`.
struct Dealt {
  Choices choices;
  size_t nest = 0; // which of the loops that stand alone in each other
};
std::optional<Dealt> deal_loop(const Context &c, Node root, Node function, const Device &device, int64_t columns,
                               Exceeded &exceeded, std::optional<Refused> &refused);

} // namespace htp::aie
