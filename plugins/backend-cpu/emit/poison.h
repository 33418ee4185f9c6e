// plugins/backend-cpu/emit/poison.h — which buffers and slots hold poison where they begin, as under plain Python:
// those of which more may be read than was written.
#pragma once

#include "program.h"

#include <map>

namespace htp::cpu::ready {

// Not needed where each of these ints is the extent of its dimension; always without any.
struct Poison {
  std::vector<std::pair<Node, Node>> unless; // an int, and an extent
};
using Poisons = std::map<const Memory *, Poison>;

// One walk. What is not seen to be written before it is read is poisoned.
Poisons find_poisons(const Tree &t, const Constants &constants, const std::vector<Statement> &body);

// What each byte of such memory is: a NaN of any float, True, and ints of the table of dtypes.
unsigned poison_byte(const DType &dtype);

} // namespace htp::cpu::ready
