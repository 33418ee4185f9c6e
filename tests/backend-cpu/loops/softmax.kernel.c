/* k: made from the last stage, whose lines are cited. */
#include "htp_cpu.h"

int kernel_k(const float *restrict x, float *restrict y, int64_t M, int64_t N) { // program.py:14
  htp_failure failed = {0};
  for (int64_t i_at = 0; i_at < M; i_at += 8) { // program.py:15
    const int64_t i_n = htp_min(8, M - i_at); // program.py:16
    float *restrict e = htp_scratch(htp_size(N, (int64_t)sizeof *e)); // program.py:17
    if (!e) {
      htp_fail(&failed, htp_no_memory, 0, htp_size(N, (int64_t)sizeof *e), 0);
    } else {
      for (int64_t p = 0; p < i_n; p++) { // program.py:18
        float reduce_max = -__builtin_inff(); // program.py:19
        htp_f32v4 reduce_max_v_0 = htp_splat_f32v4(-__builtin_inff());
        htp_f32v4 reduce_max_v_1 = htp_splat_f32v4(-__builtin_inff());
        htp_f32v4 reduce_max_v_2 = htp_splat_f32v4(-__builtin_inff());
        htp_f32v4 reduce_max_v_3 = htp_splat_f32v4(-__builtin_inff());
        htp_f32v4 reduce_max_v_0_nan = htp_splat_f32v4(0);
        for (int64_t q = 0; q + 4 * HTP_V4 <= N; q += 4 * HTP_V4) { // program.py:20
          const htp_f32v4 row_0 = htp_load_f32v4(&x[(i_at + p) * N + q]); // program.py:21
          const htp_f32v4 row_1 = htp_load_f32v4(&x[(i_at + p) * N + q + HTP_V4]);
          const htp_f32v4 row_2 = htp_load_f32v4(&x[(i_at + p) * N + q + 2 * HTP_V4]);
          const htp_f32v4 row_3 = htp_load_f32v4(&x[(i_at + p) * N + q + 3 * HTP_V4]);
          reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, row_0); // program.py:22
          reduce_max_v_1 = htp_upper_f32v4(reduce_max_v_1, row_1);
          reduce_max_v_2 = htp_upper_f32v4(reduce_max_v_2, row_2);
          reduce_max_v_3 = htp_upper_f32v4(reduce_max_v_3, row_3);
          reduce_max_v_0_nan = htp_ordered_f32v4(reduce_max_v_0_nan, row_0, row_1);
          reduce_max_v_0_nan = htp_ordered_f32v4(reduce_max_v_0_nan, row_2, row_3);
        }
        for (int64_t q = N / (4 * HTP_V4) * (4 * HTP_V4); q + HTP_V4 <= N; q += HTP_V4) { // program.py:20
          const htp_f32v4 row = htp_load_f32v4(&x[(i_at + p) * N + q]); // program.py:21
          reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, row); // program.py:22
          reduce_max_v_0_nan = htp_ordered_f32v4(reduce_max_v_0_nan, row, row);
        }
        if (N >= HTP_V4 && N % HTP_V4 != 0) {
          const int64_t q = N - HTP_V4;
          const htp_f32v4 row = htp_load_f32v4(&x[(i_at + p) * N + q]); // program.py:21
          reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, row); // program.py:22
          reduce_max_v_0_nan = htp_ordered_f32v4(reduce_max_v_0_nan, row, row);
        }
        reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, reduce_max_v_1);
        reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, reduce_max_v_2);
        reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, reduce_max_v_3);
        reduce_max_v_0 = htp_ordered_f32v4(reduce_max_v_0, reduce_max_v_0_nan, reduce_max_v_0_nan);
        reduce_max = htp_maximum_f32(reduce_max, htp_fold_maximum_f32v4(reduce_max_v_0));
        for (int64_t q = N >= HTP_V4 ? N : 0; q < N; q++) { // program.py:20
          const float row = x[(i_at + p) * N + q]; // program.py:21
          reduce_max = htp_maximum_f32(reduce_max, row); // program.py:22
        }
        float reduce_sum = 0.0f; // program.py:23
        htp_f32v4 reduce_sum_v_0 = htp_splat_f32v4(0.0f);
        htp_f32v4 reduce_sum_v_1 = htp_splat_f32v4(0.0f);
        htp_f32v4 reduce_sum_v_2 = htp_splat_f32v4(0.0f);
        htp_f32v4 reduce_sum_v_3 = htp_splat_f32v4(0.0f);
        for (int64_t q = 0; q + 4 * HTP_V4 <= N; q += 4 * HTP_V4) { // program.py:24
          const htp_f32v4 row_0 = htp_load_f32v4(&x[(i_at + p) * N + q]); // program.py:25
          const htp_f32v4 row_1 = htp_load_f32v4(&x[(i_at + p) * N + q + HTP_V4]);
          const htp_f32v4 row_2 = htp_load_f32v4(&x[(i_at + p) * N + q + 2 * HTP_V4]);
          const htp_f32v4 row_3 = htp_load_f32v4(&x[(i_at + p) * N + q + 3 * HTP_V4]);
          const htp_f32v4 sub_0 = row_0 - reduce_max; // program.py:26
          const htp_f32v4 sub_1 = row_1 - reduce_max;
          const htp_f32v4 sub_2 = row_2 - reduce_max;
          const htp_f32v4 sub_3 = row_3 - reduce_max;
          const htp_f32v4 e_at_0 = htp_exp_f32v4(sub_0); // program.py:27
          const htp_f32v4 e_at_1 = htp_exp_f32v4(sub_1);
          const htp_f32v4 e_at_2 = htp_exp_f32v4(sub_2);
          const htp_f32v4 e_at_3 = htp_exp_f32v4(sub_3);
          htp_store_f32v4(&e[q], e_at_0); // program.py:28
          htp_store_f32v4(&e[q + HTP_V4], e_at_1);
          htp_store_f32v4(&e[q + 2 * HTP_V4], e_at_2);
          htp_store_f32v4(&e[q + 3 * HTP_V4], e_at_3);
          reduce_sum_v_0 = reduce_sum_v_0 + e_at_0; // program.py:29
          reduce_sum_v_1 = reduce_sum_v_1 + e_at_1;
          reduce_sum_v_2 = reduce_sum_v_2 + e_at_2;
          reduce_sum_v_3 = reduce_sum_v_3 + e_at_3;
        }
        for (int64_t q = N / (4 * HTP_V4) * (4 * HTP_V4); q + HTP_V4 <= N; q += HTP_V4) { // program.py:24
          const htp_f32v4 row = htp_load_f32v4(&x[(i_at + p) * N + q]); // program.py:25
          const htp_f32v4 sub = row - reduce_max; // program.py:26
          const htp_f32v4 e_at = htp_exp_f32v4(sub); // program.py:27
          htp_store_f32v4(&e[q], e_at); // program.py:28
          reduce_sum_v_0 = reduce_sum_v_0 + e_at; // program.py:29
        }
        if (N >= HTP_V4 && N % HTP_V4 != 0) {
          const int64_t q = N - HTP_V4;
          const htp_f32v4 reduce_sum_v_0_before = reduce_sum_v_0;
          const htp_f32v4 row = htp_load_f32v4(&x[(i_at + p) * N + q]); // program.py:25
          const htp_f32v4 sub = row - reduce_max; // program.py:26
          const htp_f32v4 e_at = htp_exp_f32v4(sub); // program.py:27
          htp_store_f32v4(&e[q], e_at); // program.py:28
          reduce_sum_v_0 = reduce_sum_v_0 + e_at; // program.py:29
          reduce_sum_v_0 = htp_late_f32v4(reduce_sum_v_0, reduce_sum_v_0_before, N % HTP_V4);
        }
        reduce_sum_v_0 = reduce_sum_v_0 + reduce_sum_v_1;
        reduce_sum_v_0 = reduce_sum_v_0 + reduce_sum_v_2;
        reduce_sum_v_0 = reduce_sum_v_0 + reduce_sum_v_3;
        reduce_sum = reduce_sum + htp_fold_add_f32v4(reduce_sum_v_0);
        for (int64_t q = N >= HTP_V4 ? N : 0; q < N; q++) { // program.py:24
          const float row = x[(i_at + p) * N + q]; // program.py:25
          const float sub = row - reduce_max; // program.py:26
          const float e_at = htp_exp_f32(sub); // program.py:27
          e[q] = e_at; // program.py:28
          reduce_sum = reduce_sum + e_at; // program.py:29
        }
        if (N >= HTP_V4) {
          for (int64_t q = 0; q + HTP_V4 <= N; q += HTP_V4) { // program.py:30
            const htp_f32v4 e_at = htp_load_f32v4(&e[q]); // program.py:31
            const htp_f32v4 div = e_at / reduce_sum; // program.py:32
            htp_store_f32v4(&y[(i_at + p) * N + q], div); // program.py:33
          }
          if (N % HTP_V4 != 0) {
            const int64_t q = N - HTP_V4;
            const htp_f32v4 e_at = htp_load_f32v4(&e[q]); // program.py:31
            const htp_f32v4 div = e_at / reduce_sum; // program.py:32
            htp_store_f32v4(&y[(i_at + p) * N + q], div); // program.py:33
          }
        } else {
          for (int64_t q = 0; q < N; q++) { // program.py:30
            const float e_at = e[q]; // program.py:31
            const float div = e_at / reduce_sum; // program.py:32
            y[(i_at + p) * N + q] = div; // program.py:33
          }
        }
      }
      __builtin_free(e);
    }
  }
  return htp_end(&failed);
}

/* The same for a caller that holds the tensors' addresses and the extents in arrays, in the order above. */
int call_k(void *const *tensors, const int64_t *dims) {
  return kernel_k(tensors[0], tensors[1], dims[0], dims[1]);
}

/* Of the call that failed last on this thread: which of the signature's checks, and its ints. */
const htp_failure *why_k(void) {
  return &htp_failed_last;
}
