//@ integers :
/* Integers wrap around. */
#define HTP_INTEGERS(S, T, U)                                                          \
  T htp_add_##S(T a, T b) { return (T)((U)a + (U)b); }                                 \
  T htp_sub_##S(T a, T b) { return (T)((U)a - (U)b); }                                 \
  T htp_mul_##S(T a, T b) { return (T)((U)a * (U)b); }                                 \
  T htp_neg_##S(T a) { return (T)((U)0 - (U)a); }                                      \
  T htp_absolute_##S(T a) { return a < 0 ? (T)((U)0 - (U)a) : a; }                     \
  T htp_bit_not_##S(T a) { return (T)~a; }
//@ booleans :
uchar htp_bit_not_bool_(uchar a) { return !a; }
//@ signed :
/* Toward zero; the lowest / -1 wraps around; by 0 the quotient is 0, and the rest what is divided. `floordiv` and `mod` round down. A shift's
 * count is unsigned; beyond the width the sign is left. */
#define HTP_SIGNED(S, T, U, WIDTH)                                                                  \
  T htp_div_##S(T a, T b) { return b == 0 ? (T)0 : b == (T)-1 ? (T)((U)0 - (U)a) : (T)(a / b); }    \
  T htp_rem_##S(T a, T b) { return b == 0 ? a : b == (T)-1 ? (T)0 : (T)(a % b); }                   \
  T htp_mod_##S(T a, T b) {                                                                         \
    T r = htp_rem_##S(a, b);                                                                        \
    return b != 0 && r != 0 && (r > 0) != (b > 0) ? (T)(r + b) : r;                                 \
  }                                                                                                 \
  T htp_floordiv_##S(T a, T b) {                                                                    \
    T q = htp_div_##S(a, b);                                                                        \
    return b != 0 && htp_rem_##S(a, b) != 0 && (a > 0) != (b > 0) ? (T)(q - 1) : q;                 \
  }                                                                                                 \
  T htp_shl_##S(T a, T by) { return (ulong)(long)by >= WIDTH ? (T)0 : (T)((U)a << by); }            \
  T htp_shr_##S(T a, T by) { return (ulong)(long)by >= WIDTH ? (T)(a >> (WIDTH - 1)) : (T)(a >> by); }
//@ unsigned :
#define HTP_UNSIGNED(S, T, U, WIDTH)                                                  \
  T htp_div_##S(T a, T b) { return b == 0 ? (T)0 : (T)(a / b); }                      \
  T htp_rem_##S(T a, T b) { return b == 0 ? a : (T)(a % b); }                         \
  T htp_mod_##S(T a, T b) { return htp_rem_##S(a, b); }                               \
  T htp_floordiv_##S(T a, T b) { return htp_div_##S(a, b); }                          \
  T htp_shl_##S(T a, T by) { return (ulong)by >= WIDTH ? (T)0 : (T)((U)a << by); }    \
  T htp_shr_##S(T a, T by) { return (ulong)by >= WIDTH ? (T)0 : (T)(a >> by); }
//@ neg :
/* The sign is flipped, also of NaN. */
#define HTP_NEG(S, T, U, BITS, VALUE, SIGN, FAR) \
  T htp_neg_##S(T a) { return VALUE(BITS(a) ^ SIGN); }
//@ maximum :
/* NaN where one is; +0 is above -0. */
#define HTP_MAXIMUM(S, T, U, BITS, VALUE, SIGN, FAR)                \
  T htp_maximum_##S(T a, T b) {                                     \
    if (a != a || b != b) return NAN;                               \
    return a == b ? VALUE(BITS(a) & BITS(b)) : a > b ? a : b;       \
  }
//@ minimum :
/* NaN where one is; -0 is below +0. */
#define HTP_MINIMUM(S, T, U, BITS, VALUE, SIGN, FAR)                \
  T htp_minimum_##S(T a, T b) {                                     \
    if (a != a || b != b) return NAN;                               \
    return a == b ? VALUE(BITS(a) | BITS(b)) : a < b ? a : b;       \
  }
//@ above :
/* The order of values: -0 below +0, NaN above all. */
#define HTP_ABOVE(S, T, U, BITS, VALUE, SIGN, FAR)                                     \
  uchar htp_above_##S(T a, T b) {                                                      \
    if (a == b) return a == 0 && !(BITS(a) & SIGN) && (BITS(b) & SIGN);                \
    return a > b || (a != a && b == b);                                                \
  }
//@ below :
/* The order of values: -0 below +0, NaN below all. */
#define HTP_BELOW(S, T, U, BITS, VALUE, SIGN, FAR)                                     \
  uchar htp_below_##S(T a, T b) {                                                      \
    if (a == b) return a == 0 && (BITS(a) & SIGN) && !(BITS(b) & SIGN);                \
    return a < b || (a != a && b == b);                                                \
  }
//@ rsqrt :
#define HTP_RSQRT(S, T, U, BITS, VALUE, SIGN, FAR) \
  T htp_rsqrt_##S(T x) { return 1 / sqrt(x); }
//@ sigmoid :
/* Of large x below 0 a denormal, and not 0. */
#define HTP_SIGMOID(S, T, U, BITS, VALUE, SIGN, FAR)       \
  T htp_sigmoid_##S(T x) {                                 \
    T e = exp(-fabs(x));                                   \
    return x < 0 ? e / (1 + e) : 1 / (1 + e);              \
  }
//@ tanh :
/* 1 from where it is nearest on: some libraries stay one step below. */
#define HTP_TANH(S, T, U, BITS, VALUE, SIGN, FAR) \
  T htp_tanh_##S(T x) { return fabs(x) >= FAR ? copysign((T)1, x) : tanh(x); }
//@ f16 :
/* Half precision, by ints: no device need have it. To it, to nearest even. */
float htp_from_f16(ushort h) {
  uint u = h, e = (u & 0x7fffu) << 13;
  uint wide = as_uint(as_float(e) * 0x1p112f);
  if (e >= 0x0f800000u) wide |= 0x7f800000u;
  return as_float(wide | (u & 0x8000u) << 16);
}
ushort htp_to_f16(float x) {
  uint u = as_uint(x), sign = (u >> 16) & 0x8000u;
  u &= 0x7fffffffu;
  if (u > 0x7f800000u) return (ushort)(sign | 0x7e00u);
  if (u >= 0x477ff000u) return (ushort)(sign | 0x7c00u);
  if (u < 0x38800000u) return (ushort)(sign | (as_uint(as_float(u) + 0.5f) - 0x3f000000u));
  return (ushort)(sign | ((u - 0x38000000u + 0xfffu + ((u >> 13) & 1u)) >> 13));
}
//@ bf16 :
/* The upper half of an f32; to it, to nearest even. */
float htp_from_bf16(ushort h) { return as_float((uint)h << 16); }
ushort htp_to_bf16(float x) {
  uint u = as_uint(x);
  if ((u & 0x7fffffffu) > 0x7f800000u) return (ushort)((u >> 16) | 0x40u);
  return (ushort)((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
}
//@ f8e4m3 :
/* 4 exponent bits, 3 fraction bits, no infinity: what is too large, and NaN, is 0x7f; to it, to nearest even. */
float htp_from_f8e4m3(uchar h) {
  uint u = h, e = (u & 0x7fu) << 20;
  uint wide = as_uint(as_float(e) * 0x1p120f);
  if (e == 0x07f00000u) wide |= 0x7fc00000u;
  return as_float(wide | (u & 0x80u) << 24);
}
uchar htp_to_f8e4m3(float x) {
  uint u = as_uint(x), sign = (u >> 24) & 0x80u;
  u &= 0x7fffffffu;
  if (u > 0x43e80000u) return (uchar)(sign | 0x7fu);
  if (u < 0x3c800000u) return (uchar)(sign | (as_uint(as_float(u) + 16384.0f) - 0x46800000u));
  return (uchar)(sign | ((u - 0x3c000000u + 0x7ffffu + ((u >> 20) & 1u)) >> 20));
}
//@ f8e5m2 :
/* 5 exponent bits, 2 fraction bits; to it, to nearest even. */
float htp_from_f8e5m2(uchar h) {
  uint u = h, e = (u & 0x7fu) << 21;
  uint wide = as_uint(as_float(e) * 0x1p112f);
  if (e >= 0x0f800000u) wide |= 0x7f800000u;
  return as_float(wide | (u & 0x80u) << 24);
}
uchar htp_to_f8e5m2(float x) {
  uint u = as_uint(x), sign = (u >> 24) & 0x80u;
  u &= 0x7fffffffu;
  if (u > 0x7f800000u) return (uchar)(sign | 0x7eu);
  if (u >= 0x47700000u) return (uchar)(sign | 0x7cu);
  if (u < 0x38800000u) return (uchar)(sign | (as_uint(as_float(u) + 128.0f) - 0x43000000u));
  return (uchar)(sign | ((u - 0x38000000u + 0xfffffu + ((u >> 21) & 1u)) >> 21));
}
//@ odd_f64 :
/* A wider number as a float that still knows on which side it was: rounding it again rounds once. */
float htp_odd_f64(double x) {
  float f = convert_float_rtz(x);
  return f == f && !isinf(f) && (double)f != x ? as_float(as_uint(f) | 1u) : f;
}
//@ odd_i64 :
float htp_odd_i64(long x) {
  float f = convert_float_rtz(x);
  return (long)f != x ? as_float(as_uint(f) | 1u) : f;
}
//@ odd_u64 :
float htp_odd_u64(ulong x) {
  float f = convert_float_rtz(x);
  return (ulong)f != x ? as_float(as_uint(f) | 1u) : f;
}
//@ directed :
/* A float rounded in a direction: SIDE is -1 for down, 1 for up, 0 for toward zero. The nearest one, or its neighbour where that lies on the
 * wrong side; the NaN of what has no infinity counts as one. */
#define HTP_DIRECTED(NAME, X, NEAREST, W, TO, FROM, SIDE)                                                  \
  float NAME(X x) {                                                                                        \
    const float r = FROM(TO(NEAREST(x)));                                                                  \
    const X now = r != r && x == x ? (x < 0 ? -INFINITY : INFINITY) : r;                                   \
    if (!(SIDE < 0 ? now > x : SIDE > 0 ? now < x : fabs(now) > fabs(x))) return r;                        \
    W bits = TO(r);                                                                                        \
    const W top = (W)((W)1 << (sizeof(W) * 8 - 1));                                                        \
    if ((bits & (W)~top) == 0) return FROM((W)((SIDE < 0 ? top : 0) | 1));                                 \
    return FROM((W)(((bits & top) != 0) == (SIDE < 0) && SIDE != 0 ? bits + 1 : bits - 1));                \
  }
//@ floordiv :
/* Of ints, as Python's. */
long htp_floordiv(long a, long b) { return b == 0 ? 0 : a / b - (a % b != 0 && (a < 0) != (b < 0)); }
//@ mod : floordiv
long htp_mod(long a, long b) { return b == 0 ? 0 : a - htp_floordiv(a, b) * b; }
//@ inside :
/* Whether an int is an index; the first that is none is kept, with the number of its check. */
int htp_inside(long at, long extent, int check, __global int *failed) {
  if (at >= 0 && at < extent) return 1;
  if (atomic_cmpxchg(failed, 0, check + 1) == 0) {
    failed[1] = (int)at;
    failed[2] = (int)extent;
  }
  return 0;
}
//@ end
