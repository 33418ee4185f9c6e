// htp_cpp/grids.h — the positions of a grid of known extents: instances of a process, channels of an array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace htp::sdk {

// How many there are, or the largest number there is; of no extents one.
inline int64_t position_count(const std::vector<int64_t> &grid) {
  int64_t count = 1;
  for (const int64_t extent : grid)
    if (__builtin_mul_overflow(count, extent, &count)) return INT64_MAX;
  return count;
}

// All of them, the last index running fastest. `visit(at)` may return false to end it.
template <class F> void each_position(const std::vector<int64_t> &grid, F &&visit) {
  std::vector<int64_t> at(grid.size());
  for (;;) {
    if constexpr (std::is_void_v<decltype(visit(at))>)
      visit(at);
    else if (!visit(at))
      return;
    size_t d = grid.size();
    while (d > 0 && ++at[d - 1] == grid[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

// "cell[1, 2]"; without a grid the name.
inline std::string named_position(const std::string &name, const std::vector<int64_t> &at) {
  std::string text = name;
  for (size_t d = 0; d < at.size(); ++d) text += (d ? ", " : "[") + std::to_string(at[d]);
  return at.empty() ? text : text + "]";
}

} // namespace htp::sdk
