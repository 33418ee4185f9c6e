// Why a parallel loop's iterations may not run in any order.
#pragma once

#include "language/module.h"

#include "htp_cpp/races.h"

namespace htp::tile {

inline std::vector<Race> races_of(const Module &module, Node function, Node loop) {
  return find_races(module.c, module.names, module.root, function, loop, {"htp_tile.tiles"});
}

} // namespace htp::tile
