#include "model/costs.h"

#include <iterator>

namespace htp::aiesim {

namespace {
constexpr DeviceCost devices[] = {
#define DEVICE_COST(...) {__VA_ARGS__},
#define MACS(...)
#define COST(...)
#include "model/costs.def"
};
struct Row {
  std::string_view device, element;
  Products products;
};
constexpr Row rows[] = {
#define DEVICE_COST(...)
#define MACS(device, element, matrix, vector) {device, element, {matrix, vector}},
#define COST(...)
#include "model/costs.def"
};
} // namespace

const DeviceCost &device_cost(std::string_view device) {
  for (const DeviceCost &d : devices)
    if (device.starts_with(d.name)) return d;
  return devices[0];
}

Products products(const DeviceCost &device, std::string_view element) {
  for (const Row &row : rows)
    if (row.device == device.name && row.element == element) return row.products;
  return {};
}

} // namespace htp::aiesim
