// analyses/families.h — loops of a kernel, one after the other, as families of tasks of their own.
#pragma once

#include "analyses/tasks.h"

#include "htp_cpp/imports.h"

namespace htp::a2a3 {

struct FamilyBody {
  struct Kernel {
    Node node;
    std::optional<Tasks> tasks; // of a loop with parts, which is all that the kernel consists of but for what it needs
  };
  std::vector<uint32_t> before; // ints and memory
  std::vector<Kernel> kernels;
};

// The one kernel of a function, of vector cores, as several: each loop that can have parts is one, and what stands
// between these loops is one task each. A tile that a loop sums up in is summed up by each part for itself, and the
// kernel behind it adds the parts in their order; other tiles go from one kernel to the next through memory. Nothing
// where no loop can have parts.
std::optional<FamilyBody> families_of(const Context &c, const Names &names, const sdk::Constants &constants,
                                      Node function, Imports &imports);

} // namespace htp::a2a3
