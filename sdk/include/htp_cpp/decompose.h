// htp_cpp/decompose.h — functions that a target has no instruction for, in basic operations of the tile language, with
// what they are off by. A draft; of the SDK's library, `htp::lib`.
//
//   for (const Step &s : decompose::of(Function::tanh).steps)   each operation, in order; the last is the result
//     emit(s.basic, s.of);                                      of the argument, numbers and results of earlier steps
//
// A step's order of operands is kept: a backend that keeps it too has the same bits as any other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace htp::sdk::decompose {

// As the tile language has them. `eq`, `lt`, `ne` make masks, which `where` chooses by.
enum class Basic : uint8_t {
  absolute,
  add,
  div,
  eq,
  exp,
  log,
  lt,
  maximum,
  minimum,
  mul,
  ne,
  neg,
  reciprocal, // 1 / x
  rsqrt,
  sqrt,
  sub,
  where,
  whole // the nearest whole number, halves to even, where it fits 32 bits; any number of others and of NaN; no -0
};
constexpr bool makes_mask(Basic b) { return b == Basic::eq || b == Basic::lt || b == Basic::ne; }

struct Operand {
  enum class Kind : uint8_t { argument, number, step } kind = Kind::argument;
  double number = 0;
  size_t step = 0; // whose result it is
};
struct Step {
  Basic basic = Basic::add;
  std::vector<Operand> of{};
};
using Steps = std::vector<Step>; // none: the argument itself

enum class Function : uint8_t {
#define FUNCTION(name, ulps, absolute, least, most, what) name,
#include "htp_cpp/decompose.def"
};

struct Decomposition {
  Steps steps{};
  // Of f32: see the table.
  double ulps = 0, absolute = 0;
  double least = -std::numeric_limits<double>::infinity(), most = std::numeric_limits<double>::infinity();
};
Decomposition of(Function f);
// By a whole number other than 0 that products of at most 64 factors make, or by 0.5 or -0.5; nothing of others. -0
// counts as 0 of halves. A product of n factors is off by n units in the last place, where none on the way is denormal.
std::optional<Decomposition> power(double exponent);

// For targets whose operations work on buffers: a buffer for each step, that of an operand which ends there if there is
// one and the operation is not `apart`, which cannot write what it reads. Masks have buffers of their own.
struct Buffers {
  std::vector<size_t> of;  // each step
  std::vector<bool> masks; // whether a buffer is of masks
};
Buffers buffers_of(const Steps &steps, const std::function<bool(Basic)> &apart);

} // namespace htp::sdk::decompose
