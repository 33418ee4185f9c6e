// z = x + y, of N numbers in pieces of 2048 with two buffers each; the last piece is shorter.
#include "../htp_kernel.h"

using namespace pto;

extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t *args) {
  __gm__ float *x = HTP_TENSOR(float, 0);
  __gm__ float *y = HTP_TENSOR(float, 1);
  __gm__ float *z = HTP_TENSOR(float, 2);
  const int64_t n = HTP_SCALAR(int64_t, 0, 3);
  constexpr int piece = 2048, bytes = piece * 4;
  using Piece = Tile<TileType::Vec, float, 1, piece, BLayout::RowMajor, 1, DYNAMIC>;
  using Global = GlobalTensor<float, Shape<1, 1, 1, 1, DYNAMIC>, Stride<1, 1, 1, 1, 1>>;
  for (int id = 0; id < 2; ++id) {
    set_flag(PIPE_V, PIPE_MTE2, id);
    set_flag(PIPE_MTE3, PIPE_V, id);
  }
  int slot = 0;
  for (int64_t at = 0; at < n; at += piece) {
    const int64_t count = n - at < piece ? n - at : piece;
    Piece a(count), b(count), c(count);
    TASSIGN(a, slot * bytes);
    TASSIGN(b, 2 * bytes + slot * bytes);
    TASSIGN(c, 4 * bytes + slot * bytes);
    Global from_x(x + at, Shape<1, 1, 1, 1, DYNAMIC>(count)), from_y(y + at, Shape<1, 1, 1, 1, DYNAMIC>(count)),
        to_z(z + at, Shape<1, 1, 1, 1, DYNAMIC>(count));
    wait_flag(PIPE_V, PIPE_MTE2, slot);
    TLOAD(a, from_x);
    TLOAD(b, from_y);
    set_flag(PIPE_MTE2, PIPE_V, slot);
    wait_flag(PIPE_MTE2, PIPE_V, slot);
    wait_flag(PIPE_MTE3, PIPE_V, slot);
    TADD(c, a, b);
    set_flag(PIPE_V, PIPE_MTE2, slot);
    set_flag(PIPE_V, PIPE_MTE3, slot);
    wait_flag(PIPE_V, PIPE_MTE3, slot);
    TSTORE(to_z, c);
    set_flag(PIPE_MTE3, PIPE_V, slot);
    slot = 1 - slot;
  }
  for (int id = 0; id < 2; ++id) {
    wait_flag(PIPE_V, PIPE_MTE2, id);
    wait_flag(PIPE_MTE3, PIPE_V, id);
  }
  set_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
  wait_flag(PIPE_MTE3, PIPE_S, EVENT_ID7);
}
