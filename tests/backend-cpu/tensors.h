// Arrays as arguments of a run.
#pragma once

#include <htp/binding.h>

#include <cstdint>
#include <type_traits>
#include <vector>

namespace htp::test {

template <class T> struct Array {
  explicit Array(std::vector<int64_t> extents, T fill = T()) : shape(std::move(extents)) {
    int64_t n = 1;
    for (const int64_t e : shape) n *= e;
    data.assign(static_cast<size_t>(n), fill);
    tensor.data = data.data();
    tensor.device = {kDLCPU, 0};
    tensor.ndim = static_cast<int32_t>(shape.size());
    tensor.dtype = {static_cast<uint8_t>(std::is_floating_point_v<T> ? kDLFloat
                                         : std::is_signed_v<T>       ? kDLInt
                                                                     : kDLUInt),
                    static_cast<uint8_t>(sizeof(T) * 8), 1};
    tensor.shape = shape.data();
  }
  Array(const Array &) = delete;
  Array &operator=(const Array &) = delete;
  htp_argument as(const char *name) const { return {name, &tensor, 0, 0}; }

  std::vector<int64_t> shape, strides;
  std::vector<T> data;
  DLTensor tensor{};
};

} // namespace htp::test
