// plugins/backend-aie/passes/streams.h — how a stream goes through a tensor.
#pragma once

#include "analyses/cores.h"
#include "analyses/writing.h"

namespace htp::aie::cores {

using Order = std::vector<std::pair<int64_t, int64_t>>; // size, stride; outermost first

// How far apart elements are that follow each other in a dimension, of what a tensor is padded to.
std::vector<int64_t> strides_of(const Parameter &tensor);
// `aie.feed(…)` or `aie.collect(…)`: whom the blocks go `to` or come from, and what stands behind the depth.
std::string transfer_text(const Parameter &tensor, bool stores, const std::vector<int64_t> &block, const Order &order,
                          int64_t apart, const std::string &to, int64_t depth, const std::string &more);
// The statements of tensors that the host makes.
std::vector<uint32_t> host_made_statements(const Context &c, const Cores &all);

// The entry in which what cores that are alike load and store comes and goes by streams.
Node with_shared_streams(const Context &c, Node function, const OnDevice &on, Cores &all);

} // namespace htp::aie::cores
