// plugins/binding-a2a3sim/machine/arithmetic.h — what the elements of tiles are and how they are computed with: f16 and
// bf16 as f32, rounded once.
#pragma once

#include "core.h"

#include "htp_sim_float.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace htp::a2a3sim::arithmetic {

struct Half {
  uint16_t bits;
};
struct Bfloat {
  uint16_t bits;
};

// How a dtype lies in memory, and what it is computed as.
template <class Stored> struct As {
  using Value = Stored;
  static Value read(const void *p) {
    Stored v;
    std::memcpy(&v, p, sizeof v);
    return v;
  }
  static void write(void *p, Value v) { std::memcpy(p, &v, sizeof v); }
};
template <> struct As<Half> {
  using Value = float;
  static float read(const void *p) { return htp_sim::widen_half(As<uint16_t>::read(p)); }
  static void write(void *p, float v) { As<uint16_t>::write(p, htp_sim::narrow_half(v)); }
};
template <> struct As<Bfloat> {
  using Value = float;
  static float read(const void *p) { return htp_sim::widen_bfloat(As<uint16_t>::read(p)); }
  static void write(void *p, float v) { As<uint16_t>::write(p, htp_sim::narrow_bfloat(v)); }
};

// Calls f with a value of the C++ type of a dtype.
template <class F> void with(Type type, F &&f) {
  switch (type) {
  case Type::f32: return f(float{});
  case Type::f16: return f(Half{});
  case Type::bf16: return f(Bfloat{});
  case Type::i8: return f(int8_t{});
  case Type::u8: return f(uint8_t{});
  case Type::i16: return f(int16_t{});
  case Type::u16: return f(uint16_t{});
  case Type::i32: return f(int32_t{});
  case Type::u32: return f(uint32_t{});
  case Type::i64: return f(int64_t{});
  case Type::u64: return f(uint64_t{});
  case Type::none: return;
  }
}

// NaN when either is, and -0 below +0.
template <class V> V larger(V a, V b) {
  if constexpr (std::is_floating_point_v<V>) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<V>::quiet_NaN();
    if (a == b) return std::signbit(a) ? b : a;
  }
  return a > b ? a : b;
}
template <class V> V smaller(V a, V b) {
  if constexpr (std::is_floating_point_v<V>) {
    if (std::isnan(a) || std::isnan(b)) return std::numeric_limits<V>::quiet_NaN();
    if (a == b) return std::signbit(a) ? a : b;
  }
  return a < b ? a : b;
}

// What the names of the instructions say, without T, S, ROWEXPAND and COLEXPAND.
enum class What { add, sub, subrelu, mul, div, max, min, bit_and, bit_or, bit_xor, shl, shr, prelu, expdif };
inline What what_of(std::string_view name) {
  constexpr std::pair<const char *, What> names[] = {
      {"ADD", What::add},     {"SUBRELU", What::subrelu}, {"SUB", What::sub},       {"MUL", What::mul},
      {"DIV", What::div},     {"MAX", What::max},         {"MIN", What::min},       {"AND", What::bit_and},
      {"XOR", What::bit_xor}, {"OR", What::bit_or},       {"SHL", What::shl},       {"SHR", What::shr},
      {"PRELU", What::prelu}, {"LRELU", What::prelu},     {"EXPDIF", What::expdif}, {"SUM", What::add},
      {"PROD", What::mul}};
  for (const std::string_view prefix : {"TROWEXPAND", "TCOLEXPAND", "TROW", "TCOL", "TPART", "T"})
    if (name.substr(0, prefix.size()) == prefix) {
      name.remove_prefix(prefix.size());
      break;
    }
  for (const auto &[start, what] : names)
    if (name.substr(0, std::strlen(start)) == start) return what;
  return What::add;
}

template <class V> V apply(What what, V a, V b) {
  if constexpr (std::is_floating_point_v<V>) {
    switch (what) {
    case What::add: return a + b;
    case What::sub: return a - b;
    case What::subrelu: return a - b > 0 ? a - b : V{0};
    case What::mul: return a * b;
    case What::div: return a / b;
    case What::max: return larger(a, b);
    case What::min: return smaller(a, b);
    case What::prelu: return a > 0 ? a : a * b;
    default: return a;
    }
  } else {
    using U = std::make_unsigned_t<V>;
    const auto x = static_cast<uint64_t>(static_cast<U>(a)), y = static_cast<uint64_t>(static_cast<U>(b));
    const uint64_t width = sizeof(V) * 8;
    switch (what) {
    case What::add: return static_cast<V>(x + y);
    case What::sub: return static_cast<V>(x - y);
    case What::mul: return static_cast<V>(x * y);
    case What::div:
      if (b == 0) return 0;
      if constexpr (std::is_signed_v<V>)
        if (b == -1) return static_cast<V>(0 - x);
      return static_cast<V>(a / b);
    case What::max: return larger(a, b);
    case What::min: return smaller(a, b);
    case What::bit_and: return static_cast<V>(x & y);
    case What::bit_or: return static_cast<V>(x | y);
    case What::bit_xor: return static_cast<V>(x ^ y);
    case What::shl: return y < width ? static_cast<V>(x << y) : V{0};
    case What::shr: return static_cast<V>(a >> std::min<uint64_t>(y, width - 1)); // the sign stays; of unsigned:
    default: return a;
    }
  }
}

template <class V> V unary(Op op, V a) {
  if constexpr (std::is_floating_point_v<V>) {
    switch (op) {
    case Op::TEXP: return std::exp(a);
    case Op::TLOG: return std::log(a);
    case Op::TSQRT: return std::sqrt(a);
    case Op::TRSQRT: return 1 / std::sqrt(a);
    case Op::TRECIP: return 1 / a;
    case Op::TABS: return std::fabs(a);
    case Op::TNEG: return -a;
    case Op::TRELU: return a > 0 ? a : V{0};
    default: return a;
    }
  } else {
    using U = std::make_unsigned_t<V>;
    switch (op) {
    case Op::TRECIP: return a == 0 ? V{0} : static_cast<V>(1 / a);
    case Op::TNEG: return static_cast<V>(U{0} - static_cast<U>(a));
    case Op::TRELU: return a > 0 ? a : V{0};
    case Op::TNOT: return static_cast<V>(~a);
    default: return a;
    }
  }
}

// a - whole(a / b) * b, each step rounded; downwards with the sign of b.
template <class V> V rest(Op op, V a, V b) {
  if constexpr (std::is_floating_point_v<V>) {
    const bool down = op == Op::TREM || op == Op::TREMS;
    const V whole = down ? std::floor(a / b) : std::trunc(a / b), product = whole * b, left = a - product;
    const V signs = left * b;
    return down && signs < 0 ? left + b : left;
  } else {
    return a;
  }
}

// Floats by logarithm and exponential, integers by squaring, in 32 bits; after a negative exponent 0, but of 1 and -1.
template <class V> V raised(V a, V b) {
  if constexpr (std::is_floating_point_v<V>) {
    if (b == 0) return 1;
    if (a == 0) return b > 0 ? V{0} : std::numeric_limits<V>::infinity();
    if (a == -1 && std::isinf(b)) return 1;
    const bool whole = std::isfinite(b) && std::trunc(b) == b;
    const V scaled = b * std::log(whole ? std::fabs(a) : a), power = std::exp(scaled);
    return whole && a < 0 && std::fabs(b) < 2147483648.0f && std::fmod(b, V{2}) != 0 ? -power : power;
  } else {
    const auto base = static_cast<int32_t>(a);
    auto exponent = static_cast<int32_t>(b);
    if (exponent == 0 || base == 1) return 1;
    if (base == -1) return static_cast<V>(exponent & 1 ? -1 : 1);
    if (exponent < 0) return 0;
    uint32_t result = 1, factor = static_cast<uint32_t>(base);
    for (; exponent; exponent >>= 1, factor *= factor)
      if (exponent & 1) result *= factor;
    return static_cast<V>(result);
  }
}

template <class V> bool compare(int64_t mode, V a, V b) {
  switch (mode) {
  case 0: return a == b;
  case 1: return a != b;
  case 2: return a < b;
  case 3: return a <= b;
  case 4: return a > b;
  default: return a >= b;
  }
}

inline double rounded(double v, int64_t mode, int64_t otherwise) {
  switch (mode == 0 ? otherwise : mode) {
  case 2: return std::round(v);
  case 3: return std::floor(v);
  case 4: return std::ceil(v);
  case 5: return std::trunc(v);
  case 6: { // to odd where it is not exact
    const double down = std::trunc(v);
    return down == v || std::fmod(down, 2) != 0 ? down : down + (v > 0 ? 1 : -1);
  }
  default: return std::nearbyint(v);
  }
}

// A float in a dtype with fewer bits, in a given direction.
template <class T> typename As<T>::Value narrowed(double v, int64_t mode) {
  if constexpr (std::is_floating_point_v<typename As<T>::Value>) {
    const auto stored = [](float f) {
      uint8_t bytes[4];
      As<T>::write(bytes, f);
      return As<T>::read(bytes);
    };
    const float near = stored(static_cast<float>(v));
    if (mode <= 1 || std::isnan(v) || std::isinf(v) || static_cast<double>(near) == v) return near;
    if (sizeof(T) == 4) return near;
    // The neighbours on either side.
    uint16_t bits = 0;
    uint8_t bytes[4];
    As<T>::write(bytes, near);
    std::memcpy(&bits, bytes, 2);
    const auto next = [&](bool up) {
      const bool negative = bits & 0x8000u;
      uint16_t b = bits;
      if ((b & 0x7fffu) == 0)
        b = static_cast<uint16_t>(up ? 1 : 0x8001);
      else
        b = static_cast<uint16_t>(negative == up ? b - 1 : b + 1);
      std::memcpy(bytes, &b, 2);
      return As<T>::read(bytes);
    };
    const float low = static_cast<double>(near) < v ? near : next(false),
                high = static_cast<double>(near) > v ? near : next(true);
    switch (mode) {
    case 2: return v - static_cast<double>(low) == static_cast<double>(high) - v ? (v > 0 ? high : low) : near;
    case 3: return low;
    case 4: return high;
    case 5: return v > 0 ? low : high;
    default: { // odd: the neighbour whose last bit is set
      As<T>::write(bytes, low);
      return bytes[0] & 1 ? low : high;
    }
    }
  } else {
    return static_cast<T>(v);
  }
}

template <class From, class To>
typename As<To>::Value converted(typename As<From>::Value v, int64_t mode, bool wraps = false) {
  using V = typename As<To>::Value;
  if constexpr (std::is_floating_point_v<V>) {
    if constexpr (std::is_floating_point_v<typename As<From>::Value>)
      if (std::is_same_v<From, To> || sizeof(To) == 4)
        return sizeof(From) == 4 && std::is_same_v<From, To> && mode > 1 ? static_cast<V>(rounded(v, mode, 1))
                                                                         : static_cast<V>(v);
    return narrowed<To>(static_cast<double>(v), mode);
  } else if constexpr (std::is_floating_point_v<typename As<From>::Value>) {
    if (std::isnan(v)) return 0;
    const double whole = rounded(static_cast<double>(v), mode, 1);
    if (wraps && std::fabs(whole) < 0x1p62) return static_cast<V>(static_cast<int64_t>(whole));
    if (whole <= static_cast<double>(std::numeric_limits<V>::lowest())) return std::numeric_limits<V>::lowest();
    if (whole >= static_cast<double>(std::numeric_limits<V>::max())) return std::numeric_limits<V>::max();
    return static_cast<V>(whole);
  } else { // of integers the result saturates, or wraps around
    if (wraps) return static_cast<V>(v);
    if (std::cmp_less(v, std::numeric_limits<V>::lowest())) return std::numeric_limits<V>::lowest();
    if (std::cmp_greater(v, std::numeric_limits<V>::max())) return std::numeric_limits<V>::max();
    return static_cast<V>(v);
  }
}

template <class V> V pad_value(uint64_t pad) {
  using L = std::numeric_limits<V>;
  if (pad == 2) return L::has_infinity ? L::infinity() : L::max();
  if (pad == 3) return L::has_infinity ? -L::infinity() : L::lowest();
  return V{0};
}

} // namespace htp::a2a3sim::arithmetic
