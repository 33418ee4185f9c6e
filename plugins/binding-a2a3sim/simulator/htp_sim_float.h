// htp_sim_float.h — f16 and bf16 as bits: a float is rounded to nearest even; what is computed is computed in float.
#pragma once

#include <cstdint>
#include <cstring>

namespace htp_sim {
inline float bits_to_float(uint32_t bits) {
  float f;
  std::memcpy(&f, &bits, sizeof f);
  return f;
}
inline uint32_t float_to_bits(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  return bits;
}
inline float widen_half(uint16_t h) {
  const uint32_t sign = (h & 0x8000u) << 16, exponent = (h >> 10) & 31, mantissa = h & 0x3ffu;
  if (exponent == 31) return bits_to_float(sign | 0x7f800000u | mantissa << 13);
  if (exponent != 0) return bits_to_float(sign | (exponent + 112) << 23 | mantissa << 13);
  const float small = static_cast<float>(mantissa) * 0x1p-24f; // denormal, exact
  return sign ? -small : small;
}
inline uint16_t narrow_half(float f) {
  const uint32_t bits = float_to_bits(f), sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
  if (rest > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u);
  if (rest >= 0x477ff000u) return static_cast<uint16_t>(sign | 0x7c00u); // from 65520 on
  if (rest < 0x38800000u) { // denormal: the sum puts the bits in place, rounded by the processor
    const float sum = bits_to_float(rest) + 0.5f;
    return static_cast<uint16_t>(sign | (float_to_bits(sum) - 0x3f000000u));
  }
  return static_cast<uint16_t>(sign | ((rest - 0x38000000u + 0xfffu + (rest >> 13 & 1u)) >> 13));
}
inline float widen_bfloat(uint16_t b) { return bits_to_float(static_cast<uint32_t>(b) << 16); }
inline uint16_t narrow_bfloat(float f) {
  const uint32_t bits = float_to_bits(f);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return static_cast<uint16_t>(bits >> 16 | 0x40u);
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
} // namespace htp_sim
