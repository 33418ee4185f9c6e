// y = x + step, of at most 8192 numbers.
#include "../htp_kernel.h"

using namespace pto;

extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t *args) {
  const int64_t n = HTP_SCALAR(int64_t, 0, 2), step = HTP_SCALAR(int64_t, 1, 2);
  using Row = Tile<TileType::Vec, float, 1, 8192, BLayout::RowMajor, 1, DYNAMIC>;
  using Extent = Shape<1, 1, 1, 1, DYNAMIC>;
  using Global = GlobalTensor<float, Extent, Stride<1, 1, 1, 1, 1>>;
  Row row(n);
  TASSIGN(row, 0);
  Global x(HTP_TENSOR(float, 0), Extent(n)), y(HTP_TENSOR(float, 1), Extent(n));
  TLOAD(row, x);
  set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
  TADDS(row, row, static_cast<float>(step));
  set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
  TSTORE(y, row);
  set_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
  wait_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
}
