// c = a b of f16 matrices, one core's share: blocks of 128 x 256, four steps of 64 along k for each transfer,
// everything twice.
#include "../htp_kernel.h"

using namespace pto;

extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t *args) {
  __gm__ half *a = HTP_TENSOR(half, 0);
  __gm__ half *b = HTP_TENSOR(half, 1);
  __gm__ float *c = HTP_TENSOR(float, 2);
  const int64_t m = HTP_SCALAR(int64_t, 0, 3), k = HTP_SCALAR(int64_t, 1, 3), n = HTP_SCALAR(int64_t, 2, 3);
  constexpr int BM = 128, BN = 256, BK = 64, LK = 256;
  using Wide = Tile<TileType::Mat, half, BM, LK, BLayout::ColMajor, BM, LK, SLayout::RowMajor, 512>;
  using Tall = Tile<TileType::Mat, half, LK, BN, BLayout::ColMajor, LK, BN, SLayout::RowMajor, 512>;
  using Halves = GlobalTensor<half, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;
  using Floats = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;
  using Extents = Shape<1, 1, 1, DYNAMIC, DYNAMIC>;
  using Pitch = Stride<1, 1, 1, DYNAMIC, 1>;
  for (int id = 0; id < 2; ++id) {
    set_flag(PIPE_MTE1, PIPE_MTE2, id);
    set_flag(PIPE_M, PIPE_MTE1, id);
  }
  set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
  int slot = 0;
  int half_of = 0;
  for (int64_t i = 0; i < m; i += BM)
    for (int64_t j = 0; j < n; j += BN) {
      TileAcc<float, BM, BN, BM, BN> sum;
      TASSIGN(sum, 0);
      wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
      for (int64_t p = 0; p < k; p += LK) {
        Wide wide;
        Tall tall;
        TASSIGN(wide, slot * 65536);
        TASSIGN(tall, 131072 + slot * 131072);
        Halves from_a(a + i * k + p, Extents(BM, LK), Pitch(k)), from_b(b + p * n + j, Extents(LK, BN), Pitch(n));
        wait_flag(PIPE_MTE1, PIPE_MTE2, slot);
        TLOAD(wide, from_a);
        TLOAD(tall, from_b);
        set_flag(PIPE_MTE2, PIPE_MTE1, slot);
        wait_flag(PIPE_MTE2, PIPE_MTE1, slot);
        for (int q = 0; q < LK; q += BK) {
          TileLeft<half, BM, BK, BM, BK> left;
          TileRight<half, BK, BN, BK, BN> right;
          TASSIGN(left, half_of * 32768);
          TASSIGN(right, half_of * 32768);
          wait_flag(PIPE_M, PIPE_MTE1, half_of);
          TEXTRACT(left, wide, 0, q);
          TEXTRACT(right, tall, q, 0);
          set_flag(PIPE_MTE1, PIPE_M, half_of);
          wait_flag(PIPE_MTE1, PIPE_M, half_of);
          if (p + q == 0)
            TMATMUL(sum, left, right);
          else
            TMATMUL_ACC(sum, left, right);
          set_flag(PIPE_M, PIPE_MTE1, half_of);
          half_of = 1 - half_of;
        }
        set_flag(PIPE_MTE1, PIPE_MTE2, slot);
        slot = 1 - slot;
      }
      set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
      wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
      Floats to(c + i * n + j, Extents(BM, BN), Pitch(n));
      TSTORE(to, sum);
      set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
    }
  wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
  for (int id = 0; id < 2; ++id) {
    wait_flag(PIPE_MTE1, PIPE_MTE2, id);
    wait_flag(PIPE_M, PIPE_MTE1, id);
  }
  set_flag(PIPE_FIX, PIPE_S, EVENT_ID7);
  wait_flag(PIPE_FIX, PIPE_S, EVENT_ID7);
}
