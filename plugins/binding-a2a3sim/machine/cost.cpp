// The transfer rates, the clock and the cube's multiplications a cycle are those that pto-isa publishes for these
// processors (GiB/s at 1.85 GHz).
#include "cost.h"

#include "core.h"

#include <cmath>
#include <cstring>

namespace htp::a2a3sim {

namespace {

constexpr double per_cycle(double gigabytes) { return gigabytes * 1024 * 1024 * 1024 / (megahertz * 1e6); }

constexpr double gm_to_ub = per_cycle(100.9), gm_to_l1 = per_cycle(135), ub_to_gm = per_cycle(188.46),
                 l1_to_gm = per_cycle(32), l1_to_l0a = per_cycle(441), l1_to_l0b = per_cycle(220.5),
                 l1_to_bt = per_cycle(32), l0c_to_l1 = per_cycle(128);
constexpr double l0c_to_gm = per_cycle(70) / 2; // elements: of an accumulator two bytes each count
constexpr double cube_cycle = 4096;             // multiplications of f16; f32 has a quarter, i8 twice as many
constexpr double vector_bytes = 256, vector_start = 16;

// Cycles a repeat of 256 bytes.
double repeats_of(Op op, const char *family) {
  switch (op) {
  case Op::TEXP:
  case Op::TLOG:
  case Op::TSQRT:
  case Op::TRSQRT:
  case Op::TDIV:
  case Op::TRECIP:
  case Op::TROWEXPANDDIV:
  case Op::TROWEXPANDEXPDIF: return 4;
  default:
    return std::strcmp(family, "row_reduce") == 0 || std::strcmp(family, "row_place") == 0 ||
                   std::strcmp(family, "transpose") == 0
               ? 2
               : 1;
  }
}

double elements(const Operand &t) { return static_cast<double>(t.valid_rows) * t.valid_columns; }
double bytes(const Operand &t) { return elements(t) * static_cast<double>(bytes_of(t.type)); }

double matmul(const Operand *o, uint32_t count, Op op) {
  const bool accumulates_apart = count == 4 && op != Op::TMATMUL_BIAS && op != Op::TGEMV_BIAS;
  const Operand &a = o[accumulates_apart ? 2 : 1], &b = o[accumulates_apart ? 3 : 2];
  const auto blocks = [](double n, double of) { return std::ceil(n / of) * of; };
  const double size = static_cast<double>(bytes_of(a.type)), rate = size == 4 ? cube_cycle / 4 : cube_cycle * 2 / size;
  return 6 + blocks(a.valid_rows, 16) * blocks(a.valid_columns, 32 / size) * blocks(b.valid_columns, 16) / rate;
}

} // namespace

double cycles_of(Op op, Pipe pipe, const Operand *o, uint32_t count) {
  switch (pipe) {
  case htp_sim::PIPE_M_: return matmul(o, count, op);
  case htp_sim::PIPE_MTE2_: return bytes(o[0]) / (o[0].space == Space::vec ? gm_to_ub : gm_to_l1);
  case htp_sim::PIPE_MTE3_: return bytes(o[1]) / (o[1].space == Space::vec ? ub_to_gm : l1_to_gm);
  case htp_sim::PIPE_MTE1_:
    return bytes(o[0]) / (o[0].space == Space::left ? l1_to_l0a : o[0].space == Space::right ? l1_to_l0b : l1_to_bt);
  case htp_sim::PIPE_FIX_: return op == Op::TSTORE ? elements(o[1]) / l0c_to_gm : bytes(o[0]) / l0c_to_l1;
  case htp_sim::PIPE_V_: {
    // Rows are repeats of their own; the larger side is what is walked over.
    double repeats = 0;
    for (uint32_t k = 0; k < count; ++k)
      if (o[k].kind == Kind::tile)
        repeats =
            std::max(repeats, o[k].valid_rows * std::ceil(static_cast<double>(o[k].valid_columns) *
                                                          static_cast<double>(bytes_of(o[k].type)) / vector_bytes));
    return vector_start + repeats * repeats_of(op, instruction(op).family);
  }
  default: return issue_cycles;
  }
}

} // namespace htp::a2a3sim
