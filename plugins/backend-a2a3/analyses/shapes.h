// plugins/backend-a2a3/analyses/shapes.h — what a tile of the language is in the unified buffer: rows and columns.
#pragma once

#include "a2a3.h"

#include "htp_cpp/types.h"

namespace htp::a2a3 {

// single: one element; row: one row; column: one column; other: more than two dimensions.
enum class Kind : uint8_t { single, row, column, matrix, other };

struct Shape {
  Kind kind = Kind::other;
  Extent rows = Extent::of(1), columns = Extent::of(1);
};
// Dimensions of 1 do not count; of one that is left it is the place among them that says whether it is a row or a
// column.
Shape shape_of(const std::vector<Extent> &extents);

// Bytes of an element in memory and its type in a kernel's C++; 0 bytes: the cores have it not.
struct DType {
  std::string_view name, text;
  unsigned bytes = 0;
};
const DType *dtype_named(std::string_view name);
inline bool is_float(std::string_view dtype) { return dtype == "f32" || dtype == "f16" || dtype == "bf16"; }

// Whether the instruction calculates with the dtype.
bool calculates(std::string_view instruction, std::string_view dtype);

} // namespace htp::a2a3
