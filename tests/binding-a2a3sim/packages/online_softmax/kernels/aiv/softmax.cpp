// A vector core's part of attention: 64 rows of scores in blocks of 256 columns, each in two slices of 32 rows, to f16
// for the product with the values; and o, to which each block's product (here a tile of v) is added, after both are
// made to fit the rows' new largest.
#include "../htp_kernel.h"

using namespace pto;

extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t *args) {
  __gm__ float *s = HTP_TENSOR(float, 0);
  __gm__ float *v = HTP_TENSOR(float, 1);
  __gm__ half *p = HTP_TENSOR(half, 2);
  __gm__ float *o = HTP_TENSOR(float, 3);
  const int64_t n = HTP_SCALAR(int64_t, 0, 4);
  constexpr int R = 32, C = 256, D = 128;
  using Extents = Shape<1, 1, 1, DYNAMIC, DYNAMIC>;
  using Pitch = Stride<1, 1, 1, DYNAMIC, 1>;
  using Floats = GlobalTensor<float, Extents, Pitch>;
  using Halves = GlobalTensor<half, Extents, Pitch>;
  using Column = Tile<TileType::Vec, float, R, 1, BLayout::ColMajor, R, 1>;
  using Line = Tile<TileType::Vec, float, 1, R, BLayout::RowMajor, 1, R>;
  Tile<TileType::Vec, float, R, C / 2> work;
  TASSIGN(work, 165888);
  for (int id = 0; id < 2; ++id) {
    set_flag(PIPE_V, PIPE_MTE2, id);
    set_flag(PIPE_MTE3, PIPE_V, id);
    Tile<TileType::Vec, float, R, D> sum;
    Line most, total;
    TASSIGN(sum, 133120 + id * 16384);
    TASSIGN(most, 16384 + 512 * id);
    TASSIGN(total, 16640 + 512 * id);
    TEXPANDS(sum, 0.0f);
    TEXPANDS(most, -1e30f);
    TEXPANDS(total, 0.0f);
  }
  pipe_barrier(PIPE_V);
  for (int64_t c = 0; c < n; c += C)
    for (int slice = 0; slice < 2; ++slice) {
      Tile<TileType::Vec, float, R, C> x;
      Tile<TileType::Vec, half, R, C> y;
      Tile<TileType::Vec, float, R, D> part, sum;
      Line most, total, factor, largest, sums;
      Column factor_column, largest_column, sums_column;
      TASSIGN(x, 34816 + slice * 32768);
      TASSIGN(y, 100352 + slice * 16384);
      TASSIGN(part, slice * 16384 + (slice == 0 ? 0 : 1024));
      TASSIGN(sum, 133120 + slice * 16384);
      TASSIGN(most, 16384 + 512 * slice);
      TASSIGN(total, 16640 + 512 * slice);
      TASSIGN(factor, 16384 + 128);
      TASSIGN(factor_column, 16384 + 128);
      TASSIGN(largest, 16640 + 128);
      TASSIGN(largest_column, 16640 + 128);
      TASSIGN(sums, 16896 + 128);
      TASSIGN(sums_column, 16896 + 128);
      wait_flag(PIPE_V, PIPE_MTE2, slice);
      TLOAD(x, Floats(s + slice * R * n + c, Extents(R, C), Pitch(n)));
      TLOAD(part, Floats(v + (c / 4 + slice * R) * D, Extents(R, D), Pitch(D)));
      set_flag(PIPE_MTE2, PIPE_V, slice);
      wait_flag(PIPE_MTE2, PIPE_V, slice);
      TMULS(x, x, 0.0883883476f);
      pipe_barrier(PIPE_V);
      TROWMAX(largest_column, x, work);
      pipe_barrier(PIPE_V);
      TMAX(largest, largest, most);
      pipe_barrier(PIPE_V);
      TSUB(factor, most, largest);
      pipe_barrier(PIPE_V);
      TEXP(factor, factor);
      TMOV(most, largest);
      TROWEXPANDSUB(x, x, largest_column);
      pipe_barrier(PIPE_V);
      TEXP(x, x);
      pipe_barrier(PIPE_V);
      TROWSUM(sums_column, x, work);
      wait_flag(PIPE_MTE3, PIPE_V, slice);
      TCVT(y, x, RoundMode::CAST_RINT);
      set_flag(PIPE_V, PIPE_MTE3, slice);
      TMUL(total, total, factor);
      pipe_barrier(PIPE_V);
      TADD(total, total, sums);
      TROWEXPANDMUL(sum, sum, factor_column);
      pipe_barrier(PIPE_V);
      TADD(sum, sum, part);
      pipe_barrier(PIPE_V);
      set_flag(PIPE_V, PIPE_MTE2, slice);
      wait_flag(PIPE_V, PIPE_MTE3, slice);
      TSTORE(Halves(p + slice * R * n + c, Extents(R, C), Pitch(n)), y);
      set_flag(PIPE_MTE3, PIPE_V, slice);
    }
  for (int id = 0; id < 2; ++id) {
    Tile<TileType::Vec, float, R, D> sum;
    Column total;
    TASSIGN(sum, 133120 + id * 16384);
    TASSIGN(total, 16640 + 512 * id);
    wait_flag(PIPE_V, PIPE_MTE2, id);
    wait_flag(PIPE_MTE3, PIPE_V, id);
    Tile<TileType::Vec, float, R, D> result;
    TASSIGN(result, 34816 + id * 16384);
    TROWEXPANDDIV(result, sum, total);
    set_flag(PIPE_V, PIPE_MTE3, id);
    wait_flag(PIPE_V, PIPE_MTE3, id);
    TSTORE(Floats(o + id * R * D, Extents(R, D), Pitch(D)), result);
  }
  set_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
  wait_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
}
