// c = a b of f16 matrices, in blocks of 128: a block of c is made of the blocks of a row of a and of a column of b.
#include "../htp_kernel.h"

using namespace pto;

extern "C" __aicore__ __attribute__((always_inline)) void kernel_entry(__gm__ int64_t *args) {
  __gm__ half *a = HTP_TENSOR(half, 0);
  __gm__ half *b = HTP_TENSOR(half, 1);
  __gm__ float *c = HTP_TENSOR(float, 2);
  const int64_t m = HTP_SCALAR(int64_t, 0, 3), k = HTP_SCALAR(int64_t, 1, 3), n = HTP_SCALAR(int64_t, 2, 3);
  constexpr int size = 128, bytes = size * size * 2;
  using Block = Tile<TileType::Mat, half, size, size, BLayout::ColMajor, DYNAMIC, DYNAMIC, SLayout::RowMajor, 512>;
  using Halves = GlobalTensor<half, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;
  using Floats = GlobalTensor<float, Shape<1, 1, 1, DYNAMIC, DYNAMIC>, Stride<1, 1, 1, DYNAMIC, 1>>;
  using Extents = Shape<1, 1, 1, DYNAMIC, DYNAMIC>;
  using Pitch = Stride<1, 1, 1, DYNAMIC, 1>;
  const auto least = [](int64_t rest) { return rest < size ? rest : size; };
  for (int id = 0; id < 2; ++id) {
    set_flag(PIPE_MTE1, PIPE_MTE2, id);
    set_flag(PIPE_M, PIPE_MTE1, id);
  }
  set_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
  int slot = 0;
  for (int64_t i = 0; i < m; i += size)
    for (int64_t j = 0; j < n; j += size) {
      const int64_t rows = least(m - i), columns = least(n - j);
      TileAcc<float, size, size, DYNAMIC, DYNAMIC> sum(rows, columns);
      TASSIGN(sum, 0);
      wait_flag(PIPE_FIX, PIPE_M, EVENT_ID0);
      for (int64_t p = 0; p < k; p += size) {
        const int64_t depth = least(k - p);
        Block wide(rows, depth), tall(depth, columns);
        TileLeft<half, size, size, DYNAMIC, DYNAMIC> left(rows, depth);
        TileRight<half, size, size, DYNAMIC, DYNAMIC> right(depth, columns);
        TASSIGN(wide, slot * bytes);
        TASSIGN(tall, 2 * bytes + slot * bytes);
        TASSIGN(left, slot * bytes);
        TASSIGN(right, slot * bytes);
        Halves from_a(a + i * k + p, Extents(rows, depth), Pitch(k)),
            from_b(b + p * n + j, Extents(depth, columns), Pitch(n));
        wait_flag(PIPE_MTE1, PIPE_MTE2, slot);
        TLOAD(wide, from_a);
        TLOAD(tall, from_b);
        set_flag(PIPE_MTE2, PIPE_MTE1, slot);
        wait_flag(PIPE_MTE2, PIPE_MTE1, slot);
        wait_flag(PIPE_M, PIPE_MTE1, slot);
        TMOV(left, wide);
        TMOV(right, tall);
        set_flag(PIPE_MTE1, PIPE_MTE2, slot);
        set_flag(PIPE_MTE1, PIPE_M, slot);
        wait_flag(PIPE_MTE1, PIPE_M, slot);
        if (p == 0)
          TMATMUL(sum, left, right);
        else
          TMATMUL_ACC(sum, left, right);
        set_flag(PIPE_M, PIPE_MTE1, slot);
        slot = 1 - slot;
      }
      set_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
      wait_flag(PIPE_M, PIPE_FIX, EVENT_ID0);
      Floats to(c + i * n + j, Extents(rows, columns), Pitch(n));
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
