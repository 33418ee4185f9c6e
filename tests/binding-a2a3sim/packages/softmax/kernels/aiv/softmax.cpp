// The softmax of each row of a matrix of at most 256 columns, 32 rows at a time.
#include "../htp_kernel.h"

using namespace pto;

extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t *args) {
  __gm__ float *x = HTP_TENSOR(float, 0);
  __gm__ float *y = HTP_TENSOR(float, 1);
  const int64_t m = HTP_SCALAR(int64_t, 0, 2), n = HTP_SCALAR(int64_t, 1, 2);
  constexpr int rows = 32, columns = 256, bytes = rows * columns * 4;
  using Rows = Tile<TileType::Vec, float, rows, columns, BLayout::RowMajor, DYNAMIC, DYNAMIC>;
  using Column = Tile<TileType::Vec, float, rows, 1, BLayout::ColMajor, DYNAMIC, 1>;
  using Global = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;
  for (int64_t at = 0; at < m; at += rows) {
    const int64_t count = m - at < rows ? m - at : rows;
    Rows row(count, n), e(count, n), tmp(count, n);
    Column most(count), sum(count);
    TASSIGN(row, 0);
    TASSIGN(e, bytes);
    TASSIGN(tmp, 2 * bytes);
    TASSIGN(most, 3 * bytes);
    TASSIGN(sum, 3 * bytes + 128);
    Global from(x + at * n, Shape<1, 1, 1, DYNAMIC, DYNAMIC>(count, n), Stride<1, 1, 1, DYNAMIC, 1>(n)),
        to(y + at * n, Shape<1, 1, 1, DYNAMIC, DYNAMIC>(count, n), Stride<1, 1, 1, DYNAMIC, 1>(n));
    TLOAD(row, from);
    set_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    wait_flag(PIPE_MTE2, PIPE_V, EVENT_ID0);
    TROWMAX(most, row, tmp);
    pipe_barrier(PIPE_V);
    TROWEXPANDSUB(e, row, most);
    pipe_barrier(PIPE_V);
    TEXP(e, e);
    pipe_barrier(PIPE_V);
    TROWSUM(sum, e, tmp);
    pipe_barrier(PIPE_V);
    TROWEXPANDDIV(row, e, sum);
    set_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    wait_flag(PIPE_V, PIPE_MTE3, EVENT_ID0);
    TSTORE(to, row);
    set_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
    wait_flag(PIPE_MTE3, PIPE_MTE2, EVENT_ID0);
  }
  set_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
  wait_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
}
