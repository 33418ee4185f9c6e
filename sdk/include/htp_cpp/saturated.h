// htp_cpp/saturated.h — arithmetic of sizes, bytes and costs, which are not negative: what does not fit 64 bits is the
// largest number that does, so that it is more than any capacity. A draft.
#pragma once

#include <cstdint>

namespace htp::sdk {

inline int64_t add_sat(int64_t a, int64_t b) {
  int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}
inline int64_t mul_sat(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}
// The next multiple of a step of at least 1.
inline int64_t round_up_sat(int64_t n, int64_t step) { return mul_sat(n / step + (n % step > 0), step); }

} // namespace htp::sdk
