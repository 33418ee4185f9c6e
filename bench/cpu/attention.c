/* Attention as two products by a BLAS and a softmax between them by intrinsics (rows.c), head by head: what
 * bench/cpu/attention.py holds compiled programs against. */
#include "rows.c"

typedef void Gemm(int order, int left, int right, int m, int n, int k, float alpha, const float *a, int lda,
                  const float *b, int ldb, float beta, float *c, int ldc);

/* o = softmax(q transposed(k) / sqrt(D)) v for each of H heads; `scores` has room for S x T, or for `rows` x T where so
 * many rows go at a time. */
void attention(Gemm *gemm, int64_t H, int64_t S, int64_t T, int64_t D, int64_t rows, const float *q, const float *k,
               const float *v, float *o, float *scores) {
  enum { by_rows = 101, as_it_is = 111, turned = 112 };
  for (int64_t h = 0; h < H; h++)
    for (int64_t s = 0; s < S; s += rows) {
      const int64_t at = (h * S + s) * D, n = S - s < rows ? S - s : rows;
      gemm(by_rows, as_it_is, turned, (int)n, (int)T, (int)D, 1 / sqrtf((float)D), q + at, (int)D, k + h * T * D,
           (int)D, 0, scores, (int)T);
      softmax(n, T, scores, scores);
      gemm(by_rows, as_it_is, as_it_is, (int)n, (int)D, (int)T, 1, scores, (int)T, v + h * T * D, (int)D, 0, o + at,
           (int)D);
    }
}
