// plugins/binding-aiesim/model/costs.h — costs.def as data.
#pragma once

#include <cstdint>
#include <string_view>

namespace htp::aiesim {

namespace cost {
#define DEVICE_COST(...)
#define MACS(...)
#define COST(name, value, what) inline constexpr int64_t name = value;
#include "model/costs.def"
} // namespace cost

struct DeviceCost {
  std::string_view name;
  double hertz, resting_hertz, memory_bytes, start;
  int64_t cores;
};
// npu1 for `npu1_4col` as well.
const DeviceCost &device_cost(std::string_view device);

struct Products { // a cycle of a core
  int64_t matrix = 1, vector = 1;
};
Products products(const DeviceCost &device, std::string_view element);

} // namespace htp::aiesim
