// Instructions one after the other, on 16 x 61 elements of x and y: a test puts them in.
#include "../htp_kernel.h"

using namespace pto;

extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t *args) {
  using T = float;
  constexpr int R = 16, C = 64, vr = 16, vc = 61;
  __gm__ T *x = HTP_TENSOR(T, 0), *y = HTP_TENSOR(T, 1), *z = HTP_TENSOR(T, 2);
  using Rows = Tile<TileType::Vec, T, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  using Extents = Shape<1, 1, 1, DYNAMIC, DYNAMIC>;
  using Global = GlobalTensor<T, Extents, Stride<1, 1, 1, DYNAMIC, 1>>;
  Rows a(vr, vc), b(vr, vc), d(vr, vc), t(vr, vc);
  Tile<TileType::Vec, T, R, 1, BLayout::ColMajor, DYNAMIC, 1> column(vr);
  Tile<TileType::Vec, int32_t, R, 1, BLayout::ColMajor, DYNAMIC, 1> place(vr);
  Tile<TileType::Vec, T, 1, C, BLayout::RowMajor, 1, DYNAMIC> row(vc);
  Tile<TileType::Vec, uint8_t, R, 32, BLayout::RowMajor, DYNAMIC, DYNAMIC> mask(vr, (vc + 7) / 8);
  Tile<TileType::Vec, int32_t, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> whole(vr, vc);
  Tile<TileType::Vec, half, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> small(vr, vc);
  Tile<TileType::Vec, bfloat16_t, R, C, BLayout::RowMajor, DYNAMIC, DYNAMIC> brief(vr, vc);
  Tile<TileType::Vec, T, R, C, BLayout::RowMajor, R, C, SLayout::NoneBox, 512, PadValue::Min> padded;
  Tile<TileType::Vec, int32_t, 1, C, BLayout::RowMajor, 1, DYNAMIC> counts(vc);
  TASSIGN(counts, 36864), TASSIGN(a, 0), TASSIGN(b, 4096), TASSIGN(d, 8192), TASSIGN(t, 12288), TASSIGN(padded, 16384);
  TASSIGN(whole, 20480), TASSIGN(small, 24576), TASSIGN(brief, 28672);
  TASSIGN(column, 32768), TASSIGN(place, 32832), TASSIGN(row, 33024), TASSIGN(mask, 33280);
  TLOAD(a, Global(x, Extents(vr, vc), Stride<1, 1, 1, DYNAMIC, 1>(C)));
  TLOAD(b, Global(y, Extents(vr, vc), Stride<1, 1, 1, DYNAMIC, 1>(C)));
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  int number = 0;
  const auto store = [&] {
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(Global(z + number++ * R * C, Extents(vr, vc), Stride<1, 1, 1, DYNAMIC, 1>(C)), d);
    set_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_V, EVENT_ID0);
  };
  const auto then = [] { pipe_barrier(PIPE_V); };
  /* what is tested */
  set_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
  wait_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
}
