#include "cost.h"

#include "core.h"

#include <cmath>
#include <cstring>

namespace htp::a2a3sim {

namespace {

constexpr double vector_bytes = 256;

constexpr double per_cycle(double gigabytes) { return gigabytes * 1024 * 1024 * 1024 / (cost::clock * 1e6); }

double elements(const Operand &t) { return static_cast<double>(t.valid_rows) * t.valid_columns; }
double size_of(const Operand &t) { return static_cast<double>(bytes_of(t.type)); }
double bytes(const Operand &t) { return elements(t) * size_of(t); }

double matmul(const Operand *o, uint32_t count, Op op) {
  const bool accumulates_apart = count == 4 && op != Op::TMATMUL_BIAS && op != Op::TGEMV_BIAS;
  const Operand &a = o[accumulates_apart ? 2 : 1], &b = o[accumulates_apart ? 3 : 2];
  const auto blocks = [](double n, double of) { return std::ceil(n / of) * of; };
  const double size = size_of(a), rate = size == 4 ? cost::cube_rate / 4 : cost::cube_rate * 2 / size;
  return cost::cube_start +
         blocks(a.valid_rows, 16) * blocks(a.valid_columns, 32 / size) * blocks(b.valid_columns, 16) / rate;
}

// Of a vector instruction: by what it does with each 256 bytes. Rows are repeats of their own; the larger side is what
// is walked over.
double vector(Op op, const Operand *o, uint32_t count) {
  const std::string_view family = instruction(op).family, name = instruction(op).name;
  const auto is = [&](auto... one) { return ((family == one) || ...); };
  const auto repeats = [](const Operand &t) { return std::ceil(t.valid_columns * size_of(t) / vector_bytes); };
  if (is("row_reduce", "row_place")) { // folds a row to 256 bytes, then these
    const Operand &x = o[1];
    const bool sums = op == Op::TROWSUM || op == Op::TROWPROD;
    return cost::vector_start +
           x.valid_rows * ((repeats(x) - 1) * cost::vector_two + (sums ? cost::vector_row_sum : cost::vector_row_max));
  }
  if (is("table_load")) return cost::vector_start + bytes(o[0]) / per_cycle(cost::gm_to_ub);
  if (is("table_store")) return cost::vector_start + bytes(o[1]) / per_cycle(cost::ub_to_gm);
  if (is("scatter", "spread")) return cost::vector_start + elements(o[1]) * cost::scalar_element;
  if (is("power") && o[0].type != Type::f32) return cost::vector_start + elements(o[0]) * cost::scalar_element;
  if (is("sort", "merge")) return cost::vector_start + std::ceil(bytes(o[1]) / size_of(o[1]) / 32) * cost::vector_sort;
  double most = 0, tiles = 0;
  for (uint32_t k = 0; k < count; ++k)
    if (o[k].kind == Kind::tile) most = std::max(most, o[k].valid_rows * repeats(o[k])), ++tiles;
  const bool divides = name.ends_with("DIV") || name.ends_with("DIVS") || op == Op::TRECIP;
  const bool function = op == Op::TEXP || op == Op::TLOG || op == Op::TSQRT || op == Op::TRSQRT;
  double each = cost::vector_one;
  if (divides)
    each = cost::vector_divide;
  else if (function)
    each = cost::vector_function;
  else if (is("convert"))
    each = cost::vector_convert;
  else if (is("gather", "blocks"))
    each = cost::vector_gather;
  else if (is("binary", "col_reduce", "row_binary", "col_binary", "compare", "select", "part", "fused", "axpy"))
    each = tiles > 2 || is("col_reduce", "axpy") ? cost::vector_two : cost::vector_one;
  if (is("rest")) each = cost::vector_divide + 4 * cost::vector_two;
  if (is("power")) // twice, and what is special of each element
    return cost::vector_start + most * (4 * cost::vector_function + 2 * cost::vector_two) +
           elements(o[0]) * cost::scalar_element;
  if (op == Op::TROWEXPANDEXPDIF || op == Op::TCOLEXPANDEXPDIF) each = cost::vector_two + cost::vector_function;
  return cost::vector_start + most * each;
}

} // namespace

double cycles_of(Op op, Pipe pipe, const Operand *o, uint32_t count) {
  switch (pipe) {
  case htp_sim::PIPE_M_: return matmul(o, count, op);
  case htp_sim::PIPE_MTE2_: return bytes(o[0]) / per_cycle(o[0].space == Space::vec ? cost::gm_to_ub : cost::gm_to_l1);
  case htp_sim::PIPE_MTE3_: return bytes(o[1]) / per_cycle(o[1].space == Space::vec ? cost::ub_to_gm : cost::l1_to_gm);
  case htp_sim::PIPE_MTE1_:
    return cost::move_start + bytes(o[0]) / per_cycle(o[0].space == Space::left    ? cost::l1_to_l0a
                                                      : o[0].space == Space::right ? cost::l1_to_l0b
                                                                                   : cost::l1_to_bt);
  case htp_sim::PIPE_FIX_:
    return op == Op::TSTORE || op == Op::TSTORE_FP ? 2 * elements(o[1]) / per_cycle(cost::l0c_to_gm)
                                                   : bytes(o[0]) / per_cycle(cost::l0c_to_l1);
  case htp_sim::PIPE_V_: return vector(op, o, count);
  default: return cost::scalar_issue;
  }
}

} // namespace htp::a2a3sim
