// plugins/backend-a2a3/order/order.h — whether flags and barriers order everything that touches the same, and what
// would.
#pragma once

#include "analyses/program.h"

namespace htp::a2a3 {

// The first thing that is not in order.
struct Disorder {
  enum class Kind : uint8_t {
    unordered, // two instructions touch the same
    unset,     // a wait for a flag that nobody sets
    again,     // a flag that is set, and has been before
    left,      // a flag that nobody waits for
    taken,     // a flag of the runtime
    branch,    // a flag that goes into a branch, or out of it
    undrained, // the kernel's end
  } kind;
  const Statement *at = nullptr;     // 0: the kernel
  const Statement *before = nullptr; // unordered: what touches the same before; branch: what set the flag
  Refusal what;
  int64_t event = 0;   // of a flag, in the turn that it is of
  bool waited = false; // branch: whether it waits for the flag and does not set it again
};
std::optional<Disorder> disorder(const Kernel &kernel);

// What would put it in order: a change that was tried; else what such a change is made of.
std::string mended(const Context &c, const Kernel &kernel, const Disorder &found);

} // namespace htp::a2a3
