// tensor.h — a tensor's descriptor in contract simpler/2026-08, for HTP's simulator.
#pragma once

#include "htp_orchestra.h"

#include <cstddef>
#include <cstdint>

inline constexpr uint32_t MAX_TENSOR_DIMS = 5;

enum class DataType : uint8_t {
  FLOAT32,
  FLOAT16,
  INT32,
  INT16,
  INT8,
  UINT8,
  BFLOAT16,
  INT64,
  UINT64,
  UINT16,
  UINT32,
  BOOL
};
inline uint64_t get_element_size(DataType type) {
  constexpr uint8_t sizes[] = {4, 2, 4, 2, 1, 1, 2, 8, 8, 2, 4, 1};
  return sizes[static_cast<uint8_t>(type)];
}

struct PTOBufferHandle {
  uint64_t addr, size;
};

struct ChipTensor {
  PTOBufferHandle buffer;
  int64_t owner = -1;    // the task that makes it
  uint64_t start_offset; // in elements
  uint32_t ndims;
  DataType dtype;
  uint32_t shapes[MAX_TENSOR_DIMS], strides[MAX_TENSOR_DIMS];

  uint64_t numel() const {
    uint64_t n = 1;
    for (uint32_t k = 0; k < ndims; ++k) n *= shapes[k];
    return n;
  }
  uint64_t extent_elem() const {
    uint64_t n = 1;
    for (uint32_t k = 0; k < ndims; ++k) n += (static_cast<uint64_t>(shapes[k]) - 1) * strides[k];
    return numel() == 0 ? 0 : n;
  }
  uint64_t nbytes() const { return numel() * get_element_size(dtype); }
  // Which part of its buffer this is, where its strides are those of rows: each a multiple of the next, and the last 1.
  void describe(htp_sim::TaskTensor &t) const {
    if (ndims == 0 || strides[ndims - 1] != 1) return;
    uint64_t rest = start_offset;
    for (uint32_t k = 0; k < ndims; ++k) {
      if (k && strides[k - 1] % strides[k] != 0) return;
      t.strides[k] = strides[k] * get_element_size(dtype), t.from[k] = rest / strides[k], t.extents[k] = shapes[k];
      rest %= strides[k];
      if (k && t.from[k] + t.extents[k] > strides[k - 1] / strides[k]) return; // it goes on in the next row
    }
    t.buffer = buffer.addr, t.dimensions = ndims;
  }

  ChipTensor view(const uint32_t extents[], const uint32_t offsets[]) const {
    ChipTensor v = *this;
    for (uint32_t k = 0; k < ndims; ++k)
      v.start_offset += static_cast<uint64_t>(offsets[k]) * strides[k], v.shapes[k] = extents[k];
    return v;
  }
  ChipTensor slice(uint32_t dim, uint32_t start, uint32_t end, uint32_t step = 1) const {
    ChipTensor v = *this;
    v.start_offset += static_cast<uint64_t>(start) * strides[dim];
    v.shapes[dim] = (end - start + step - 1) / step;
    v.strides[dim] *= step;
    return v;
  }
  ChipTensor transpose(uint32_t x, uint32_t y) const {
    ChipTensor v = *this;
    v.shapes[x] = shapes[y], v.shapes[y] = shapes[x], v.strides[x] = strides[y], v.strides[y] = strides[x];
    return v;
  }
  ChipTensor reshape(const uint32_t extents[], uint32_t count) const { // of a contiguous one
    ChipTensor v = *this;
    v.ndims = count;
    uint32_t stride = 1;
    for (uint32_t k = count; k-- > 0;) v.shapes[k] = extents[k], v.strides[k] = stride, stride *= extents[k];
    return v;
  }
};

inline ChipTensor make_tensor_external(void *address, const uint32_t shapes[], uint32_t ndims,
                                       DataType dtype = DataType::FLOAT32) {
  ChipTensor t{};
  t.owner = -1;
  t.dtype = dtype;
  t = t.reshape(shapes, ndims);
  t.buffer = {reinterpret_cast<uint64_t>(address), t.nbytes()};
  return t;
}
