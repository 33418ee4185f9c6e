// host/base/roof.h — what one core of this machine does at most, measured: the lines that a run's time is held against.
#pragma once

#include <cstdint>

namespace htp {

// Each in a second. The memory's rates are of a memory of so many bytes that is gone through again and again, so of
// the cache that it fits into.
struct Roof {
  double flops;      // multiply-adds of f32 on vectors that wait for nothing; two operations for each
  double read, copy; // bytes read; bytes read and written
};

// Takes about a tenth of a second.
Roof measure_roof(uint64_t bytes);

} // namespace htp
