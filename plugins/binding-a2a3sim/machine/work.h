// machine/work.h — what the processors use of the tile that an instruction is given to work with (PTO-ISA at the
// commit of commits.def, include/pto/npu/a2a3). The machine asks for that much; what a compiler declares is its matter.
#pragma once

#include "htp_sim.h"

namespace htp::a2a3sim {

// Rows and columns of the tile's own elements, and bytes from its first one on.
struct Work {
  int64_t rows = 0, columns = 0, bytes = 0;
};
// Of a target and the operand that goes through the tile.
Work work_of(htp_sim::Op op, const htp_sim::Operand &target, const htp_sim::Operand &through);

} // namespace htp::a2a3sim
