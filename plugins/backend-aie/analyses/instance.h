// plugins/backend-aie/analyses/instance.h — what names stand for in one process of a grid, or in one core's copy of a
// kernel.
#pragma once

#include "analyses/cores.h"

#include "htp_cpp/tile_program.h"

namespace htp::aie::cores {

// The iteration of a loop, as a symbol.
inline std::string iteration_of(size_t loop) { return "#" + std::to_string(loop); }

struct Instance {
  std::map<std::string, IntExpr, std::less<>> ints; // loop variables too: sums of iterations
  std::map<std::string, size_t, std::less<>> loops; // over blocks, by their variables
  std::map<std::string, size_t, std::less<>> lanes; // channels
  std::map<std::string, std::string, std::less<>> tiles;
  std::set<std::string, std::less<>> variables; // of all loops around

  // An int of the program, of what is known here.
  std::optional<IntExpr> value(const IntExpr &e) const { return e.with(ints); }
  std::optional<int64_t> known(const IntExpr &e) const;
  std::optional<int64_t> known(const Context &c, const sdk::Constants &constants, Node n) const;
  // Whether a test is passed, where that is known. A block may be shorter than the others: its length is not.
  std::optional<bool> passes(const TileTest &test) const;
  // The name of a tile that an operand names; empty where it names none.
  std::string tile(std::string_view name) const {
    const auto it = tiles.find(name);
    return it == tiles.end() ? std::string() : it->second;
  }
};

// start + Σ step · iteration, with what differs between columns and rows of cores, whose variable `core` is.
std::optional<Slice> slice_at(const IntExpr &e, std::string_view core);

} // namespace htp::aie::cores
