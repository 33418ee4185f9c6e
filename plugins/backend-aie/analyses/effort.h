// plugins/backend-aie/analyses/effort.h — what operations on single elements take of a core, counted in the operations
// that are emitted for them.
#pragma once

#include "analyses/program.h"

namespace htp::aie {

// For sixteen elements: operations on vectors of sixteen, products of f32, divisions.
struct Effort {
  double operations = 0, products = 0, divisions = 0;
  Effort &operator+=(const Effort &other) {
    operations += other.operations, products += other.products, divisions += other.divisions;
    return *this;
  }
};
// Of an operation that makes elements of `to` of elements of `of`, or of them and a number.
Effort effort_of(std::string_view operation, const DType &of, const DType &to, bool with_number);

} // namespace htp::aie
