#include "work.h"

#include "memory.h"

#include <algorithm>

namespace htp::a2a3sim {

namespace {

using htp_sim::Op;

constexpr int64_t block_bytes = 32, repeat_bytes = 256; // a repeat: what the vector unit takes at once

int64_t parts(int64_t n, int64_t of) { return (n + of - 1) / of; }

// A row of floats is folded, vector on vector, until one is left; a sum folds the first half onto the second.
Work folded(int64_t bytes, int64_t rows, int64_t columns, bool sum) {
  const int64_t lanes = repeat_bytes / bytes;
  if (columns <= lanes) return {};
  Work work{rows, lanes, 0};
  if (sum) work.columns = std::max(lanes, columns / lanes / 2 * lanes);
  // A whole tile of 32 KiB is added up by other steps, through 16 vectors.
  if (bytes == 4 && rows * columns == 8192 && columns >= 2 * lanes && columns <= 16 * lanes)
    work.bytes = 16 * repeat_bytes;
  return work;
}

// The best element of each vector of a row and its place, a pair each, and the places apart; where these fill more than
// a vector, the same once more, of the pairs.
Work places(int64_t bytes, int64_t rows, int64_t columns) {
  const int64_t lanes = repeat_bytes / bytes, of_block = block_bytes / bytes;
  const auto whole = [&](int64_t elements) { return parts(elements, of_block) * of_block; };
  const int64_t first = parts(columns, lanes);
  if (first < 2) return {};
  if (first <= lanes) return {rows, whole(2 * first) + first, 0};
  const int64_t second = parts(first, lanes);
  const int64_t once = whole(2 * first) + first;
  const int64_t twice = whole(first) + whole(2 * second) + std::max<int64_t>(2, second);
  return {rows, std::max(once, twice), 0};
}

} // namespace

Work work_of(Op op, const htp_sim::Operand &target, const htp_sim::Operand &through) {
  const auto bytes = static_cast<int64_t>(bytes_of(through.type));
  const bool real = through.type == Type::f32 || through.type == Type::f16;
  const int64_t rows = through.valid_rows, columns = through.valid_columns;
  switch (op) {
  case Op::TROWSUM:
  case Op::TROWMAX:
  case Op::TROWMIN: return real ? folded(bytes, rows, columns, op == Op::TROWSUM) : Work{0, 0, block_bytes};
  case Op::TROWPROD:
  case Op::TSEL:
  case Op::TSELS: return {0, 0, block_bytes};
  case Op::TROWARGMAX:
  case Op::TROWARGMIN: return places(bytes, rows, columns);
  case Op::TTRANS: { // by boxes, or element by element where the target's rows are none
    const int64_t lines = bytes == 1 ? 32 : 16;
    if (target.columns % lines != 0) return {};
    return {0, 0, parts(columns * bytes, block_bytes) * block_bytes * parts(rows, lines) * lines};
  }
  case Op::TPRELU:
    return {rows + 1, parts(columns, repeat_bytes / bytes) * repeat_bytes / bytes / 8, 0}; // a bit a lane
  case Op::TGATHER: // of halves the indices become offsets in bytes
    return bytes == 2 ? Work{0, 0, ((rows - 1) * target.columns + columns) * 4} : Work{};
  case Op::TPOW:
  case Op::TPOWS:
  case Op::TXOR:
  case Op::TXORS: return {rows, columns, 0};
  default: return {};
  }
}

} // namespace htp::a2a3sim
