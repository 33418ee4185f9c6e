// plugins/backend-aie/analyses/core_padding.h — what cores do with the padding of blocks and rows.
#pragma once

#include "analyses/cores.h"
#include "spreading/padding.h"

namespace htp::aie::cores {

// What a process does, by its tiles; `loop_of` says of a dimension of a tile which padding it has, or -1.
Filled filled(const Context &c, const Names &names, Cores &all, Process &process,
              const std::function<int(const std::string &tile, size_t dimension)> &loop_of);
// What the processes do with the blocks of loops, some of which are padded.
std::vector<Filled> blocks_filled(const Context &c, const Names &names, Cores &all);
// What tensors are padded with so that nothing counts it, stated of them; what does count it else.
Counted settle(const Context &c, Node root, Cores &all, const std::vector<Filled> &demands);

const DType *dtype_of(const Names &names, Node dtype);

} // namespace htp::aie::cores
