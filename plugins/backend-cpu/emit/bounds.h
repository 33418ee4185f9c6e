// plugins/backend-cpu/emit/bounds.h — what is seen, for all sizes, to stay in range; the rest is checked as it runs.
#pragma once

#include "program.h"

#include <set>

namespace htp::cpu::ready {

// Nodes that were not proved: a kernel checks these and no others.
struct Unproved {
  std::set<Node> indices;   // an index of a get or put that may lie outside its dimension
  std::set<Node> divisions; // a `//` or `%` whose divisor may be 0
  std::set<Node> steps;     // a loop's step that may not be positive
  std::set<Node> overflows; // a `+`, `-` or `*` whose value may not fit in 64 bits
  std::set<Node> far;       // a loop whose bounds or step may be so large that its variable, stepped on, does not fit
  bool overflows_in(const Reader &t, Node expression) const;
};

Unproved find_unproved(const Reader &t, const Constants &constants, const Program &program);

} // namespace htp::cpu::ready
