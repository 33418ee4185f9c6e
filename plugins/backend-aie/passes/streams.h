// plugins/backend-aie/passes/streams.h — how a stream goes through a tensor.
#pragma once

#include "analyses/cores.h"

namespace htp::aie::cores {

using Order = std::vector<std::pair<int64_t, int64_t>>; // size, stride; outermost first

// How far apart elements are that follow each other in a dimension, of what a tensor is padded to.
std::vector<int64_t> strides_of(const Parameter &tensor);
// The same order in as few dimensions.
Order merged(const Order &order);
// `((4, 64), (64, 1))`
std::string text_of(const Order &order);

// The entry in which what cores that are alike load and store comes and goes by streams.
Node with_shared_streams(const Context &c, Node function, const OnDevice &on, Cores &all);

} // namespace htp::aie::cores
