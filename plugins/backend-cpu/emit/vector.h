// plugins/backend-cpu/emit/vector.h — whether and how a loop runs on vectors.
#pragma once

#include "bounds.h"

#include <map>
#include <optional>
#include <set>

namespace htp::cpu::ready {

// A scalar from outside that the loop gathers into: `top = cpu.maximum(top, x)`.
struct Reduction {
  const Scalar *scalar = nullptr;
  std::string operation; // add, mul, maximum, minimum
  // Whether an element may come to it twice.
  bool again() const { return operation == "maximum" || operation == "minimum"; }
  // Of floats: what is NaN is gathered beside it, by pairs, which takes less than to look at each.
  bool apart() const { return again() && computed(scalar->dtype)->kind == Class::floating; }
};

struct VectorPlan {
  Node loop = HTP_NONE;
  unsigned lanes = 1;
  unsigned copies = 1; // vectors in flight in the main loop,
  unsigned few = 1;    // where the machine has half as many registers
  // Elements may be computed twice: what is written is not read. What is reduced must have each only once.
  bool repeatable = false;
  std::set<const Scalar *> varying;
  std::vector<Reduction> reductions;
  const Reduction *reduction(const Scalar *s) const {
    for (const Reduction &r : reductions)
      if (r.scalar == s) return &r;
    return nullptr;
  }
};

// Of a loop marked vectorized; none when it must run one element at a time: an access that is not of consecutive
// elements, or is checked for each; a value carried from one iteration to the next; a condition. `vector_bytes` is the
// machine's vector width.
std::optional<VectorPlan> plan_vectors(const Reader &t, const Unproved &unproved, const Statement &loop,
                                       unsigned vector_bytes);

// Whether an index is the variable alone, or the variable added to something without it.
bool unit_stride(const Reader &t, Node index, std::string_view variable);
// Whether the expression names this variable.
bool mentions(const Reader &t, Node expression, std::string_view name);

} // namespace htp::cpu::ready
