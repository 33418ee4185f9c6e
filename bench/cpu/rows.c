/* Operations on rows by AVX-512's or AVX2's intrinsics, which bench/cpu/rows.py holds compiled programs against: what
 * their C should come near to. */
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

#define ROW(x) (x + (int64_t)r * columns)

/* Vectors of 16 lanes, of which a mask says which are meant; or of 8. */
#ifdef __AVX512F__
enum { WIDE = 16 };
typedef __m512 V;
typedef __mmask16 Mask;
#define OF(operation) _mm512_##operation##_ps
static inline Mask lanes(int64_t at, int64_t columns) {
  return columns - at >= WIDE ? 0xffff : (Mask)((1u << (columns - at)) - 1);
}
static inline V load(const float *p, Mask k) { return _mm512_maskz_loadu_ps(k, p); }
static inline void store(float *p, Mask k, V v) { _mm512_mask_storeu_ps(p, k, v); }
static inline V only(Mask k, V v, V otherwise) { return _mm512_mask_blend_ps(k, otherwise, v); }
static inline V nearest(V x) { return _mm512_roundscale_ps(x, 0); }
static inline V scaled(V x, V n) { return _mm512_scalef_ps(x, n); }
static inline float total(V v) { return _mm512_reduce_add_ps(v); }
static inline float top_of(V v) { return _mm512_reduce_max_ps(v); }
#else
enum { WIDE = 8 };
typedef __m256 V;
typedef __m256i Mask;
#define OF(operation) _mm256_##operation##_ps
static inline Mask lanes(int64_t at, int64_t columns) {
  const int64_t n = columns - at;
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(n < WIDE ? (int)n : WIDE), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
static inline V load(const float *p, Mask k) { return _mm256_maskload_ps(p, k); }
static inline void store(float *p, Mask k, V v) { _mm256_maskstore_ps(p, k, v); }
static inline V only(Mask k, V v, V otherwise) { return _mm256_blendv_ps(otherwise, v, _mm256_castsi256_ps(k)); }
static inline V nearest(V x) { return _mm256_round_ps(x, 8); }
/* x 2^n, in two factors, as n may be beyond an exponent. */
static inline V scaled(V x, V n) {
  const __m256i whole = _mm256_cvtps_epi32(_mm256_min_ps(_mm256_max_ps(n, OF(set1)(-252)), OF(set1)(252))),
                half = _mm256_srai_epi32(whole, 1);
  const __m256i bias = _mm256_set1_epi32(127), rest = _mm256_sub_epi32(whole, half);
  const V a = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(half, bias), 23));
  return OF(mul)(OF(mul)(x, a), _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(rest, bias), 23)));
}
static inline float total(V v) {
  __m128 h = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  h = _mm_add_ps(h, _mm_movehl_ps(h, h));
  return _mm_cvtss_f32(_mm_add_ss(h, _mm_movehdup_ps(h)));
}
static inline float top_of(V v) {
  __m128 h = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  h = _mm_max_ps(h, _mm_movehl_ps(h, h));
  return _mm_cvtss_f32(_mm_max_ss(h, _mm_movehdup_ps(h)));
}
#endif

/* For each vector of a row, and what is left over of it. */
#define EACH(BODY)                                                                                                     \
  {                                                                                                                    \
    int64_t i = 0;                                                                                                     \
    for (; i + WIDE <= columns; i += WIDE) BODY(OF(loadu), OF(storeu))                                                 \
    const Mask k = lanes(i, columns);                                                                                  \
    if (i < columns) BODY(LOAD_SOME, STORE_SOME)                                                                       \
  }
#define LOAD_SOME(p) load(p, k)
#define STORE_SOME(p, v) store(p, k, v)

static inline V all(float x) { return OF(set1)(x); }
static inline V most(V a, V b, V c, V d) { return OF(max)(OF(max)(a, b), OF(max)(c, d)); }
static inline V sum(const V s[4]) { return OF(add)(OF(add)(s[0], s[1]), OF(add)(s[2], s[3])); }

/* Within 2 ulp: Cephes' polynomial. */
static inline V exponential(V x) {
  const V n = nearest(OF(mul)(x, all(1.44269504f)));
  const V r = OF(fnmadd)(n, all(-2.12194440e-4f), OF(fnmadd)(n, all(0.693359375f), x));
  V p = OF(fmadd)(all(1.9875691500e-4f), r, all(1.3981999507e-3f));
  p = OF(fmadd)(p, r, all(8.3334519073e-3f));
  p = OF(fmadd)(p, r, all(4.1665795894e-2f));
  p = OF(fmadd)(p, r, all(1.6666665459e-1f));
  p = OF(fmadd)(p, r, all(5.0000001201e-1f));
  p = OF(fmadd)(p, OF(mul)(r, r), OF(add)(r, all(1)));
  return scaled(p, n);
}

static float largest(const float *row, int64_t columns) {
  V m[4] = {all(-INFINITY), all(-INFINITY), all(-INFINITY), all(-INFINITY)};
  int64_t i = 0;
  for (; i + 4 * WIDE <= columns; i += 4 * WIDE)
    for (int j = 0; j < 4; j++) m[j] = OF(max)(m[j], OF(loadu)(row + i + WIDE * j));
  for (; i < columns; i += WIDE) {
    const Mask k = lanes(i, columns);
    m[0] = OF(max)(m[0], only(k, load(row + i, k), m[0]));
  }
  return top_of(most(m[0], m[1], m[2], m[3]));
}

/* The sum of exp(row - top); of which each is kept where `kept` is not null. */
static inline float exponentials(const float *row, float top, float *kept, int64_t columns) {
  V s0 = all(0), s1 = s0;
  int64_t i = 0;
  for (; i + 2 * WIDE <= columns; i += 2 * WIDE) {
    const V e = exponential(OF(sub)(OF(loadu)(row + i), all(top)));
    const V f = exponential(OF(sub)(OF(loadu)(row + i + WIDE), all(top)));
    if (kept) OF(storeu)(kept + i, e), OF(storeu)(kept + i + WIDE, f);
    s0 = OF(add)(s0, e), s1 = OF(add)(s1, f);
  }
  for (; i < columns; i += WIDE) {
    const Mask k = lanes(i, columns);
    const V e = exponential(OF(sub)(load(row + i, k), all(top)));
    if (kept) store(kept + i, k, e);
    s0 = OF(add)(s0, only(k, e, all(0)));
  }
  return total(OF(add)(s0, s1));
}

static float added(const float *row, int64_t columns) {
  V s[4] = {all(0), all(0), all(0), all(0)};
  int64_t i = 0;
  for (; i + 4 * WIDE <= columns; i += 4 * WIDE)
    for (int j = 0; j < 4; j++) s[j] = OF(add)(s[j], OF(loadu)(row + i + WIDE * j));
  for (; i < columns; i += WIDE) s[0] = OF(add)(s[0], load(row + i, lanes(i, columns)));
  return total(sum(s));
}

/* The sum of (row - from)^2. */
static inline float squares(const float *row, float from, int64_t columns) {
  V s[4] = {all(0), all(0), all(0), all(0)};
  int64_t i = 0;
  for (; i + 4 * WIDE <= columns; i += 4 * WIDE)
    for (int j = 0; j < 4; j++) {
      const V d = OF(sub)(OF(loadu)(row + i + WIDE * j), all(from));
      s[j] = OF(fmadd)(d, d, s[j]);
    }
  for (; i < columns; i += WIDE) {
    const Mask k = lanes(i, columns);
    const V d = only(k, OF(sub)(load(row + i, k), all(from)), all(0));
    s[0] = OF(fmadd)(d, d, s[0]);
  }
  return total(sum(s));
}

void softmax(int64_t rows, int64_t columns, const float *x, float *y) {
  for (int64_t r = 0; r < rows; r++) {
    const V scale = all(1 / exponentials(ROW(x), largest(ROW(x), columns), ROW(y), columns));
#define SCALE(LOAD, STORE) STORE(ROW(y) + i, OF(mul)(scale, LOAD(ROW(y) + i)));
    EACH(SCALE)
  }
}

void rmsnorm(int64_t rows, int64_t columns, const float *x, const float *weight, float *y) {
  for (int64_t r = 0; r < rows; r++) {
    const V scale = all(1 / sqrtf(squares(ROW(x), 0, columns) / (float)columns + 1e-5f));
#define WEIGH(LOAD, STORE) STORE(ROW(y) + i, OF(mul)(OF(mul)(scale, LOAD(ROW(x) + i)), LOAD(weight + i)));
    EACH(WEIGH)
  }
}

void layernorm(int64_t rows, int64_t columns, const float *x, const float *weight, const float *bias, float *y) {
  for (int64_t r = 0; r < rows; r++) {
    const float mean = added(ROW(x), columns) / (float)columns;
    const V scale = all(1 / sqrtf(squares(ROW(x), mean, columns) / (float)columns + 1e-5f));
#define NORM(LOAD, STORE)                                                                                              \
  STORE(ROW(y) + i, OF(fmadd)(OF(mul)(OF(sub)(LOAD(ROW(x) + i), all(mean)), scale), LOAD(weight + i), LOAD(bias + i)));
    EACH(NORM)
  }
}

/* x / (1 + exp(-s)), which is x sigmoid(s). */
static inline V gated(V x, V s) { return OF(div)(x, OF(add)(all(1), exponential(OF(sub)(all(0), s)))); }

#define ELEMENTWISE(NAME, FUNCTION)                                                                                    \
  void NAME(int64_t rows, int64_t columns, const float *x, float *y) {                                                 \
    int64_t i = 0, n = rows * columns;                                                                                 \
    for (; i + 2 * WIDE <= n; i += 2 * WIDE) {                                                                         \
      const V a = OF(loadu)(x + i), b = OF(loadu)(x + i + WIDE);                                                       \
      OF(storeu)(y + i, FUNCTION(a)), OF(storeu)(y + i + WIDE, FUNCTION(b));                                           \
    }                                                                                                                  \
    for (; i < n; i += WIDE) {                                                                                         \
      const Mask k = lanes(i, n);                                                                                      \
      const V a = load(x + i, k);                                                                                      \
      store(y + i, k, FUNCTION(a));                                                                                    \
    }                                                                                                                  \
  }
/* 0.5 x (1 + tanh(u)) = x sigmoid(2 u) */
static inline V gelu_of(V x) {
  const V cube = OF(mul)(OF(mul)(x, x), x);
  return gated(x, OF(mul)(all(1.5957691216f), OF(fmadd)(cube, all(0.044715f), x)));
}
static inline V silu_of(V x) { return gated(x, x); }
ELEMENTWISE(gelu, gelu_of)
ELEMENTWISE(silu, silu_of)

void cross_entropy(int64_t rows, int64_t columns, const float *x, const int32_t *label, float *loss) {
  for (int64_t r = 0; r < rows; r++) {
    const float top = largest(ROW(x), columns);
    loss[r] = logf(exponentials(ROW(x), top, 0, columns)) + top - ROW(x)[label[r]];
  }
}
