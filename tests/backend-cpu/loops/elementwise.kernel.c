/* k: made from the last stage, whose lines are cited. */
#include "htp_cpu.h"

int kernel_k(const float *restrict a, const float *restrict b, float *restrict c, int64_t N) { // program.py:14
  for (int64_t i_at = 0; i_at < N; i_at += 64) { // program.py:15
    const int64_t i_n = htp_min(64, N - i_at); // program.py:16
    if (i_n >= HTP_V4) {
      for (int64_t p = 0; p + HTP_V4 <= i_n; p += HTP_V4) { // program.py:17
        const htp_f32v4 a_tile = htp_load_f32v4(&a[i_at + p]); // program.py:18
        const htp_f32v4 b_tile = htp_load_f32v4(&b[i_at + p]); // program.py:19
        const htp_f32v4 add = a_tile + b_tile; // program.py:20
        htp_store_f32v4(&c[i_at + p], add); // program.py:21
      }
      if (i_n % HTP_V4 != 0) {
        const int64_t p = i_n - HTP_V4;
        const htp_f32v4 a_tile = htp_load_f32v4(&a[i_at + p]); // program.py:18
        const htp_f32v4 b_tile = htp_load_f32v4(&b[i_at + p]); // program.py:19
        const htp_f32v4 add = a_tile + b_tile; // program.py:20
        htp_store_f32v4(&c[i_at + p], add); // program.py:21
      }
    } else {
      for (int64_t p = 0; p < i_n; p++) { // program.py:17
        const float a_tile = a[i_at + p]; // program.py:18
        const float b_tile = b[i_at + p]; // program.py:19
        const float add = a_tile + b_tile; // program.py:20
        c[i_at + p] = add; // program.py:21
      }
    }
  }
  return 0;
}

/* The same for a caller that holds the tensors' addresses and the extents in arrays, in the order above. */
int call_k(void *const *tensors, const int64_t *dims) {
  return kernel_k(tensors[0], tensors[1], tensors[2], dims[0]);
}
