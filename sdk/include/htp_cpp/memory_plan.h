// htp_cpp/memory_plan.h — buffers in a memory space: two that are needed at once have no byte in common. A draft; of
// the SDK's library, `htp::lib`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace htp::sdk {

// A buffer that is needed from one position to another, both included. A double buffer has two copies, of which the
// second follows the first at the next aligned offset.
struct MemoryRequest {
  int64_t bytes = 0;
  size_t begin = 0, end = 0;
  int64_t copies = 1;
};

struct MemorySpace {
  int64_t capacity = 0, alignment = 1;
};

struct MemoryPlan {
  std::vector<int64_t> offsets; // of each request, from 0 on
  int64_t bytes = 0;            // how many of the space are used
};

// Offsets that are multiples of the alignment, in at most the capacity; nothing where none were found. The same
// requests give the same plan. On random requests it takes at most 1.5 times `most_live`; it is no search for the best
// plan.
std::optional<MemoryPlan> plan_memory(const std::vector<MemoryRequest> &requests, const MemorySpace &space);

// How many bytes are needed at once, where most are: no plan takes fewer. Nothing where they are no number of 64 bits.
std::optional<int64_t> most_live(const std::vector<MemoryRequest> &requests, int64_t alignment);

} // namespace htp::sdk
