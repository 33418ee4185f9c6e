// plugins/backend-aie/passes/on_cores.h — what passes do to cores that load and store. aie.spread tries its choices by
// these; each pass does one of them to a stage. All say whether anything changed.
#pragma once

#include "analyses/cores.h"

namespace htp::aie::cores {

// Processes that share a core become one: loops over the same become one, in which they alternate, or they follow each
// other; what one hands to the other stays with it. `fits` is false where one would have a channel from itself still.
bool fuse_processes(const Context &c, Cores &all, bool &fits);
// What a core loads twice in the same iteration it loads once.
bool share_loads(const Context &c, Cores &all);
// Channels whose items are all dropped carry nothing, and what then does nothing is no process.
bool drop_channels(Cores &all);
// What no transfer brings as it is comes from a tensor that the host makes of it: numbers, one behind the other, and
// what is loaded with a border.
bool make_host_tensors(const Context &c, Cores &all);
// What moves tiles between tensors and channels, and does nothing else, is done by DMA engines.
bool offload_copies(Cores &all);
// Tensors are padded, so that the blocks of loops are whole. What would count the padding is `counted`; nothing changes
// then, nor after `refuse`.
struct CountedPadding {
  Node statement = HTP_NONE;
  std::string name;       // of the function that does
  std::string loop, hint; // whose blocks they are, and what helps
  int64_t extent = 0, block = 0;
};
bool pad_blocks(const Context &c, Node root, Cores &all, CountedPadding &counted, const Refuse &refuse);
// The rows of tensors are padded to multiples of 4 bytes, where nothing counts the padding.
bool pad_rows(const Context &c, Node root, Cores &all);
// Loops count their iterations from 0, of blocks that are whole.
bool normalize_loops(const Context &c, Cores &all);
// Slices of rows of short elements that begin where no transfer does come together, and the core takes each from these.
bool align_loads(const Context &c, Cores &all);
// Where a core loads many slices of a tensor in one list, in the order of series that as many streams as it has
// channels go through; else as they are.
bool sort_loads(Cores &all);
// Where a core loads more tensors than it has channels, some of them come by one stream.
bool pack_loads(const Context &c, Cores &all);

// Where cores are alike, the tiles that were chosen come by one stream each.
void pack_shared(const Context &c, Cores &all, const Choices &choices);
// The entry whose cores have streams.
Node with_streams(const Context &c, Node function, const OnDevice &on, Cores &all);

} // namespace htp::aie::cores
