// plugins/backend-a2a3/analyses/scratch.h — how much memory instructions need beside their operands, as PTO-ISA at
// cd4a3d3 uses it on A2 and A3 (include/pto/npu/a2a3: TRowReduceOps, TRowReduceIdxOps, TRowSum, TRowProd, TTrans,
// TPrelu, TGather).
#pragma once

#include "htp_cpp/saturated.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace htp::pto {

// Of the tile to work with: it goes from row to row of that by its own columns, or takes bytes from its first on.
struct Scratch {
  int64_t rows = 0, columns = 0, bytes = 0;
};

// What an instruction reads: how large an element is, whether it is a float, and how many rows and columns are valid;
// and how many columns the target can hold.
struct Read {
  int64_t size = 4;
  bool real = true;
  int64_t rows = 0, columns = 0, target_columns = 0;
};

using sdk::add_sat;
using sdk::mul_sat;
using sdk::round_up_sat;

inline Scratch scratch_of(std::string_view instruction, const Read &x) {
  const int64_t block = 32 / x.size, repeat = 256 / x.size, repeats = x.columns / repeat + (x.columns % repeat > 0);
  if (instruction == "trowsum" || instruction == "trowmax" || instruction == "trowmin" || instruction == "trowprod") {
    if (!x.real || instruction == "trowprod") return {0, 0, 32};
    if (x.columns <= repeat) return {};
    const int64_t halves = instruction == "trowsum" ? x.columns / repeat / 2 * repeat : 0;
    const bool whole = x.size == 4 && mul_sat(x.rows, x.columns) == 8192 && x.columns >= 128 && x.columns <= 1024;
    return {x.rows, std::max(repeat, halves), whole ? 4096 : 0};
  }
  if (instruction == "trowargmax" || instruction == "trowargmin") {
    if (repeats <= 1) return {};
    const int64_t pairs = round_up_sat(2 * repeats, block), again = (repeats - 1) / repeat + 1;
    if (repeats <= repeat) return {x.rows, pairs + std::max<int64_t>(repeats, 2), 0};
    return {x.rows,
            std::max(pairs + repeats,
                     round_up_sat(repeats, block) + round_up_sat(2 * again, block) + std::max<int64_t>(again, 2)),
            0};
  }
  if (instruction == "ttrans") { // where the target's rows are no boxes, element by element
    const int64_t lines = x.size == 1 ? 32 : 16;
    return {0, 0,
            x.target_columns % lines
                ? 0
                : mul_sat(mul_sat(round_up_sat(x.columns, block), round_up_sat(x.rows, lines)), x.size)};
  }
  if (instruction == "tprelu")
    return {add_sat(x.rows, 1), mul_sat(repeats, repeat / 8), 0}; // a mask, and a row to choose with
  if (instruction == "tgather" && x.size == 2)
    return {0, 0, mul_sat(add_sat(mul_sat(x.rows - 1, x.target_columns), x.columns), 4)};
  if (instruction == "tpow" || instruction == "tpows" || instruction == "txor" || instruction == "txors")
    return {x.rows, x.columns, 0};
  if (instruction == "tsel" || instruction == "tsels") return {0, 0, 32};
  return {};
}

} // namespace htp::pto
