//@ f16 : bits
/* Half precision: 5 exponent bits, 10 fraction bits; to it, to nearest even. W holds the 16 bits. */
#define HTP_F16(S, V, W, S32, U, K)                                                                      \
  HTP_INLINE V htp_from_##S(W h) {                                                                       \
    U u = HTP_AS_##K(U, h), e = (u & 0x7fffu) << 13;                                                     \
    U wide = htp_bits_##S32(htp_value_##S32(e) * 0x1p112f);                                              \
    wide |= HTP_MASK_##K(U, e >= 0x0f800000u) & 0x7f800000u;                                             \
    return htp_value_##S32(wide | (u & 0x8000u) << 16);                                                  \
  }                                                                                                      \
  HTP_INLINE W htp_to_##S(V x) {                                                                         \
    U u = htp_bits_##S32(x), sign = (u >> 16) & 0x8000u;                                                 \
    u &= 0x7fffffffu;                                                                                    \
    U nan = HTP_MASK_##K(U, u > 0x7f800000u), large = HTP_MASK_##K(U, u >= 0x477ff000u);                 \
    U small = HTP_MASK_##K(U, u < 0x38800000u);                                                          \
    U denormal = htp_bits_##S32(htp_value_##S32(u) + 0.5f) - 0x3f000000u;                                \
    U normal = (u - 0x38000000u + 0xfffu + ((u >> 13) & 1u)) >> 13;                                      \
    U h = (small & denormal) | (~small & normal);                                                        \
    h = (large & 0x7c00u) | (~large & h);                                                                \
    h = (nan & 0x7e00u) | (~nan & h);                                                                    \
    return HTP_AS_##K(W, sign | h);                                                                      \
  }                                                                                                      \
  HTP_INLINE V htp_round_##S(V x) { return htp_from_##S(htp_to_##S(x)); }

//@ f8e4m3 : bits
/* 4 exponent bits, 3 fraction bits, no infinity: what is too large, and NaN, is 0x7f; to it, to nearest even. */
#define HTP_F8E4M3(S, V, W, S32, U, K)                                                                   \
  HTP_INLINE V htp_from_##S(W h) {                                                                       \
    U u = HTP_AS_##K(U, h), e = (u & 0x7fu) << 20;                                                       \
    U wide = htp_bits_##S32(htp_value_##S32(e) * 0x1p120f);                                              \
    wide |= HTP_MASK_##K(U, e == 0x07f00000u) & 0x7fc00000u;                                             \
    return htp_value_##S32(wide | (u & 0x80u) << 24);                                                    \
  }                                                                                                      \
  HTP_INLINE W htp_to_##S(V x) {                                                                         \
    U u = htp_bits_##S32(x), sign = (u >> 24) & 0x80u;                                                   \
    u &= 0x7fffffffu;                                                                                    \
    U large = HTP_MASK_##K(U, u > 0x43e80000u), small = HTP_MASK_##K(U, u < 0x3c800000u);                \
    U denormal = htp_bits_##S32(htp_value_##S32(u) + 16384.0f) - 0x46800000u;                            \
    U normal = (u - 0x3c000000u + 0x7ffffu + ((u >> 20) & 1u)) >> 20;                                    \
    U h = (small & denormal) | (~small & normal);                                                        \
    h = (large & 0x7fu) | (~large & h);                                                                  \
    return HTP_AS_##K(W, sign | h);                                                                      \
  }                                                                                                      \
  HTP_INLINE V htp_round_##S(V x) { return htp_from_##S(htp_to_##S(x)); }

//@ f8e5m2 : bits
/* 5 exponent bits, 2 fraction bits; to it, to nearest even. */
#define HTP_F8E5M2(S, V, W, S32, U, K)                                                                   \
  HTP_INLINE V htp_from_##S(W h) {                                                                       \
    U u = HTP_AS_##K(U, h), e = (u & 0x7fu) << 21;                                                       \
    U wide = htp_bits_##S32(htp_value_##S32(e) * 0x1p112f);                                              \
    wide |= HTP_MASK_##K(U, e >= 0x0f800000u) & 0x7f800000u;                                             \
    return htp_value_##S32(wide | (u & 0x80u) << 24);                                                    \
  }                                                                                                      \
  HTP_INLINE W htp_to_##S(V x) {                                                                         \
    U u = htp_bits_##S32(x), sign = (u >> 24) & 0x80u;                                                   \
    u &= 0x7fffffffu;                                                                                    \
    U nan = HTP_MASK_##K(U, u > 0x7f800000u), large = HTP_MASK_##K(U, u >= 0x47700000u);                 \
    U small = HTP_MASK_##K(U, u < 0x38800000u);                                                          \
    U denormal = htp_bits_##S32(htp_value_##S32(u) + 128.0f) - 0x43000000u;                              \
    U normal = (u - 0x38000000u + 0xfffffu + ((u >> 21) & 1u)) >> 21;                                    \
    U h = (small & denormal) | (~small & normal);                                                        \
    h = (large & 0x7cu) | (~large & h);                                                                  \
    h = (nan & 0x7eu) | (~nan & h);                                                                      \
    return HTP_AS_##K(W, sign | h);                                                                      \
  }                                                                                                      \
  HTP_INLINE V htp_round_##S(V x) { return htp_from_##S(htp_to_##S(x)); }

//@ bf16 : bits
/* The upper half of an f32; to it, to nearest even. */
#define HTP_BF16(S, V, W, S32, U, K)                                                                     \
  HTP_INLINE V htp_from_##S(W h) { return htp_value_##S32(HTP_AS_##K(U, h) << 16); }                     \
  HTP_INLINE W htp_to_##S(V x) {                                                                         \
    U u = htp_bits_##S32(x), nan = HTP_MASK_##K(U, (u & 0x7fffffffu) > 0x7f800000u);                     \
    U h = (u + 0x7fffu + ((u >> 16) & 1u)) >> 16;                                                        \
    return HTP_AS_##K(W, (nan & ((u >> 16) | 0x40u)) | (~nan & h));                                      \
  }                                                                                                      \
  HTP_INLINE V htp_round_##S(V x) { return htp_from_##S(htp_to_##S(x)); }

//@ odd : bits
/* A double as a float that still knows on which side it was: so that rounding it again rounds once. */
HTP_INLINE float htp_odd(double x) {
  float f = (float)x;
  uint32_t u = htp_bits_f32(f);
  const int grows = f > 0 || (f == 0 && x > 0); /* with its bits */
  if (f == f && (double)f != x && !(u & 1u)) u += ((double)f < x) == grows ? 1u : -1u;
  return htp_value_f32(u);
}

//@ directed : bits
/* A float rounded in a direction: SIDE is -1 for down, 1 for up, 0 for toward zero. The nearest one, or its neighbour where that
 * lies on the wrong side; the NaN of what has no infinity counts as one. */
#define HTP_DIRECTED(NAME, X, NEAREST, W, TO, FROM, SIDE)                                                \
  HTP_INLINE float NAME(X x) {                                                                           \
    const float r = NEAREST;                                                                             \
    const X now = r != r && x == x ? (x < 0 ? -__builtin_inff() : __builtin_inff()) : r;                 \
    if (!(SIDE < 0 ? now > x : SIDE > 0 ? now < x : (now < 0 ? -now : now) > (x < 0 ? -x : x))) return r; \
    W bits = TO(r);                                                                                      \
    const W top = (W)((W)1 << (sizeof(W) * 8 - 1));                                                      \
    if ((bits & (W)~top) == 0) return FROM((W)((SIDE < 0 ? top : 0) | 1));                               \
    return FROM((W)(((bits & top) != 0) == (SIDE < 0) && SIDE != 0 ? bits + 1 : bits - 1));              \
  }

