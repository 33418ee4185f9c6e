// plugins/binding-aiesim/reader/wiring.h — where the parts of fifos lie, and what moves them.
#pragma once

#include "reader/module.h"

namespace htp::aiesim {

// The buffers of a fifo at one end, or those that a link's fifos share: a ring of parts.
struct Ring {
  size_t fifo = 0, tile = 0; // whose parts it has, and where
  int64_t depth = 0;
  size_t writers = 0, readers = 0; // branches of a link; 0: as a whole
};

// A stream between two ends of a fifo, or a part of it.
struct Wire {
  size_t fifo = 0;
  int from = -1;                          // a ring; -1: a shim's transfers
  std::vector<size_t> to;                 // rings; none: a shim's transfers
  int64_t from_offset = 0, to_offset = 0; // bytes in a part of a link's whole
  int from_branch = -1, to_branch = -1;
};

struct Wiring {
  std::vector<Ring> rings;
  std::vector<std::vector<int>> ends; // of each fifo, the producer's first: a ring, or -1 at a shim
  std::vector<Wire> wires;
  size_t ring_at(const Module &m, size_t fifo, size_t tile) const;
};

// Neighbours reach each other's memory: nothing moves between them.
bool share_memory(const Module &m, const Fifo &f);
// In which tile its parts lie then. A core reaches the memory to its north, south and west: they are the producer's,
// unless that is east of the consumer.
size_t home_of(const Module &m, const Fifo &f);
Wiring wire(const Module &m);

} // namespace htp::aiesim
