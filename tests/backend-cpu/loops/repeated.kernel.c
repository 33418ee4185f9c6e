/* k: made from the last stage, whose lines are cited. */
#include "htp_cpu.h"

int kernel_k(const float *restrict x, const int32_t *restrict t, float *restrict y, int32_t *restrict z, int64_t M, int64_t N) { // program.py:13
  htp_failure failed = {0};
  for (int64_t i_at = 0; i_at < M; i_at += 4) { // program.py:14
    const int64_t i_n = htp_min(4, M - i_at); // program.py:15
    float *restrict e = htp_scratch(htp_size(N, htp_size(4, (int64_t)sizeof *e))); // program.py:16
    if (!e) {
      htp_fail(&failed, htp_no_memory, 0, htp_size(N, htp_size(4, (int64_t)sizeof *e)), 0);
    } else {
      for (int64_t p_1 = 0; p_1 < i_n; p_1++) { // program.py:17
        if (N >= HTP_V4) {
          for (int64_t q_1 = 0; q_1 + HTP_V4 <= N; q_1 += HTP_V4) { // program.py:18
            htp_f32v4 e_at = htp_load_f32v4(&x[(i_at + p_1) * N + q_1]); // program.py:19
            htp_store_f32v4(&e[p_1 * N + q_1], e_at); // program.py:20
          }
          if (N % HTP_V4 != 0) {
            const int64_t q_1 = N - HTP_V4;
            htp_f32v4 e_at = htp_load_f32v4(&x[(i_at + p_1) * N + q_1]); // program.py:19
            htp_store_f32v4(&e[p_1 * N + q_1], e_at); // program.py:20
          }
        } else {
          for (int64_t q_1 = 0; q_1 < N; q_1++) { // program.py:18
            float e_at = x[(i_at + p_1) * N + q_1]; // program.py:19
            e[p_1 * N + q_1] = e_at; // program.py:20
          }
        }
      }
      int64_t n = 0; // program.py:21
      while (!failed.why && (n < 8)) { // program.py:22
        uint8_t reduce_any = 0; // program.py:23
        for (int64_t p_1 = 0; p_1 < i_n; p_1++) { // program.py:24
          float reduce_max = -__builtin_inff(); // program.py:25
          htp_f32v4 reduce_max_v_0 = htp_splat_f32v4(-__builtin_inff());
          htp_f32v4 reduce_max_v_1 = htp_splat_f32v4(-__builtin_inff());
          htp_f32v4 reduce_max_v_2 = htp_splat_f32v4(-__builtin_inff());
          htp_f32v4 reduce_max_v_3 = htp_splat_f32v4(-__builtin_inff());
          htp_f32v4 reduce_max_v_0_nan = htp_splat_f32v4(0);
          for (int64_t q_1 = 0; q_1 + 4 * HTP_V4 <= N; q_1 += 4 * HTP_V4) { // program.py:26
            htp_f32v4 e_at_0 = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:27
            htp_f32v4 e_at_1 = htp_load_f32v4(&e[p_1 * N + q_1 + HTP_V4]);
            htp_f32v4 e_at_2 = htp_load_f32v4(&e[p_1 * N + q_1 + 2 * HTP_V4]);
            htp_f32v4 e_at_3 = htp_load_f32v4(&e[p_1 * N + q_1 + 3 * HTP_V4]);
            reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, e_at_0); // program.py:28
            reduce_max_v_1 = htp_upper_f32v4(reduce_max_v_1, e_at_1);
            reduce_max_v_2 = htp_upper_f32v4(reduce_max_v_2, e_at_2);
            reduce_max_v_3 = htp_upper_f32v4(reduce_max_v_3, e_at_3);
            reduce_max_v_0_nan = htp_ordered_f32v4(reduce_max_v_0_nan, e_at_0, e_at_1);
            reduce_max_v_0_nan = htp_ordered_f32v4(reduce_max_v_0_nan, e_at_2, e_at_3);
          }
          for (int64_t q_1 = N / (4 * HTP_V4) * (4 * HTP_V4); q_1 + HTP_V4 <= N; q_1 += HTP_V4) { // program.py:26
            htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:27
            reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, e_at); // program.py:28
            reduce_max_v_0_nan = htp_ordered_f32v4(reduce_max_v_0_nan, e_at, e_at);
          }
          if (N >= HTP_V4 && N % HTP_V4 != 0) {
            const int64_t q_1 = N - HTP_V4;
            htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:27
            reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, e_at); // program.py:28
            reduce_max_v_0_nan = htp_ordered_f32v4(reduce_max_v_0_nan, e_at, e_at);
          }
          reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, reduce_max_v_1);
          reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, reduce_max_v_2);
          reduce_max_v_0 = htp_upper_f32v4(reduce_max_v_0, reduce_max_v_3);
          reduce_max_v_0 = htp_ordered_f32v4(reduce_max_v_0, reduce_max_v_0_nan, reduce_max_v_0_nan);
          reduce_max = htp_maximum_f32(reduce_max, htp_fold_maximum_f32v4(reduce_max_v_0));
          for (int64_t q_1 = N >= HTP_V4 ? N : 0; q_1 < N; q_1++) { // program.py:26
            float e_at = e[p_1 * N + q_1]; // program.py:27
            reduce_max = htp_maximum_f32(reduce_max, e_at); // program.py:28
          }
          const uint8_t gt = reduce_max > 0.25f; // program.py:29
          reduce_any = htp_bit_or_u8(reduce_any, gt); // program.py:30
        }
        const int64_t holds = reduce_any; // program.py:31
        if (!(holds)) { // program.py:32
          break; // program.py:33
        }
        _Alignas(64) float mean[4 * 1]; // program.py:34
        for (int64_t p_1 = 0; p_1 < i_n; p_1++) { // program.py:35
          float mean_at = 0.0f; // program.py:36
          htp_f32v4 mean_at_v_0 = htp_splat_f32v4(0.0f);
          htp_f32v4 mean_at_v_1 = htp_splat_f32v4(0.0f);
          htp_f32v4 mean_at_v_2 = htp_splat_f32v4(0.0f);
          htp_f32v4 mean_at_v_3 = htp_splat_f32v4(0.0f);
          for (int64_t q_1 = 0; q_1 + 4 * HTP_V4 <= N; q_1 += 4 * HTP_V4) { // program.py:37
            htp_f32v4 e_at_0 = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:38
            htp_f32v4 e_at_1 = htp_load_f32v4(&e[p_1 * N + q_1 + HTP_V4]);
            htp_f32v4 e_at_2 = htp_load_f32v4(&e[p_1 * N + q_1 + 2 * HTP_V4]);
            htp_f32v4 e_at_3 = htp_load_f32v4(&e[p_1 * N + q_1 + 3 * HTP_V4]);
            e_at_0 = e_at_0 * 0.5f; // program.py:39
            e_at_1 = e_at_1 * 0.5f;
            e_at_2 = e_at_2 * 0.5f;
            e_at_3 = e_at_3 * 0.5f;
            htp_store_f32v4(&e[p_1 * N + q_1], e_at_0); // program.py:40
            htp_store_f32v4(&e[p_1 * N + q_1 + HTP_V4], e_at_1);
            htp_store_f32v4(&e[p_1 * N + q_1 + 2 * HTP_V4], e_at_2);
            htp_store_f32v4(&e[p_1 * N + q_1 + 3 * HTP_V4], e_at_3);
            mean_at_v_0 = mean_at_v_0 + e_at_0; // program.py:41
            mean_at_v_1 = mean_at_v_1 + e_at_1;
            mean_at_v_2 = mean_at_v_2 + e_at_2;
            mean_at_v_3 = mean_at_v_3 + e_at_3;
          }
          for (int64_t q_1 = N / (4 * HTP_V4) * (4 * HTP_V4); q_1 + HTP_V4 <= N; q_1 += HTP_V4) { // program.py:37
            htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:38
            e_at = e_at * 0.5f; // program.py:39
            htp_store_f32v4(&e[p_1 * N + q_1], e_at); // program.py:40
            mean_at_v_0 = mean_at_v_0 + e_at; // program.py:41
          }
          mean_at_v_0 = mean_at_v_0 + mean_at_v_1;
          mean_at_v_0 = mean_at_v_0 + mean_at_v_2;
          mean_at_v_0 = mean_at_v_0 + mean_at_v_3;
          mean_at = mean_at + htp_fold_add_f32v4(mean_at_v_0);
          for (int64_t q_1 = N / HTP_V4 * HTP_V4; q_1 < N; q_1++) { // program.py:37
            float e_at = e[p_1 * N + q_1]; // program.py:38
            e_at = e_at * 0.5f; // program.py:39
            e[p_1 * N + q_1] = e_at; // program.py:40
            mean_at = mean_at + e_at; // program.py:41
          }
          mean[p_1 * 1 + 0] = mean_at; // program.py:42
        }
        for (int64_t m = 0; m < 2; m++) { // program.py:43
          float *restrict part = htp_scratch(htp_size(N, (int64_t)sizeof *part)); // program.py:44
          if (!part) {
            htp_fail(&failed, htp_no_memory, 1, htp_size(N, (int64_t)sizeof *part), 0);
          } else {
            for (int64_t p_1 = 0; p_1 < i_n; p_1++) { // program.py:45
              float mean_at = mean[p_1 * 1 + 0]; // program.py:46
              if (N >= HTP_V4) {
                for (int64_t q_1 = 0; q_1 + HTP_V4 <= N; q_1 += HTP_V4) { // program.py:47
                  htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:48
                  const htp_f32v4 part_at = e_at - mean_at; // program.py:49
                  htp_store_f32v4(&part[q_1], part_at); // program.py:50
                }
                if (N % HTP_V4 != 0) {
                  const int64_t q_1 = N - HTP_V4;
                  htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:48
                  const htp_f32v4 part_at = e_at - mean_at; // program.py:49
                  htp_store_f32v4(&part[q_1], part_at); // program.py:50
                }
              } else {
                for (int64_t q_1 = 0; q_1 < N; q_1++) { // program.py:47
                  float e_at = e[p_1 * N + q_1]; // program.py:48
                  const float part_at = e_at - mean_at; // program.py:49
                  part[q_1] = part_at; // program.py:50
                }
              }
              mean_at = 0.0f; // program.py:51
              htp_f32v4 mean_at_v_0_1 = htp_splat_f32v4(0.0f);
              htp_f32v4 mean_at_v_1_1 = htp_splat_f32v4(0.0f);
              htp_f32v4 mean_at_v_2_1 = htp_splat_f32v4(0.0f);
              htp_f32v4 mean_at_v_3_1 = htp_splat_f32v4(0.0f);
              for (int64_t q_1 = 0; q_1 + 4 * HTP_V4 <= N; q_1 += 4 * HTP_V4) { // program.py:52
                const htp_f32v4 part_at_0 = htp_load_f32v4(&part[q_1]); // program.py:53
                const htp_f32v4 part_at_1 = htp_load_f32v4(&part[q_1 + HTP_V4]);
                const htp_f32v4 part_at_2 = htp_load_f32v4(&part[q_1 + 2 * HTP_V4]);
                const htp_f32v4 part_at_3 = htp_load_f32v4(&part[q_1 + 3 * HTP_V4]);
                mean_at_v_0_1 = mean_at_v_0_1 + part_at_0; // program.py:54
                mean_at_v_1_1 = mean_at_v_1_1 + part_at_1;
                mean_at_v_2_1 = mean_at_v_2_1 + part_at_2;
                mean_at_v_3_1 = mean_at_v_3_1 + part_at_3;
              }
              for (int64_t q_1 = N / (4 * HTP_V4) * (4 * HTP_V4); q_1 + HTP_V4 <= N; q_1 += HTP_V4) { // program.py:52
                const htp_f32v4 part_at = htp_load_f32v4(&part[q_1]); // program.py:53
                mean_at_v_0_1 = mean_at_v_0_1 + part_at; // program.py:54
              }
              if (N >= HTP_V4 && N % HTP_V4 != 0) {
                const int64_t q_1 = N - HTP_V4;
                const htp_f32v4 mean_at_v_0_1_before = mean_at_v_0_1;
                const htp_f32v4 part_at = htp_load_f32v4(&part[q_1]); // program.py:53
                mean_at_v_0_1 = mean_at_v_0_1 + part_at; // program.py:54
                mean_at_v_0_1 = htp_late_f32v4(mean_at_v_0_1, mean_at_v_0_1_before, N % HTP_V4);
              }
              mean_at_v_0_1 = mean_at_v_0_1 + mean_at_v_1_1;
              mean_at_v_0_1 = mean_at_v_0_1 + mean_at_v_2_1;
              mean_at_v_0_1 = mean_at_v_0_1 + mean_at_v_3_1;
              mean_at = mean_at + htp_fold_add_f32v4(mean_at_v_0_1);
              for (int64_t q_1 = N >= HTP_V4 ? N : 0; q_1 < N; q_1++) { // program.py:52
                const float part_at = part[q_1]; // program.py:53
                mean_at = mean_at + part_at; // program.py:54
              }
              mean[p_1 * 1 + 0] = mean_at; // program.py:55
            }
            __builtin_free(part);
          }
        }
        n = n + 1; // program.py:56
        float *restrict rest = htp_scratch(htp_size(N, htp_size(4, (int64_t)sizeof *rest))); // program.py:57
        if (!rest) {
          htp_fail(&failed, htp_no_memory, 2, htp_size(N, htp_size(4, (int64_t)sizeof *rest)), 0);
          break;
        } else {
          uint8_t reduce_any_1 = 0; // program.py:58
          for (int64_t p_1 = 0; p_1 < i_n; p_1++) { // program.py:59
            float mean_at = mean[p_1 * 1 + 0]; // program.py:60
            const uint8_t lt = mean_at < 0.125f; // program.py:61
            reduce_any_1 = htp_bit_or_u8(reduce_any_1, lt); // program.py:62
            if (N >= HTP_V4) {
              for (int64_t q_1 = 0; q_1 + HTP_V4 <= N; q_1 += HTP_V4) { // program.py:63
                htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:64
                const htp_f32v4 mul = e_at * 2.0f; // program.py:65
                const htp_f32v4 rest_at = mul + mean_at; // program.py:66
                htp_store_f32v4(&rest[p_1 * N + q_1], rest_at); // program.py:67
              }
              if (N % HTP_V4 != 0) {
                const int64_t q_1 = N - HTP_V4;
                htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:64
                const htp_f32v4 mul = e_at * 2.0f; // program.py:65
                const htp_f32v4 rest_at = mul + mean_at; // program.py:66
                htp_store_f32v4(&rest[p_1 * N + q_1], rest_at); // program.py:67
              }
            } else {
              for (int64_t q_1 = 0; q_1 < N; q_1++) { // program.py:63
                float e_at = e[p_1 * N + q_1]; // program.py:64
                const float mul = e_at * 2.0f; // program.py:65
                const float rest_at = mul + mean_at; // program.py:66
                rest[p_1 * N + q_1] = rest_at; // program.py:67
              }
            }
          }
          const int64_t holds_1 = reduce_any_1; // program.py:68
          if (holds_1) { // program.py:69
            __builtin_free(rest);
            break; // program.py:70
          }
          for (int64_t p_1 = 0; p_1 < i_n; p_1++) { // program.py:71
            if (N >= HTP_V4) {
              for (int64_t q_1 = 0; q_1 + HTP_V4 <= N; q_1 += HTP_V4) { // program.py:72
                const htp_f32v4 rest_at = htp_load_f32v4(&rest[p_1 * N + q_1]); // program.py:73
                htp_f32v4 e_at = rest_at; // program.py:74
                htp_store_f32v4(&e[p_1 * N + q_1], e_at); // program.py:75
              }
              if (N % HTP_V4 != 0) {
                const int64_t q_1 = N - HTP_V4;
                const htp_f32v4 rest_at = htp_load_f32v4(&rest[p_1 * N + q_1]); // program.py:73
                htp_f32v4 e_at = rest_at; // program.py:74
                htp_store_f32v4(&e[p_1 * N + q_1], e_at); // program.py:75
              }
            } else {
              for (int64_t q_1 = 0; q_1 < N; q_1++) { // program.py:72
                const float rest_at = rest[p_1 * N + q_1]; // program.py:73
                float e_at = rest_at; // program.py:74
                e[p_1 * N + q_1] = e_at; // program.py:75
              }
            }
          }
          __builtin_free(rest);
        }
      }
      for (int64_t p_1 = 0; p_1 < i_n; p_1++) { // program.py:76
        if (N >= HTP_V4) {
          for (int64_t q_1 = 0; q_1 + HTP_V4 <= N; q_1 += HTP_V4) { // program.py:77
            htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:78
            htp_store_f32v4(&y[(i_at + p_1) * N + q_1], e_at); // program.py:79
          }
          if (N % HTP_V4 != 0) {
            const int64_t q_1 = N - HTP_V4;
            htp_f32v4 e_at = htp_load_f32v4(&e[p_1 * N + q_1]); // program.py:78
            htp_store_f32v4(&y[(i_at + p_1) * N + q_1], e_at); // program.py:79
          }
        } else {
          for (int64_t q_1 = 0; q_1 < N; q_1++) { // program.py:77
            float e_at = e[p_1 * N + q_1]; // program.py:78
            y[(i_at + p_1) * N + q_1] = e_at; // program.py:79
          }
        }
      }
      __builtin_free(e);
    }
  }
  for (int64_t p = 0; p < N; p++) { // program.py:80
    int64_t q = p; // program.py:81
    int64_t steps = 0; // program.py:82
    while (!failed.why && ((q != 0) && (steps < N))) { // program.py:83
      const int32_t t_tile = htp_inside(q, N, 3, &failed) ? t[q] : 0; // program.py:84
      q = t_tile; // program.py:85
      steps = steps + 1; // program.py:86
    }
    const int32_t full = (int32_t)(steps); // program.py:87
    z[p] = full; // program.py:88
  }
  return htp_end(&failed);
}

/* The same for a caller that holds the tensors' addresses and the extents in arrays, in the order above. */
int call_k(void *const *tensors, const int64_t *dims) {
  return kernel_k(tensors[0], tensors[1], tensors[2], tensors[3], dims[0], dims[1]);
}

/* Of the call that failed last on this thread: which of the signature's checks, and its ints. */
const htp_failure *why_k(void) {
  return &htp_failed_last;
}
