// plugins/backend-aie/spreading/packing.h — what is loaded of several tensors, packed by the host so that it comes by
// one stream.
#pragma once

#include "analyses/blocks.h"
#include "spreading/kernel.h"

namespace htp::aie {

inline constexpr int64_t pack_line = 32; // bytes of what vectors are loaded from: each tile begins with some

// What is loaded at once of a stream that is packed, at the first of its loads; each goes to a tile of its own, but for
// one that is all there is and needs no other memory than the block.
struct Turn {
  struct Piece {
    size_t access = 0;
    int64_t at = 0; // in elements of the block
  };
  std::vector<int> path;
  std::vector<Piece> pieces;
  Node node = HTP_NONE; // where it is acquired
  int64_t base = 0;     // blocks before it, in the first round of all loops
  bool direct = false;  // the block is the tile, and released at the end of the loop
};
struct Pack {
  std::string stream, packed;
  const DType *dtype = nullptr; // of the block: of the fewest bytes that there are
  std::vector<Turn> turns;
  std::vector<int64_t> block;
  int64_t elements = 0;            // of a block
  std::map<int, int64_t> turns_of; // blocks a round of a loop
  int64_t blocks = 1;              // of a transfer, for one core of a column
  int64_t repeats = 1;             // of all of them, where they are the same in each round of the outermost loop
  Share share = Share::all;
  bool by_column = false, by_row = false; // what differs
  bool once = false;                      // before the loops
};

// Streams that come by one; what is loaded at once comes in one block, or `apart`.
Pack pack(const Kernel &kernel, const std::set<std::string> &streams, bool apart);
// What a block is, whether a tile is the block, and how many there are for so many cores, when it is known which tiles
// lie in blocks.
void shape(Pack &pack, const Kernel &kernel, const Blocks &blocks, int64_t columns, int64_t rows);
// What the host makes, when it has its shape: of which tensors, and how large it is.
Parameter packed_tensor(const Pack &pack, const Kernel &kernel, int64_t columns, int64_t rows);
// How many bytes a square of cores gets of it, those together that get the same.
int64_t traffic_of(Pack pack, const Kernel &kernel);

} // namespace htp::aie
