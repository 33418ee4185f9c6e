// plugins/backend-a2a3/place.h — where tiles lie.
#pragma once

#include "shapes.h"

namespace htp::a2a3 {

// The memories of a core that tiles lie in. Rows and columns of a tile are multiples of `box` elements where it is laid
// out in boxes: 32 of one byte, else 16 are multiples of every box's.
struct Space {
  std::string_view name, text; // of the stages, and what diagnostics call it
  bool cube;
  int64_t bytes;
  bool boxes;
};
inline constexpr Space spaces[] = {
#define SPACE(name, title, kind, bytes, boxes) {name, title, std::string_view(#kind) == "cube", bytes, boxes},
#include "spaces.def"
};
const Space *space_named(std::string_view name);
int64_t capacity_of(std::string_view space);
// To multiples of a box's sides.
int64_t boxed(int64_t extent, const DType &dtype);

} // namespace htp::a2a3
