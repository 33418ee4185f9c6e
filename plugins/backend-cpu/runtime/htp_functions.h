//@ libm :
/* What the C library gives, to a unit in the last place; to a whole number exactly. */
#define HTP_LIBM_1(NAME, S, T, BUILTIN)                                                                  \
  HTP_INLINE T htp_##NAME##_##S(T x) { return BUILTIN(x); }
#define HTP_LIBM_2(NAME, S, T, BUILTIN)                                                                  \
  HTP_INLINE T htp_##NAME##_##S(T a, T b) { return BUILTIN(a, b); }

//@ lanes :
/* A function of one element on each element of vectors. */
#define HTP_LANES_1(NAME, ONE, V, T)                                                                     \
  HTP_INLINE V NAME(V x) {                                                                               \
    for (unsigned k = 0; k < sizeof(V) / sizeof(T); k++) x[k] = ONE(x[k]);                               \
    return x;                                                                                            \
  }
#define HTP_LANES_2(NAME, ONE, V, T)                                                                     \
  HTP_INLINE V NAME(V a, V b) {                                                                          \
    for (unsigned k = 0; k < sizeof(V) / sizeof(T); k++) a[k] = ONE(a[k], b[k]);                         \
    return a;                                                                                            \
  }

//@ whole : machine
/* The whole number nearest to each element, or on one side of it. */
#ifdef HTP_BY_MACHINE
#define HTP_WHOLE(NAME, OF, S, ONE, V, T) HTP_INLINE V NAME(V x) { return htp_whole_##OF##_##S(x); }
#else
#define HTP_WHOLE(NAME, OF, S, ONE, V, T)                                                                \
  HTP_INLINE V NAME(V x) {                                                                               \
    for (unsigned k = 0; k < sizeof(V) / sizeof(T); k++) x[k] = ONE(x[k]);                               \
    return x;                                                                                            \
  }
#endif

//@ fma : machine
#define HTP_FMA_1(S, V, BUILTIN)                                                                         \
  HTP_INLINE V htp_fma_##S(V a, V b, V c) { return BUILTIN(a, b, c); }
#if defined(__clang__)
#define HTP_FMA_N(S, V, T, BUILTIN)                                                                      \
  HTP_INLINE V htp_fma_##S(V a, V b, V c) {                                                              \
    _Pragma("clang fp contract(fast)") return a * b + c;                                                 \
  }
#elif defined(HTP_BY_MACHINE)
#define HTP_FMA_N(S, V, T, BUILTIN)                                                                      \
  HTP_INLINE V htp_fma_##S(V a, V b, V c) { return htp_fused_##S(a, b, c); }
#else
#define HTP_FMA_N(S, V, T, BUILTIN)                                                                      \
  HTP_INLINE V htp_fma_##S(V a, V b, V c) {                                                              \
    V r;                                                                                                 \
    for (unsigned k = 0; k < sizeof(V) / sizeof(T); k++) r[k] = BUILTIN(a[k], b[k], c[k]);               \
    return r;                                                                                            \
  }
#endif

//@ sqrt : machine
#define HTP_SQRT_1(S, V, BUILTIN)                                                                        \
  HTP_INLINE V htp_sqrt_##S(V x) { return BUILTIN(x); }
#ifdef HTP_BY_MACHINE
#define HTP_SQRT_N(S, V, T, BUILTIN) HTP_INLINE V htp_sqrt_##S(V x) { return htp_root_##S(x); }
#else
#define HTP_SQRT_N(S, V, T, BUILTIN)                                                                     \
  HTP_INLINE V htp_sqrt_##S(V x) {                                                                       \
    V r;                                                                                                 \
    for (unsigned k = 0; k < sizeof(V) / sizeof(T); k++) r[k] = BUILTIN(x[k]);                           \
    return r;                                                                                            \
  }
#endif

//@ rsqrt : sqrt
#define HTP_RSQRT(S, V, T, I, U, K)                                                                      \
  HTP_INLINE V htp_rsqrt_##S(V x) { return (T)1 / htp_sqrt_##S(x); }

//@ mad : machine
/* a * b + c, rounded once where the machine does that in one instruction: for polynomials. */
#if !defined(__FMA__) && !defined(__ARM_FEATURE_FMA)
#define HTP_MAD(S, V, T, I, U, K) HTP_INLINE V htp_mad_##S(V a, V b, V c) { return a * b + c; }
#elif defined(__clang__)
#define HTP_MAD(S, V, T, I, U, K)                                                                        \
  HTP_INLINE V htp_mad_##S(V a, V b, V c) {                                                              \
    _Pragma("clang fp contract(fast)") return a * b + c;                                                 \
  }
#else
#define HTP_MAD(S, V, T, I, U, K) HTP_MAD_##K(S, V, T)
#define HTP_MAD_OF(T, a, b, c) (sizeof(T) == 4 ? (T)__builtin_fmaf((float)(a), (float)(b), (float)(c)) : (T)__builtin_fma(a, b, c))
#define HTP_MAD_1(S, V, T) HTP_INLINE V htp_mad_##S(V a, V b, V c) { return HTP_MAD_OF(T, a, b, c); }
#if defined(HTP_BY_MACHINE)
#define HTP_MAD_N(S, V, T) HTP_INLINE V htp_mad_##S(V a, V b, V c) { return htp_fused_##S(a, b, c); }
#else
#define HTP_MAD_N(S, V, T)                                                                               \
  HTP_INLINE V htp_mad_##S(V a, V b, V c) {                                                              \
    V r;                                                                                                 \
    for (unsigned k = 0; k < sizeof(V) / sizeof(T); k++) r[k] = HTP_MAD_OF(T, a[k], b[k], c[k]);         \
    return r;                                                                                            \
  }
#endif
#endif

//@ power : bits machine
/* p * 2^n for an even n, which also stands halved in the low bits of t: as (p * 2^(n/2)) * 2^(n/2), since 2^n may be beyond what a float
 * holds; 2^n for an n that is no exponent's bound, and stands in the low bits of t; and a where x is below 0, else b. */
#define HTP_POWER(S, V, T, I, U, K) HTP_POWER_##K(S, V, I, U, K)
#define HTP_POWER_1(S, V, I, U, K)                                                                       \
  HTP_INLINE V htp_power_##S(V p, V t, V n) {                                                            \
    V root = htp_value_##S((U)((I)htp_bits_##S(t) + 127) << 23);                                         \
    return (void)n, p * root * root;                                                                     \
  }                                                                                                      \
  HTP_INLINE V htp_two_to_##S(V t, V n) {                                                                \
    return (void)n, htp_value_##S((U)((I)htp_bits_##S(t) + 127) << 23);                                  \
  }                                                                                                      \
  HTP_INLINE V htp_negative_##S(V x, V a, V b) { return htp_pick_##S(HTP_MASK_##K(U, x < 0), a, b); }
#ifdef HTP_AVX512
#define HTP_POWER_N(S, V, I, U, K)                                                                       \
  HTP_INLINE V htp_power_##S(V p, V t, V n) { return (void)t, htp_scaled_##S(p, n); }                    \
  HTP_INLINE V htp_two_to_##S(V t, V n) { return (void)t, htp_scaled_##S((V){0} + 1.0f, n); }            \
  HTP_INLINE V htp_negative_##S(V x, V a, V b) { return htp_below_##S(x, a, b); }
#else
#define HTP_POWER_N HTP_POWER_1
#endif

//@ exp_f32 : bits less mad power
/* exp(x) = 2^n exp(r) for an even n, |r| <= ln(2), where the polynomial is within 1.5e-8 of it. Adding 1.5 * 2^24 rounds to the nearest
 * even integer, half of which then stands in the low bits. `fading` is for x that is not above 0, or NaN. */
#define HTP_EXP_F32(S, V, T, I, U, K)                                                                    \
  HTP_INLINE V htp_fading_##S(V x) {                                                                     \
    x = htp_more_##S((V){0} - 104.0f, x);                                                                \
    V t = htp_mad_##S(x, (V){0} + 1.44269504f, (V){0} + 25165824.0f), n = t - 25165824.0f;               \
    V r = htp_mad_##S(n, (V){0} - 0.693359375f, x);                                                      \
    r = htp_mad_##S(n, (V){0} + 2.12194440e-4f, r);                                                      \
    V p = htp_mad_##S(r, (V){0} + 1.9611598691e-4f, (V){0} + 1.4104469446e-3f);                          \
    p = htp_mad_##S(p, r, (V){0} + 8.3361035213e-3f);                                                    \
    p = htp_mad_##S(p, r, (V){0} + 4.1661269963e-2f);                                                    \
    p = htp_mad_##S(p, r, (V){0} + 1.6666613519e-1f);                                                    \
    p = htp_mad_##S(p, r, (V){0} + 5.0000035763e-1f);                                                    \
    p = htp_mad_##S(p, r * r, r) + 1.0f;                                                                 \
    return htp_power_##S(p, t, n);                                                                       \
  }                                                                                                      \
  HTP_INLINE V htp_exp_##S(V x) { return htp_fading_##S(htp_less_##S((V){0} + 89.0f, x)); }

//@ exp_f64 : bits less
/* The same, with the quotient of polynomials of Cephes. */
#define HTP_EXP_F64(S, V, T, I, U, K)                                                                    \
  HTP_INLINE V htp_exp_##S(V x) {                                                                        \
    x = htp_less_##S((V){0} + 710.0, x);                                                                 \
    x = htp_more_##S((V){0} - 746.0, x);                                                                 \
    V t = x * 1.4426950408889634 + 6755399441055744.0, n = t - 6755399441055744.0;                       \
    V r = x - n * 6.93145751953125e-1;                                                                   \
    r = r - n * 1.42860682030941723212e-6;                                                               \
    V z = r * r;                                                                                         \
    V p = r * ((z * 1.26177193074810590878e-4 + 3.02994407707441961300e-2) * z + 1.0);                   \
    V q = ((z * 3.00198505138664455042e-6 + 2.52448340349684104192e-3) * z + 2.27265548208155028766e-1) * z + 2.0; \
    p = p / (q - p) * 2.0 + 1.0;                                                                         \
    I k = (I)(htp_bits_##S(t) - 0x4338000000000000u), half = k >> 1;                                     \
    return p * htp_value_##S((U)(half + 1023) << 52) * htp_value_##S((U)(k - half + 1023) << 52);        \
  }

//@ log_f32 : bits mad
/* log(x) = e log(2) + log(m), sqrt(1/2) <= m < sqrt(2). */
#define HTP_LOG_F32(S, V, T, I, U, K)                                                                    \
  HTP_INLINE V htp_log_##S(V x) {                                                                        \
    U denormal = HTP_MASK_##K(U, x < 0x1p-126f);                                                         \
    U u = htp_bits_##S(htp_pick_##S(denormal, x * 0x1p23f, x));                                          \
    I e = (I)(u >> 23) - 127 - (I)(denormal & 23);                                                       \
    V m = htp_value_##S((u & 0x7fffffu) | 0x3f800000u);                                                  \
    U big = HTP_MASK_##K(U, m > 1.41421356f);                                                            \
    m = htp_pick_##S(big, m * 0.5f, m) - 1.0f;                                                           \
    V n = HTP_AS_##K(V, e - (I)big), z = m * m;                                                          \
    V p = htp_mad_##S(m, (V){0} + 7.0376836292e-2f, (V){0} - 1.1514610310e-1f);                          \
    p = htp_mad_##S(p, m, (V){0} + 1.1676998740e-1f);                                                    \
    p = htp_mad_##S(p, m, (V){0} - 1.2420140846e-1f);                                                    \
    p = htp_mad_##S(p, m, (V){0} + 1.4249322787e-1f);                                                    \
    p = htp_mad_##S(p, m, (V){0} - 1.6668057665e-1f);                                                    \
    p = htp_mad_##S(p, m, (V){0} + 2.0000714765e-1f);                                                    \
    p = htp_mad_##S(p, m, (V){0} - 2.4999993993e-1f);                                                    \
    p = htp_mad_##S(p, m, (V){0} + 3.3333331174e-1f);                                                    \
    p = htp_mad_##S(z, (V){0} - 0.5f, htp_mad_##S(n, (V){0} - 2.12194440e-4f, p * m * z));               \
    V r = htp_mad_##S(n, (V){0} + 0.693359375f, m + p);                                                  \
    r = htp_pick_##S(HTP_MASK_##K(U, x == __builtin_inff()) | HTP_MASK_##K(U, x != x), x, r);            \
    r = htp_pick_##S(HTP_MASK_##K(U, x < 0.0f), (V){0} + __builtin_nanf(""), r);                         \
    return htp_pick_##S(HTP_MASK_##K(U, x == 0.0f), (V){0} - __builtin_inff(), r);                       \
  }

//@ log_f64 : bits
#define HTP_LOG_F64(S, V, T, I, U, K)                                                                    \
  HTP_INLINE V htp_log_##S(V x) {                                                                        \
    U denormal = HTP_MASK_##K(U, x < 0x1p-1022);                                                         \
    U u = htp_bits_##S(htp_pick_##S(denormal, x * 0x1p52, x));                                           \
    I e = (I)(u >> 52) - 1023 - (I)(denormal & 52);                                                      \
    V m = htp_value_##S((u & 0xfffffffffffffu) | 0x3ff0000000000000u);                                   \
    U big = HTP_MASK_##K(U, m > 1.4142135623730951);                                                     \
    m = htp_pick_##S(big, m * 0.5, m) - 1.0;                                                             \
    V n = HTP_AS_##K(V, e - (I)big), z = m * m;                                                          \
    V p = m * 1.01875663804580931796e-4 + 4.97494994976747001425e-1;                                     \
    p = p * m + 4.70579119878881725854e0;                                                                \
    p = p * m + 1.44989225341610930846e1;                                                                \
    p = p * m + 1.79368678507819816313e1;                                                                \
    p = p * m + 7.70838733755885391666e0;                                                                \
    V q = m + 1.12873587189167450590e1;                                                                  \
    q = q * m + 4.52279145837532221105e1;                                                                \
    q = q * m + 8.29875266912776603211e1;                                                                \
    q = q * m + 7.11544750618563894466e1;                                                                \
    q = q * m + 2.31251620126765340583e1;                                                                \
    p = (m * (z * p / q) - n * 2.121944400546905827679e-4) - z * 0.5;                                    \
    V r = (m + p) + n * 0.693359375;                                                                     \
    r = htp_pick_##S(HTP_MASK_##K(U, x == __builtin_inf()) | HTP_MASK_##K(U, x != x), x, r);             \
    r = htp_pick_##S(HTP_MASK_##K(U, x < 0.0), (V){0} + __builtin_nan(""), r);                           \
    return htp_pick_##S(HTP_MASK_##K(U, x == 0.0), (V){0} - __builtin_inf(), r);                         \
  }

//@ tanh_f32 : bits less mad power
/* m / (m + 2) with m = exp(2|x|) - 1 = 2^n (exp(r) - 1) + 2^n - 1, |r| <= ln(2) / 2, and the sign of x: within 2.5 units in the last
 * place, also near 0, where n is 0. Beyond 10 it is 1. */
#define HTP_TANH_F32(S, V, T, I, U, K)                                                                   \
  HTP_INLINE V htp_tanh_##S(V x) {                                                                       \
    V a = htp_less_##S((V){0} + 10.0f, htp_value_##S(htp_bits_##S(x) & 0x7fffffffu));                    \
    V t = htp_mad_##S(a, (V){0} + 2.885390082f, (V){0} + 12582912.0f), n = t - 12582912.0f;              \
    V r = htp_mad_##S(n, (V){0} - 0.693359375f, a + a);                                                  \
    r = htp_mad_##S(n, (V){0} + 2.12194440e-4f, r);                                                      \
    V p = htp_mad_##S(r, (V){0} + 1.9875691500e-4f, (V){0} + 1.3981999507e-3f);                          \
    p = htp_mad_##S(p, r, (V){0} + 8.3334519073e-3f);                                                    \
    p = htp_mad_##S(p, r, (V){0} + 4.1665795894e-2f);                                                    \
    p = htp_mad_##S(p, r, (V){0} + 1.6666665459e-1f);                                                    \
    p = htp_mad_##S(p, r, (V){0} + 5.0000001201e-1f);                                                    \
    p = htp_mad_##S(p, r * r, r);                                                                        \
    V power = htp_two_to_##S(t, n);                                                                      \
    p = htp_mad_##S(p, power, power - 1.0f);                                                             \
    p = p / (p + 2.0f);                                                                                  \
    return htp_value_##S(htp_bits_##S(p) | (htp_bits_##S(x) & 0x80000000u));                             \
  }

//@ tanh_f64 : exp_f64
#define HTP_TANH_F64(S, V, T, I, U, K)                                                                   \
  HTP_INLINE V htp_tanh_##S(V x) {                                                                       \
    V a = htp_value_##S(htp_bits_##S(x) & 0x7fffffffffffffffu), z = x * x;                               \
    V p = (z * -9.64399179425052238628e-1 - 9.92877231001918586564e1) * z - 1.61468768441708447952e3;    \
    V q = ((z + 1.12811678491632931402e2) * z + 2.23548839060100448583e3) * z + 4.84406305325125486048e3; \
    V near = z * p / q * x + x, far = 1.0 - 2.0 / (htp_exp_##S(a + a) + 1.0);                            \
    V r = htp_pick_##S(HTP_MASK_##K(U, a < 0.625), near, far);                                           \
    return htp_value_##S(htp_bits_##S(r) | (htp_bits_##S(x) & 0x8000000000000000u));                     \
  }

//@ sigmoid_f32 : exp_f32
/* exp(-|x|) never overflows. */
#define HTP_SIGMOID_F32(S, V, T, I, U, K)                                                                \
  HTP_INLINE V htp_sigmoid_##S(V x) {                                                                    \
    V e = htp_fading_##S(htp_value_##S(htp_bits_##S(x) | 0x80000000u));                                  \
    return htp_negative_##S(x, e, (V){0} + 1.0f) / (e + 1.0f);                                           \
  }

//@ sigmoid_f64 : exp_f64
#define HTP_SIGMOID_F64(S, V, T, I, U, K)                                                                \
  HTP_INLINE V htp_sigmoid_##S(V x) {                                                                    \
    V e = htp_exp_##S(htp_value_##S(htp_bits_##S(x) | 0x8000000000000000u));                             \
    return htp_pick_##S(HTP_MASK_##K(U, x < 0), e, (V){0} + 1.0) / (e + 1.0);                            \
  }

