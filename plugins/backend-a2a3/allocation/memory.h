// plugins/backend-a2a3/allocation/memory.h — the addresses of tiles in the memories of a core.
#pragma once

#include "analyses/shapes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/memory_plan.h"
#include "htp_cpp/saturated.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

namespace htp::a2a3 {

// The memories of a core that tiles lie in. Rows and columns of a tile are multiples of `box` elements where it is laid
// out in boxes: 32 of one byte and of what sums of these are, else 16 are multiples of every box's.
struct Space {
  std::string_view name, text; // of the stages, and what diagnostics call it
  bool cube;
  int64_t bytes;
  bool boxes;
  int64_t line;
};
inline constexpr Space spaces[] = {
#define SPACE(name, title, kind, bytes, boxes, line)                                                                   \
  {name, title, std::string_view(#kind) == "cube", bytes, boxes, line},
#include "analyses/spaces.def"
};
const Space *space_named(std::string_view name);
int64_t capacity_of(std::string_view space);
// To multiples of a box's sides.
int64_t boxed(int64_t extent, const DType &dtype);

// The most that an extent is: a number, or what is not known when the program is compiled.
struct MostOf {
  int64_t size = 0; // 0: not known
};

struct Kept {
  std::string name;
  const DType *dtype = nullptr; // null: a mask, with a bit an element
  const Space *space = spaces;
  Kind kind = Kind::single;
  MostOf rows, columns;
  Node rows_valid = HTP_NONE, columns_valid = HTP_NONE; // expressions over ints
  Node statement = HTP_NONE, dtype_node = HTP_NONE;
  std::string layout;
  bool kept = false;  // with what a tile at its address left there
  bool moves = false; // between memory and the buffer
  bool apart = false; // lines of one element each
  size_t depth = 0;   // loops around it
  unsigned first = 0, last = 0;
  int loop = -1;      // the innermost around it
  bool alone = false; // one iteration's use of it waits for the end of the one before
  bool twice = false; // in every second iteration it lies behind where it lies in the others
  int64_t offset = 0;
  std::vector<sdk::BranchWay> ways{}; // of the branches around it, outermost first

  int64_t lines(int64_t unknown) const {
    const int64_t n = rows.size ? rows.size : unknown;
    if (space->boxes && dtype) return boxed(n, *dtype);
    return kind == Kind::row ? 1 : up(n, dtype ? dtype->bytes : 1); // a matrix has as many rows as a column of it
  }
  int64_t width(int64_t unknown) const {
    const int64_t n = columns.size ? columns.size : unknown;
    if (space->boxes && dtype) return boxed(n, *dtype);
    if (!dtype) return sdk::round_up_sat(n, 256);
    if (kind == Kind::column || kind == Kind::single) return 1;
    return up(n, dtype->bytes);
  }
  int64_t bytes(int64_t unknown) const { return sdk::mul_sat(once(unknown), twice ? 2 : 1); }
  int64_t once(int64_t unknown) const {
    if (apart && lines(unknown) > most_lines) return space->bytes + line_bytes; // no transfer moves so many
    const int64_t elements = sdk::mul_sat(lines(unknown), width(unknown));
    return dtype ? sdk::mul_sat(elements, dtype->bytes) : elements / 8;
  }

  static constexpr int64_t line_bytes = 32, most_lines = 4095;
  static int64_t up(int64_t n, unsigned bytes) { return sdk::round_up_sat(n, line_bytes / bytes); } // to whole lines
};

struct PlacedLoop {
  unsigned begin = 0, end = 0;
  bool holds_loops = false;
  bool once = false; // a task is one iteration of it
  std::string turn;  // its name, where it is used
  std::string variable;
  bool pipelined = false; // iterations shall overlap
};
struct TileUse {
  size_t tile;
  unsigned at;
  int loop; // the outermost loop that holds the use and not the tile's declaration
};

struct TileTransfer {
  size_t tile;
  std::string tensor;
  bool load;
  unsigned at;
};

// The tiles of a kernel, and their addresses in its memories.
class Memory {
public:
  std::vector<PlacedLoop> loops;
  std::vector<Kept> tiles;
  std::vector<TileUse> uses;
  std::vector<TileTransfer> transfers;
  static constexpr int64_t least_open_twice = 1024; // of extents which are not known, where all have two places
  int64_t open_extent = 0;                          // of extents which are not known
  const Space *full = spaces;                       // the first whose capacity does not do, and what it would take
  int64_t least = 0;

  // Gives all tiles their addresses, as well as the capacities allow.
  enum class Fit : uint8_t { none, close, apart, twice };
  Fit assign();
  // Whether a tile of a space takes more than half of it, and has one buffer alone; whether all tiles there have two.
  bool fills(std::string_view space) const;
  bool has_twice(std::string_view space) const;
  // Names what counts the turns of a loop.
  void name_turns(const std::function<std::string(const char *)> &fresh);

private:
  // Which tiles are alone: a load waits for all stores to its tensor, in the same loop for that of the iteration
  // before. That ends what it reads before, and what is made of it begins behind.
  void find_alone();
  // Gives tiles of a cube core a second buffer where the capacity allows it.
  void around_loops();
  // Gives tiles their addresses; whether they fit. Those whose live ranges do not meet share bytes: with `apart` not
  // what moves, so that it need not wait for others. `told`: what they take is told where they do not.
  bool fit(bool apart, bool told);
  // Those of one memory; how many bytes they take there, or at least take where they do not fit and it is not told.
  int64_t place(const Space &space, bool apart, bool told = true);
};

// The largest power of two that is less, or 1.
inline int64_t power_below(int64_t n) {
  int64_t size = 1;
  while (size < n - size) size *= 2;
  return size;
}

// The blocks of a loop: the name of how many there are in one, and the most; what they are blocks of.
struct BlockSize {
  std::string count;
  int64_t most = 0;
  std::string of = {};
};
// What a program does where a memory is too small for `tiles` of a kernel, which lie in it, the largest first; empty:
// nothing was found. `attempt` gives the tiles of another kernel their addresses, in `memory`; false: they do not fit.
std::string what_fits(const Context &c, const Names &names, Node kernel, const std::vector<Kept> &tiles,
                      const std::map<std::string, BlockSize, std::less<>> &blocks,
                      const std::function<bool(Node)> &attempt, const Memory &memory);

// The kernel with blocks of `variable` gone over by `part`, `size` rows (or columns) of them at a time; 0 where what it
// does with them is not the same for each part.
Node with_cut_blocks(const Context &c, const Names &names, Node kernel, const std::string &variable, bool rows,
                     const std::string &part, int64_t size);

// A kernel of cube cores with a sum of products in two halves, one of which is stored while the other is added to: its
// tile must have two places, of the loop over them. 0 where there is none that is loaded, added up and stored alone.
// `longer`: with steps along the sum that take what that leaves of L0A and L0B.
Node with_halved_sums(const Context &c, const Names &names, const sdk::Constants &constants, Node kernel, bool longer);

// `N <= 1024` of a branch by a size: the name, and the number; nothing of other tests.
std::optional<std::pair<std::string, int64_t>> most_of_size(const Reader &r, Node test);

} // namespace htp::a2a3
