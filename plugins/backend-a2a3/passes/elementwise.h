// passes/elementwise.h — which portable intrinsics go by elements, so that rows can be cut (elementwise.def).
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace htp::a2a3 {

struct Elementwise {
  std::string_view name; // "add", of the portable intrinsics
  int64_t beside = 0;    // tiles of its size that it works in beside its operands and its result
};

// Nothing for an intrinsic that does not go by elements.
inline const Elementwise *elementwise(std::string_view name) {
  static constexpr Elementwise all[] = {
#define ELEMENTWISE(name, beside) {#name, beside},
#include "passes/elementwise.def"
#undef ELEMENTWISE
  };
  const auto *it = std::find_if(std::begin(all), std::end(all), [&](const Elementwise &e) { return e.name == name; });
  return it == std::end(all) ? nullptr : it;
}

} // namespace htp::a2a3
