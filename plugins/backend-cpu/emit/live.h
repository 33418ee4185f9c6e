// What a kernel's statements use, and which of its names have more than one value.
#pragma once

#include "bounds.h"
#include "poison.h"

namespace htp::cpu::ready {

struct Live {
  std::set<std::string, std::less<>> names;      // ints and memories
  std::set<std::string, std::less<>> reassigned; // scalars and ints
  std::set<const Scalar *> scalars;
  std::set<const Memory *> read;
};

// Leaves out of `body` what nothing reads.
Live prune(const Reader &t, const Unproved &unproved, const Poisons &poisons, std::vector<Statement> &body);

} // namespace htp::cpu::ready
