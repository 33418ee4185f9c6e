// The C that stands before every kernel: what the texts of intrinsics.def call.
#pragma once

namespace htp_my_plugin {

inline constexpr char prelude[] = R"(#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <tgmath.h>

// Ints of the program: Python's // and %, and its min and max.
static inline int64_t quotient(int64_t a, int64_t by) { return a / by - (a % by < 0); }
static inline int64_t remainder_of(int64_t a, int64_t by) { return a - quotient(a, by) * by; }
static inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

// NaN if either is NaN; -0 is below +0. What is out of range saturates when it becomes an integer.
#define FLOATS(S, T)                                                                                      \
  static const T lowest_##S = -INFINITY, highest_##S = INFINITY;                                          \
  static inline T div_##S(T a, T b) { return a / b; }                                                     \
  static inline T abs_##S(T a) { return fabs(a); }                                                        \
  static inline T cast_##S(double a) { return (T)a; }                                                     \
  static inline T min_##S(T a, T b) {                                                                     \
    return a != a || b != b ? (T)NAN : a == b ? (signbit(a) ? a : b) : a < b ? a : b;                     \
  }                                                                                                       \
  static inline T max_##S(T a, T b) {                                                                     \
    return a != a || b != b ? (T)NAN : a == b ? (signbit(a) ? b : a) : a > b ? a : b;                     \
  }
#define INTEGERS(S, T, LOWEST, HIGHEST)                                                                   \
  static const T lowest_##S = LOWEST, highest_##S = HIGHEST;                                              \
  static inline T div_##S(T a, T b) { return b == 0 ? 0 : LOWEST < 0 && b == (T)-1 ? (T)-a : (T)(a / b); } \
  static inline T abs_##S(T a) { return a < 0 ? (T)-a : a; }                                              \
  static inline T not_##S(T a) { return (T)~a; }                                                          \
  static inline T min_##S(T a, T b) { return a < b ? a : b; }                                             \
  static inline T max_##S(T a, T b) { return a > b ? a : b; }                                             \
  static inline T cast_##S(double a) {                                                                    \
    return a != a ? 0 : a <= (double)LOWEST ? LOWEST : a >= (double)HIGHEST ? HIGHEST : (T)a;             \
  }
FLOATS(f32, float)
FLOATS(f64, double)
INTEGERS(i8, int8_t, INT8_MIN, INT8_MAX)
INTEGERS(i16, int16_t, INT16_MIN, INT16_MAX)
INTEGERS(i32, int32_t, INT32_MIN, INT32_MAX)
INTEGERS(i64, int64_t, INT64_MIN, INT64_MAX)
INTEGERS(u8, uint8_t, 0, UINT8_MAX)
INTEGERS(u16, uint16_t, 0, UINT16_MAX)
INTEGERS(u32, uint32_t, 0, UINT32_MAX)
INTEGERS(u64, uint64_t, 0, UINT64_MAX)
static inline bool not_bool_(bool a) { return !a; }

)";

} // namespace htp_my_plugin
