// htp_cpp/memory_plan.h — buffers in a memory space: two that are needed at once have no byte in common. A draft; of
// the SDK's library, `htp::lib`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace htp::sdk {

// One way of a branch.
struct BranchWay {
  size_t branch = 0, way = 0;

  friend auto operator<=>(const BranchWay &, const BranchWay &) = default;
};

// A buffer that is needed from one position to another, both included: `everywhere` one that nothing may share bytes
// with. A double buffer has two copies, of which the second follows the first at the next aligned offset.
struct MemoryRequest {
  static constexpr size_t everywhere = SIZE_MAX; // an end, with 0 as the begin

  int64_t bytes = 0;
  size_t begin = 0, end = 0;
  int64_t copies = 1;
  std::vector<BranchWay> ways = {}; // of the branches around it, outermost first: only one way of a branch is run, so
                                    // buffers of two of its ways are never needed at once, whatever their positions
};

struct MemorySpace {
  int64_t capacity = 0, alignment = 1;
  int64_t enough = 0; // a plan of at most so many bytes is as good as any
};

struct MemoryPlan {
  std::vector<int64_t> offsets; // of each request, from 0 on
  int64_t bytes = 0;            // how many of the space are used
};

// Offsets that are multiples of the alignment, in at most the capacity; nothing where none were found. The same
// requests give the same plan. Of equally good ones it is the one that gives each request, by where it begins, the
// lowest offset that is free. On random requests it takes at most 1.5 times `most_live`, or what is enough; it is no
// search for the best plan. How much one takes that does not fit is said by a plan for a space without a limit.
std::optional<MemoryPlan> plan_memory(const std::vector<MemoryRequest> &requests, const MemorySpace &space);

// How many bytes are needed at once, where most are: no plan takes fewer. Nothing where the bytes of all requests are
// no number of 64 bits.
std::optional<int64_t> most_live(const std::vector<MemoryRequest> &requests, int64_t alignment);

} // namespace htp::sdk
