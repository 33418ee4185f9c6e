// What the types of a typed kernel ask of the target: layouts and memory spaces, held against its hardware model.
#pragma once

#include "language/module.h"

namespace htp::tile {

// Refuses each that the target does not follow, at its node; what only spreads over devices is noted.
void check_target(const Module &module, Node function);

// Whether the target lays out tiles as their types say: its hardware model has `layouts.tiles`.
bool lays_out_tiles(const Context &c);

} // namespace htp::tile
