// plugins/backend-aie/packing.h — what is loaded of several tensors, packed by the host so that it comes by one stream.
#pragma once

#include "blocks.h"
#include "kernel.h"

namespace htp::aie {

// What is loaded at once of a stream that is packed, at the first of its loads; each goes to a tile of its own, but for
// one that is all there is and needs no other room than the part.
struct Turn {
  struct Piece {
    size_t access = 0;
    int64_t at = 0; // in elements of the part
  };
  std::vector<int> path;
  std::vector<Piece> pieces;
  Node node = HTP_NONE; // where it is acquired
  int64_t base = 0;     // parts before it, in the innermost of its loops and those around
  bool direct = false;  // the part is the tile, and released at the end of the loop
};
struct Pack {
  std::string stream, room;
  const DType *dtype = nullptr; // of the part: of the fewest bytes that there are
  std::vector<Turn> turns;
  std::vector<int64_t> part;
  int64_t elements = 0;            // of a part
  int64_t parts = 1;               // a round of the outermost loop
  std::map<int, int64_t> turns_of; // parts a round of a loop
  bool each = false;               // parts differ with the outermost loop
  bool once = false;               // before the loops
};

// Streams that come by one; what is loaded at once comes in one part, or `apart`.
Pack pack(const Kernel &kernel, const std::set<std::string> &streams, bool apart);
// What a part is, and whether a tile is the part, when it is known which tiles lie in blocks.
void shape(Pack &pack, const Kernel &kernel, const Blocks &blocks);
// What the host makes, for so many cores.
Parameter room_of(const Pack &pack, const Kernel &kernel, const Blocks &blocks, int64_t columns, int64_t rounds,
                  int64_t rows);
// How many bytes cores get of it, those of a column together that get the same.
int64_t traffic_of(const Pack &pack, const Kernel &kernel);
// `aie.pack(…)` of it.
std::string text_of(const Parameter &room, std::string_view dtype);

} // namespace htp::aie
