/* htp_cpu.h — what emitted kernels are made of, without a library: vectors are the compiler's own
 * (vector extensions of gcc and clang), functions are branch-free and the same on one element and on a vector.
 *
 * This file, htp_narrow.h, htp_functions.h and htp_channel.h are one library of sections, each opened by a line `//@ NAME : NAMES it needs`. A package holds the ones its kernel
 * uses, and after each the lines that make its functions for a type. The parameters of those macros:
 *   S  the suffix ("f32", "f32v4")     V  the type of a value      T  the type of one element in memory
 *   I, U  the signed and the unsigned integers of the same width   K  1 for one element, N for a vector
 * A mask is a U of all ones where a condition holds. */
//@ base :
#ifndef HTP_CPU_H
#define HTP_CPU_H
#include <stdint.h>

#pragma GCC diagnostic ignored "-Wpsabi"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#define HTP_INLINE static inline __attribute__((always_inline))

//@ index :
/* Index arithmetic, as Python has it. */
HTP_INLINE int64_t htp_min(int64_t a, int64_t b) { return a < b ? a : b; }
HTP_INLINE int64_t htp_max(int64_t a, int64_t b) { return a > b ? a : b; }
HTP_INLINE int htp_within(int64_t index, int64_t extent) { return index >= 0 && index < extent; }
HTP_INLINE int64_t htp_floordiv(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
HTP_INLINE int64_t htp_mod(int64_t a, int64_t b) {
  const int64_t rest = a % b;
  return rest + (rest != 0 && (rest < 0) != (b < 0) ? b : 0);
}

//@ guard :
/* What no one could see to be in range when this was compiled: 0 or nothing takes its place, and the kernel returns why. Where,
 * and with which ints, is kept of what fails first: `site` is a number among the signature's checks. */
enum { htp_no_memory = 1, htp_outside = 2, htp_zero_divisor = 4, htp_no_step = 8, htp_stuck = 16, htp_overflow = 32, htp_left = 64 };
typedef struct { int why, site; int64_t a, b; } htp_failure;
static _Thread_local htp_failure htp_failed_last;
__attribute__((cold, noinline, unused)) static int htp_fail(htp_failure *failed, int why, int site, int64_t a, int64_t b) {
  if (!__atomic_fetch_or(&failed->why, why, __ATOMIC_RELAXED)) {
    failed->site = site;
    failed->a = a;
    failed->b = b;
  }
  return 0;
}
HTP_INLINE int htp_end(const htp_failure *failed) {
  if (failed->why) htp_failed_last = *failed;
  return failed->why;
}
HTP_INLINE int htp_inside(int64_t index, int64_t extent, int site, htp_failure *failed) {
  return (index >= 0 && index < extent) || htp_fail(failed, htp_outside, site, index, extent);
}
HTP_INLINE int htp_steps(int64_t step, int site, htp_failure *failed) {
  return step > 0 || htp_fail(failed, htp_no_step, site, step, 0);
}

HTP_INLINE int64_t htp_bounded(int64_t index, int64_t extent, int site, htp_failure *failed) {
  return htp_inside(index, extent, site, failed) ? index : 0;
}

//@ checked : guard
/* Of what may leave 64 bits: the int nearest to it takes its place, so that loops come to their end. */
#define HTP_CHECKED(NAME, BELOW)                                                                         \
  HTP_INLINE int64_t htp_checked_##NAME(int64_t a, int64_t b, int site, htp_failure *failed) {           \
    int64_t r;                                                                                           \
    if (!__builtin_##NAME##_overflow(a, b, &r)) return r;                                                \
    htp_fail(failed, htp_overflow, site, a, b);                                                          \
    return (BELOW) ? INT64_MIN : INT64_MAX;                                                              \
  }
HTP_CHECKED(add, a < 0)
HTP_CHECKED(sub, a < 0)
HTP_CHECKED(mul, (a < 0) != (b < 0))
HTP_INLINE int64_t htp_checked_int(uint64_t a, int site, htp_failure *failed) {
  if (a <= INT64_MAX) return (int64_t)a;
  htp_fail(failed, htp_overflow, site, (int64_t)a, 0);
  return INT64_MAX;
}
HTP_INLINE int64_t htp_next(int64_t a, int64_t step) {
  int64_t r;
  return !__builtin_add_overflow(a, step, &r) ? r : step < 0 ? INT64_MIN : INT64_MAX;
}

//@ guarded_index : index guard
HTP_INLINE int64_t htp_guarded_floordiv(int64_t a, int64_t b, int site, htp_failure *failed) {
  if (b == -1 && a == INT64_MIN) {
    htp_fail(failed, htp_overflow, site, a, b);
    return INT64_MAX;
  }
  return b == 0 ? htp_fail(failed, htp_zero_divisor, site, a, b) : htp_floordiv(a, b);
}
HTP_INLINE int64_t htp_guarded_mod(int64_t a, int64_t b, int site, htp_failure *failed) {
  return b == 0 ? htp_fail(failed, htp_zero_divisor, site, a, b) : b == -1 ? 0 : htp_mod(a, b);
}

//@ unroll :
#if defined(__clang__)
#define HTP_UNROLL _Pragma("clang loop unroll(full)")
#else
#define HTP_UNROLL _Pragma("GCC unroll 64")
#endif

//@ unroll_some :
#if defined(__clang__)
#define HTP_UNROLL_SOME
#else
#define HTP_UNROLL_SOME _Pragma("GCC unroll 4")
#endif

//@ rolled :
/* Of a loop whose values fill the registers: several of its iterations at once do not. */
#if defined(__clang__)
#define HTP_ROLLED _Pragma("clang loop unroll(disable)")
#else
#define HTP_ROLLED
#endif

//@ ahead :
#define HTP_AHEAD(memory, element) \
  __builtin_prefetch((const void *)((uintptr_t)(memory) + (uint64_t)(element) * sizeof *(memory)))

//@ scratch :
/* What a product of sizes is; where 64 bits do not hold it, the largest int, which no memory has. A size below 0 is 0. */
HTP_INLINE int64_t htp_size(int64_t a, int64_t b) {
  int64_t r;
  return a <= 0 || b <= 0 ? 0 : __builtin_mul_overflow(a, b, &r) ? INT64_MAX : r;
}
HTP_INLINE void *htp_scratch(int64_t bytes) { return bytes == INT64_MAX ? 0 : __builtin_malloc(bytes > 0 ? (uint64_t)bytes : 1); }

//@ width :
/* Bytes of the widest vectors to use. */

//@ vector : width
/* Vectors of the width that this machine computes with, and how many elements of 1, 2, 4 or 8 bytes one has. */
#ifndef HTP_VECTOR_BYTES
#if HTP_WIDEST >= 64 && defined(__AVX512BW__)
#define HTP_VECTOR_BYTES 64
#elif HTP_WIDEST >= 32 && defined(__AVX2__)
#define HTP_VECTOR_BYTES 32
#else
#define HTP_VECTOR_BYTES 16
#endif
#endif
#if defined(__AVX512F__) || defined(__aarch64__)
#define HTP_REGISTERS 32
#else
#define HTP_REGISTERS 16
#endif
#define HTP_V1 HTP_VECTOR_BYTES
#define HTP_V2 (HTP_VECTOR_BYTES / 2)
#define HTP_V4 (HTP_VECTOR_BYTES / 4)
#define HTP_V8 (HTP_VECTOR_BYTES / 8)
#define HTP_VECTOR(S, V, T, ELEMENTS)                                                                    \
  typedef T V __attribute__((vector_size(sizeof(T) * (ELEMENTS))));                                      \
  HTP_INLINE V htp_load_##S(const T *p) { V v; __builtin_memcpy(&v, p, sizeof v); return v; }            \
  HTP_INLINE void htp_store_##S(T *p, V v) { __builtin_memcpy(p, &v, sizeof v); }                        \
  HTP_INLINE V htp_splat_##S(T x) { return x - (V){0}; }

//@ count :
#define HTP_COUNT(S, V, T)                                                                               \
  HTP_INLINE V htp_count_##S(T first) {                                                                  \
    V v;                                                                                                 \
    for (unsigned k = 0; k < sizeof(V) / sizeof(T); k++) v[k] = (T)(first + (T)k);                       \
    return v;                                                                                            \
  }

//@ bits :
#define HTP_MASK_1(U, condition) (-(U)(condition))
#define HTP_MASK_N(U, condition) ((U)(condition))
#define HTP_AS_1(TYPE, x) ((TYPE)(x))
#define HTP_AS_N(TYPE, x) __builtin_convertvector(x, TYPE)
#define HTP_BITS(S, V, T, I, U, K)                                                                       \
  HTP_INLINE U htp_bits_##S(V x) { U u; __builtin_memcpy(&u, &x, sizeof u); return u; }                  \
  HTP_INLINE V htp_value_##S(U u) { V x; __builtin_memcpy(&x, &u, sizeof x); return x; }                 \
  HTP_INLINE V htp_pick_##S(U mask, V a, V b) {                                                          \
    I m = (I)mask; /* compilers know a choice by signed masks only */                                    \
    return htp_value_##S((U)(((I)htp_bits_##S(a) & m) | ((I)htp_bits_##S(b) & ~m)));                     \
  }

//@ integers :
/* Integers wrap around. */
#define HTP_INTEGERS(S, V, T, I, U, K)                                                                   \
  HTP_INLINE V htp_add_##S(V a, V b) { return (V)((U)a + (U)b); }                                        \
  HTP_INLINE V htp_sub_##S(V a, V b) { return (V)((U)a - (U)b); }                                        \
  HTP_INLINE V htp_mul_##S(V a, V b) { return (V)((U)a * (U)b); }                                        \
  HTP_INLINE V htp_neg_##S(V a) { return (V)((U){0} - (U)a); }

//@ integer_rank :
#define HTP_INTEGER_RANK(S, T)                                                                           \
  HTP_INLINE uint8_t htp_above_##S(T a, T b) { return a > b; }                                           \
  HTP_INLINE uint8_t htp_below_##S(T a, T b) { return a < b; }

//@ rank :
/* The order of values: -0 below +0; NaN is above all, or for `below` below all. */
#define HTP_RANK(S, T)                                                                                   \
  HTP_INLINE uint8_t htp_above_##S(T a, T b) {                                                           \
    if (__builtin_expect(a == b, 0)) return a == 0 && !__builtin_signbit(a) && __builtin_signbit(b);     \
    return a > b || (a != a && b == b);                                                                  \
  }                                                                                                      \
  HTP_INLINE uint8_t htp_below_##S(T a, T b) {                                                           \
    if (__builtin_expect(a == b, 0)) return a == 0 && __builtin_signbit(a) && !__builtin_signbit(b);     \
    return a < b || (a != a && b == b);                                                                  \
  }

//@ integer_absolute : bits
#define HTP_INTEGER_ABSOLUTE(S, V, T, I, U, K)                                                           \
  HTP_INLINE V htp_absolute_##S(V a) {                                                                   \
    U m = HTP_MASK_##K(U, a < 0);                                                                        \
    return (V)(((U)a ^ m) - m);                                                                          \
  }

//@ integer_order : bits
#define HTP_INTEGER_ORDER(S, V, T, I, U, K)                                                              \
  HTP_INLINE V htp_minimum_##S(V a, V b) {                                                               \
    U m = HTP_MASK_##K(U, a < b);                                                                        \
    return (V)(((U)a & m) | ((U)b & ~m));                                                                \
  }                                                                                                      \
  HTP_INLINE V htp_maximum_##S(V a, V b) {                                                               \
    U m = HTP_MASK_##K(U, a > b);                                                                        \
    return (V)(((U)a & m) | ((U)b & ~m));                                                                \
  }

//@ bitwise :
#define HTP_BITWISE(S, V, T, I, U, K)                                                                    \
  HTP_INLINE V htp_bit_and_##S(V a, V b) { return (V)((U)a & (U)b); }                                    \
  HTP_INLINE V htp_bit_or_##S(V a, V b) { return (V)((U)a | (U)b); }                                     \
  HTP_INLINE V htp_bit_xor_##S(V a, V b) { return (V)((U)a ^ (U)b); }

//@ bit_not :
/* ALL is the bits that turn: of a truth value one. */
#define HTP_BIT_NOT(S, V, T, I, U, K, ALL)                                                               \
  HTP_INLINE V htp_bit_not_##S(V a) { return (V)((U)a ^ (U)((V){0} + (T)ALL)); }

//@ shift :
/* The count is unsigned; beyond the width nothing is left but the sign. */
#define HTP_SHIFT(S, T, U, WIDTH, SIGNED)                                                                \
  HTP_INLINE T htp_shl_##S(T a, T by) { return (uint64_t)by >= WIDTH ? 0 : (T)((U)a << by); }            \
  HTP_INLINE T htp_shr_##S(T a, T by) { return (uint64_t)by >= WIDTH ? (T)(SIGNED ? a >> (WIDTH - 1) : 0) : (T)(a >> by); }

//@ integer_div :
/* Toward zero; the lowest / -1 wraps around; 0 when divided by 0. */
#define HTP_INTEGER_DIV_1(S, V, T, I, U, K)                                                              \
  HTP_INLINE V htp_div_##S(V a, V b) { return b == 0 ? 0 : b == -1 ? (V)((U)0 - (U)a) : (V)(a / b); }
#define HTP_NATURAL_DIV_1(S, V, T, I, U, K)                                                              \
  HTP_INLINE V htp_div_##S(V a, V b) { return b == 0 ? 0 : (V)(a / b); }

//@ integer_rem :
/* With the sign of the dividend; the dividend when divided by 0. */
#define HTP_INTEGER_REM(S, T, SIGNED)                                                                    \
  HTP_INLINE T htp_rem_##S(T a, T b) { return b == 0 ? a : SIGNED && b == (T)-1 ? 0 : (T)(a % b); }

//@ integer_floor : integer_rem
/* Rounded down: the rest has the sign of the divisor. */
#define HTP_INTEGER_FLOOR(S, T, SIGNED)                                                                  \
  HTP_INLINE T htp_mod_##S(T a, T b) {                                                                   \
    T r = htp_rem_##S(a, b);                                                                             \
    return SIGNED && b != 0 && r != 0 && (r > 0) != (b > 0) ? (T)(r + b) : r;                            \
  }

//@ integer_floordiv : integer_floor integer_div
#define HTP_INTEGER_FLOORDIV(S, T, SIGNED)                                                               \
  HTP_INLINE T htp_floordiv_##S(T a, T b) {                                                              \
    T q = htp_div_##S(a, b);                                                                             \
    return SIGNED && b != 0 && htp_rem_##S(a, b) != 0 && (a > 0) != (b > 0) ? (T)(q - 1) : q;            \
  }

//@ machine : vector
/* What x86 has an instruction for and C's vectors have no operator for, by gcc's own functions: from one lane after the other gcc
 * makes that instruction in some kernels, and in others a hundred. `least` and `most` give b where a or b is NaN, or both are 0; `unless`
 * gives r, or NaN where a or b is; `scaled` gives a * 2^n, rounded once, `below` a where x is below 0, else b, `lower` and `upper` the one of two that is
 * not NaN or is below or above, -0 below +0. P is ps or pd; WHOLE is a vector of the machine's width, HALF one of half of that. */
#if defined(__AVX2__) && defined(__FMA__) && (HTP_VECTOR_BYTES < 64 || defined(__AVX512F__)) && !defined(__clang__)
#define HTP_BY_MACHINE
#if HTP_VECTOR_BYTES == 64 && defined(__AVX512VL__) && defined(__AVX512DQ__)
#define HTP_AVX512
#define HTP_AVX512_64(S, V, P)                                                                           \
  HTP_INLINE V htp_scaled_##S(V a, V n) { return __builtin_ia32_scalef##P##512_mask(a, n, a, -1, 4); }   \
  HTP_INLINE V htp_below_##S(V x, V a, V b) {                                                            \
    return __builtin_ia32_mova##P##512_mask(a, b, __builtin_ia32_cmp##P##512_mask(x, (V){0}, 1, -1, 4)); \
  }                                                                                                      \
  HTP_INLINE V htp_lower_##S(V a, V b) { return __builtin_ia32_range##P##512_mask(a, b, 4, a, -1, 4); }  \
  HTP_INLINE V htp_upper_##S(V a, V b) { return __builtin_ia32_range##P##512_mask(a, b, 5, a, -1, 4); }
#define HTP_AVX512_32(S, V, P)                                                                           \
  HTP_INLINE V htp_scaled_##S(V a, V n) { return __builtin_ia32_scalef##P##256_mask(a, n, a, -1); }      \
  HTP_INLINE V htp_below_##S(V x, V a, V b) {                                                            \
    return __builtin_ia32_mova##P##256_mask(a, b, __builtin_ia32_cmp##P##256_mask(x, (V){0}, 1, -1));    \
  }                                                                                                      \
  HTP_INLINE V htp_lower_##S(V a, V b) { return __builtin_ia32_range##P##256_mask(a, b, 4, a, -1); }     \
  HTP_INLINE V htp_upper_##S(V a, V b) { return __builtin_ia32_range##P##256_mask(a, b, 5, a, -1); }
#else
#define HTP_AVX512_64(S, V, P)
#define HTP_AVX512_32(S, V, P)
#endif
#define HTP_MACHINE_64(S, V, P)                                                                          \
  HTP_INLINE V htp_fused_##S(V a, V b, V c) { return __builtin_ia32_vfmadd##P##512_mask(a, b, c, -1, 4); } \
  HTP_INLINE V htp_least_##S(V a, V b) { return __builtin_ia32_min##P##512_mask(a, b, a, -1, 4); }       \
  HTP_INLINE V htp_most_##S(V a, V b) { return __builtin_ia32_max##P##512_mask(a, b, a, -1, 4); }        \
  HTP_INLINE V htp_root_##S(V a) { return __builtin_ia32_sqrt##P##512_mask(a, a, -1, 4); }               \
  HTP_INLINE V htp_unless_##S(V r, V a, V b) {                                                           \
    return __builtin_ia32_mova##P##512_mask((V){0} + __builtin_nanf(""), r, __builtin_ia32_cmp##P##512_mask(a, b, 3, -1, 4));\
  }                                                                                                      \
  HTP_AVX512_64(S, V, P)                                                                                 \
  HTP_WHOLE_NUMBERS(S, V, __builtin_ia32_rndscale##P##_mask, , a, -1, 4)
#define HTP_MACHINE_32(S, V, P)                                                                          \
  HTP_INLINE V htp_fused_##S(V a, V b, V c) { return __builtin_ia32_vfmadd##P##256(a, b, c); }           \
  HTP_INLINE V htp_least_##S(V a, V b) { return __builtin_ia32_min##P##256(a, b); }                      \
  HTP_INLINE V htp_most_##S(V a, V b) { return __builtin_ia32_max##P##256(a, b); }                       \
  HTP_INLINE V htp_root_##S(V a) { return __builtin_ia32_sqrt##P##256(a); }                              \
  HTP_INLINE V htp_unless_##S(V r, V a, V b) {                                                           \
    return __builtin_ia32_or##P##256(r, __builtin_ia32_cmp##P##256(a, b, 3));                            \
  }                                                                                                      \
  HTP_AVX512_32(S, V, P)                                                                                 \
  HTP_WHOLE_NUMBERS(S, V, __builtin_ia32_round##P##256, )
#define HTP_MACHINE_16(S, V, P)                                                                          \
  HTP_INLINE V htp_fused_##S(V a, V b, V c) { return __builtin_ia32_vfmadd##P(a, b, c); }                \
  HTP_INLINE V htp_least_##S(V a, V b) { return __builtin_ia32_min##P(a, b); }                           \
  HTP_INLINE V htp_most_##S(V a, V b) { return __builtin_ia32_max##P(a, b); }                            \
  HTP_INLINE V htp_root_##S(V a) { return __builtin_ia32_sqrt##P(a); }                                   \
  HTP_INLINE V htp_unless_##S(V r, V a, V b) {                                                           \
    return __builtin_ia32_or##P(r, __builtin_ia32_cmp##P(a, b, 3));                                      \
  }                                                                                                      \
  HTP_WHOLE_NUMBERS(S, V, __builtin_ia32_round##P, )
#define HTP_MACHINE_8(S, V, P)                                                                           \
  HTP_INLINE V htp_fused_##S(V a, V b, V c) {                                                            \
    return (V){__builtin_fmaf(a[0], b[0], c[0]), __builtin_fmaf(a[1], b[1], c[1])};                      \
  }                                                                                                      \
  HTP_INLINE V htp_least_##S(V a, V b) { return (V){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]}; } \
  HTP_INLINE V htp_most_##S(V a, V b) { return (V){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]}; } \
  HTP_INLINE V htp_root_##S(V a) { return (V){__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1])}; }           \
  HTP_INLINE V htp_unless_##S(V r, V a, V b) {                                                           \
    return (V){__builtin_isunordered(a[0], b[0]) ? __builtin_nanf("") : r[0], __builtin_isunordered(a[1], b[1]) ? __builtin_nanf("") : r[1]};\
  }                                                                                                      \
  HTP_INLINE V htp_whole_rint_##S(V a) { return (V){__builtin_rintf(a[0]), __builtin_rintf(a[1])}; }     \
  HTP_INLINE V htp_whole_floor_##S(V a) { return (V){__builtin_floorf(a[0]), __builtin_floorf(a[1])}; }  \
  HTP_INLINE V htp_whole_ceil_##S(V a) { return (V){__builtin_ceilf(a[0]), __builtin_ceilf(a[1])}; }     \
  HTP_INLINE V htp_whole_trunc_##S(V a) { return (V){__builtin_truncf(a[0]), __builtin_truncf(a[1])}; }
#define HTP_WHOLE_NUMBERS(S, V, FUNCTION, ...)                                                           \
  HTP_INLINE V htp_whole_rint_##S(V a) { return FUNCTION(a, 8 __VA_ARGS__); }                            \
  HTP_INLINE V htp_whole_floor_##S(V a) { return FUNCTION(a, 9 __VA_ARGS__); }                           \
  HTP_INLINE V htp_whole_ceil_##S(V a) { return FUNCTION(a, 10 __VA_ARGS__); }                           \
  HTP_INLINE V htp_whole_trunc_##S(V a) { return FUNCTION(a, 11 __VA_ARGS__); }
#if HTP_VECTOR_BYTES == 64
#define HTP_MACHINE_WHOLE HTP_MACHINE_64
#define HTP_MACHINE_HALF HTP_MACHINE_32
#elif HTP_VECTOR_BYTES == 32
#define HTP_MACHINE_WHOLE HTP_MACHINE_32
#define HTP_MACHINE_HALF HTP_MACHINE_16
#else
#define HTP_MACHINE_WHOLE HTP_MACHINE_16
#define HTP_MACHINE_HALF HTP_MACHINE_8
#endif
#else
#define HTP_MACHINE_WHOLE(S, V, P)
#define HTP_MACHINE_HALF(S, V, P)
#endif

//@ less : bits machine
/* `a < b ? a : b`, `a > b ? a : b`, and r, or NaN where a or b is. */
#define HTP_LESS(S, V, T, I, U, K) HTP_LESS_##K(S, V, U)
#define HTP_LESS_1(S, V, U)                                                                              \
  HTP_INLINE V htp_less_##S(V a, V b) { return a < b ? a : b; }                                          \
  HTP_INLINE V htp_more_##S(V a, V b) { return a > b ? a : b; }                                          \
  HTP_INLINE V htp_ordered_##S(V r, V a, V b) { return __builtin_isunordered(a, b) ? a + b : r; }
#ifdef HTP_BY_MACHINE
#define HTP_LESS_N(S, V, U)                                                                              \
  HTP_INLINE V htp_less_##S(V a, V b) { return htp_least_##S(a, b); }                                    \
  HTP_INLINE V htp_more_##S(V a, V b) { return htp_most_##S(a, b); }                                     \
  HTP_INLINE V htp_ordered_##S(V r, V a, V b) { return htp_unless_##S(r, a, b); }
#else
#define HTP_LESS_N(S, V, U)                                                                              \
  HTP_INLINE V htp_less_##S(V a, V b) { return htp_pick_##S((U)(a < b), a, b); }                         \
  HTP_INLINE V htp_more_##S(V a, V b) { return htp_pick_##S((U)(a > b), a, b); }                         \
  HTP_INLINE V htp_ordered_##S(V r, V a, V b) { return htp_value_##S(htp_bits_##S(r) | (U)(a != a) | (U)(b != b)); }
#endif

//@ order : bits less
/* NaN if either is NaN. -0 is below +0: of two zeros, whichever is chosen, the bits of both say it. `lower` and `upper` are the same
 * where neither is NaN. */
#define HTP_ORDER(S, V, T, I, U, K)                                                                      \
  HTP_INLINE V htp_absolute_##S(V a) { return htp_value_##S(htp_bits_##S(a) & ((U){0} - 1) >> 1); }      \
  HTP_ORDER_##K(S, V, U)                                                                                 \
  HTP_INLINE V htp_minimum_##S(V a, V b) { return htp_ordered_##S(htp_lower_##S(a, b), a, b); }          \
  HTP_INLINE V htp_maximum_##S(V a, V b) { return htp_ordered_##S(htp_upper_##S(a, b), a, b); }
#define HTP_ORDER_1(S, V, U)                                                                             \
  HTP_INLINE V htp_lower_##S(V a, V b) {                                                                 \
    return htp_value_##S(htp_bits_##S(htp_less_##S(a, b)) | htp_bits_##S(htp_less_##S(b, a)));           \
  }                                                                                                      \
  HTP_INLINE V htp_upper_##S(V a, V b) {                                                                 \
    return htp_value_##S(htp_bits_##S(htp_more_##S(a, b)) & htp_bits_##S(htp_more_##S(b, a)));           \
  }
#ifdef HTP_AVX512
#define HTP_ORDER_N(S, V, U)
#else
#define HTP_ORDER_N HTP_ORDER_1
#endif

//@ word : bits
/* Four bytes as one integer, the first the lowest. */
#define HTP_WORD_1                                                                                       \
  HTP_INLINE int32_t htp_word_i32(int8_t a, int8_t b, int8_t c, int8_t d) {                              \
    return (int32_t)((uint32_t)(uint8_t)a | (uint32_t)(uint8_t)b << 8 | (uint32_t)(uint8_t)c << 16 | (uint32_t)(uint8_t)d << 24); \
  }
#define HTP_WORD_AT                                                                                      \
  HTP_INLINE int32_t htp_word_at(const int8_t *p) {                                                      \
    int32_t word;                                                                                        \
    __builtin_memcpy(&word, p, sizeof word);                                                             \
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? word : (int32_t)__builtin_bswap32((uint32_t)word); \
  }
#define HTP_WORD_N(S, B, V, U)                                                                           \
  HTP_INLINE V htp_word_##S(B a, B b, B c, B d) {                                                        \
    return (V)((HTP_AS_N(U, a) & 0xff) | (HTP_AS_N(U, b) & 0xff) << 8 | (HTP_AS_N(U, c) & 0xff) << 16 | HTP_AS_N(U, d) << 24); \
  }

//@ dot4 : vector
/* acc and the products of the four bytes of x, which have no sign, with those of y, which have one; it wraps around. Where the
 * machine has no instruction for that, bytes are products as 16 bits, two at a time. */
#define HTP_DOT4_1                                                                                       \
  HTP_INLINE int32_t htp_dot4_i32(int32_t x, int32_t y, int32_t acc) {                                   \
    int32_t sum = 0;                                                                                     \
    for (int k = 0; k < 32; k += 8) sum += (int32_t)(uint8_t)((uint32_t)x >> k) * (int8_t)((uint32_t)y >> k); \
    return (int32_t)((uint32_t)acc + (uint32_t)sum);                                                     \
  }
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
#define HTP_DOT4_N(S, V, W, U)                                                                           \
  HTP_INLINE V htp_dot4_##S(V x, V y, V acc) {                                                           \
    __asm__("vpdpbusd %2, %1, %0" : "+v"(acc) : "v"(x), "v"(y));                                         \
    return acc;                                                                                          \
  }
#elif defined(__AVX2__)
#define HTP_DOT4_N(S, V, W, U)                                                                           \
  HTP_INLINE V htp_dot4_##S(V x, V y, V acc) {                                                           \
    V even, odd;                                                                                         \
    __asm__("vpmaddwd %2, %1, %0" : "=x"(even) : "x"((W)x & 0xff), "x"((W)y << 8 >> 8));                 \
    __asm__("vpmaddwd %2, %1, %0" : "=x"(odd) : "x"((W)((U)x >> 8 & 0x00ff00ff)), "x"((W)y >> 8));       \
    return acc + even + odd;                                                                             \
  }
#else
#define HTP_DOT4_N(S, V, W, U)                                                                           \
  HTP_INLINE V htp_dot4_##S(V x, V y, V acc) {                                                           \
    return acc + (x & 0xff) * (y << 24 >> 24) + (x >> 8 & 0xff) * (y << 16 >> 24) +                      \
           (x >> 16 & 0xff) * (y << 8 >> 24) + (x >> 24 & 0xff) * (y >> 24);                             \
  }
#endif

//@ compare :
/* Of vectors, as 0 and 1. B is the vector of as many uint8_t. */
#define HTP_COMPARE(S, V, I, B)                                                                          \
  HTP_INLINE B htp_lt_##S(V a, V b) { return __builtin_convertvector((I)(a < b), B) & 1; }               \
  HTP_INLINE B htp_le_##S(V a, V b) { return __builtin_convertvector((I)(a <= b), B) & 1; }              \
  HTP_INLINE B htp_gt_##S(V a, V b) { return __builtin_convertvector((I)(a > b), B) & 1; }               \
  HTP_INLINE B htp_ge_##S(V a, V b) { return __builtin_convertvector((I)(a >= b), B) & 1; }              \
  HTP_INLINE B htp_eq_##S(V a, V b) { return __builtin_convertvector((I)(a == b), B) & 1; }              \
  HTP_INLINE B htp_ne_##S(V a, V b) { return __builtin_convertvector((I)(a != b), B) & 1; }

//@ where : bits
#define HTP_WHERE(S, V, U, B)                                                                            \
  HTP_INLINE V htp_where_##S(B condition, V a, V b) {                                                    \
    return htp_pick_##S((U){0} - __builtin_convertvector(condition, U), a, b);                           \
  }

//@ late :
/* The last `rest` lanes of one vector, and those before them of another. */
static const unsigned char htp_late_lanes[128] = {[64 ... 127] = 255};
#define HTP_LATE(S, V, T, I, U, K)                                                                       \
  HTP_INLINE V htp_late_##S(V last, V first, int64_t rest) {                                             \
    U mask;                                                                                              \
    __builtin_memcpy(&mask, &htp_late_lanes[64 - sizeof(V) + (uint64_t)rest * sizeof(T)], sizeof(V));    \
    return (V)(((U)last & mask) | ((U)first & ~mask));                                                   \
  }

//@ fold :
/* All elements of a vector as one, pairwise: each half with the other. */
#ifdef __clang__
#define HTP_SHUFFLE(v, I, ...) __builtin_shufflevector(v, v, __VA_ARGS__)
#else
#define HTP_SHUFFLE(v, I, ...) __builtin_shuffle(v, (I){__VA_ARGS__})
#endif
#define HTP_PLUS(a, b) ((a) + (b))
#define HTP_TIMES(a, b) ((a) * (b))

//@ transpose : index
/* to[c * to_row + r] = from[r * from_row + c]. */
#define HTP_TRANSPOSE_1(S, T)                                                                            \
  HTP_INLINE void htp_transpose_one_##S(T *to, int64_t to_row, const T *from, int64_t from_row, int64_t rows, int64_t columns) { \
    for (int64_t r = 0; r < rows; r++)                                                                   \
      for (int64_t c = 0; c < columns; c++) to[c * to_row + r] = from[r * from_row + c];                 \
  }

//@ transpose_blocks : transpose unroll
/* By squares of as many vectors as one has elements: halves are interleaved until each row is a column. The last squares
 * end where the rows and the columns do, and are partly what was copied before. */
#ifdef __clang__
#define HTP_SHUFFLE_2(a, b, I, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define HTP_SHUFFLE_2(a, b, I, ...) __builtin_shuffle(a, b, (I){__VA_ARGS__})
#endif
#define HTP_TRANSPOSE_N(S, V, T)                                                                         \
  HTP_INLINE void htp_square_##S(T *to, int64_t to_row, const T *from, int64_t from_row) {               \
    enum { n = sizeof(V) / sizeof(T) };                                                                  \
    V a[n], b[n];                                                                                        \
    HTP_UNROLL                                                                                           \
    for (int k = 0; k < n; k++) __builtin_memcpy(&a[k], from + k * from_row, sizeof *a);                 \
    HTP_UNROLL                                                                                           \
    for (int half = 1; half < n; half *= 2) {                                                            \
      HTP_UNROLL                                                                                         \
      for (int k = 0; k < n; k++) b[k] = k % 2 ? htp_high_##S(a[k / 2], a[k / 2 + n / 2]) : htp_low_##S(a[k / 2], a[k / 2 + n / 2]); \
      HTP_UNROLL                                                                                         \
      for (int k = 0; k < n; k++) a[k] = b[k];                                                           \
    }                                                                                                    \
    HTP_UNROLL                                                                                           \
    for (int k = 0; k < n; k++) __builtin_memcpy(to + k * to_row, &a[k], sizeof *a);                     \
  }                                                                                                      \
  static __attribute__((noinline)) void htp_transpose_##S(T *restrict to, int64_t to_row, const T *restrict from, int64_t from_row, \
                                                          int64_t rows, int64_t columns) {               \
    const int64_t n = sizeof(V) / sizeof(T);                                                             \
    if (rows < n || columns < n) return htp_transpose_one_##S(to, to_row, from, from_row, rows, columns); \
    for (int64_t i = 0; i < rows; i += n) {                                                              \
      const int64_t r = htp_min(i, rows - n);                                                            \
      for (int64_t k = 0; k < columns; k += n) {                                                         \
        const int64_t c = htp_min(k, columns - n);                                                       \
        htp_square_##S(to + c * to_row + r, to_row, from + r * from_row + c, from_row);                  \
      }                                                                                                  \
    }                                                                                                    \
  }

//@ to_integer :
/* A float as an integer: toward zero, saturating, 0 for NaN. LOW is the lowest T, HIGH the first float beyond the largest. */
#define HTP_TO_INTEGER_1(NAME, F, T, LOW, HIGH, MOST)                                                    \
  HTP_INLINE T NAME(F x) { return x != x ? 0 : x >= HIGH ? MOST : x <= LOW ? (T)LOW : (T)x; }
#define HTP_TO_INTEGER_N(NAME, V, W, T, ONE)                                                             \
  HTP_INLINE W NAME(V x) {                                                                               \
    W r;                                                                                                 \
    for (unsigned k = 0; k < sizeof(W) / sizeof(T); k++) r[k] = ONE(x[k]);                               \
    return r;                                                                                            \
  }

//@ order_line : guard scratch
/* Where the first of a line's elements stand in order, equals as they stand: a merge sort of indices, or where few are wanted
 * an insertion into those found so far. LOAD makes a value of what lies in memory, ABOVE compares two, DOWN is 1 for the
 * largest first. */
#define HTP_ORDER_LINE(S, T, LOAD, ABOVE, DOWN)                                                          \
  HTP_INLINE int htp_before_##S(const T *keys, int32_t a, int32_t b) { /* b stood behind a */            \
    return DOWN ? ABOVE(LOAD(keys[b]), LOAD(keys[a])) : ABOVE(LOAD(keys[a]), LOAD(keys[b]));             \
  }                                                                                                      \
  static void htp_order_##S(int32_t *order, const T *keys, int64_t count, int64_t first, int site,       \
                               htp_failure *failed) {                                                    \
    if (first <= 16) {                                                                                   \
      int64_t found = 0;                                                                                 \
      for (int32_t k = 0; k < count; k++) {                                                              \
        if (found == first && (found == 0 || !htp_before_##S(keys, order[found - 1], k))) continue;      \
        int64_t at = found < first ? found++ : found - 1;                                                \
        for (; at > 0 && htp_before_##S(keys, order[at - 1], k); at--) order[at] = order[at - 1];        \
        order[at] = k;                                                                                   \
      }                                                                                                  \
      return;                                                                                            \
    }                                                                                                    \
    int32_t *from = htp_scratch(htp_size(count, 2 * (int64_t)sizeof *from)), *all = from, *to = from + count;     \
    if (!all) {                                                                                          \
      htp_fail(failed, htp_no_memory, site, htp_size(count, 2 * (int64_t)sizeof *from), 0);              \
      return;                                                                                            \
    }                                                                                                    \
    for (int32_t k = 0; k < count; k++) from[k] = k;                                                     \
    for (int64_t width = 1; width < count; width *= 2) {                                                 \
      for (int64_t start = 0; start < count; start += 2 * width) {                                       \
        const int64_t middle = start + width < count ? start + width : count;                            \
        const int64_t end = middle + width < count ? middle + width : count;                             \
        int64_t a = start, b = middle;                                                                   \
        for (int64_t k = start; k < end; k++)                                                            \
          to[k] = a == middle || (b < end && htp_before_##S(keys, from[a], from[b])) ? from[b++] : from[a++]; \
      }                                                                                                  \
      int32_t *const other = from;                                                                       \
      from = to;                                                                                         \
      to = other;                                                                                        \
    }                                                                                                    \
    __builtin_memcpy(order, from, (uint64_t)first * sizeof *order);                                      \
    __builtin_free(all);                                                                                 \
  }

//@ end :
#endif
