// machine/cost.h — how long an instruction takes on its pipe, by published numbers.
#pragma once

#include "memory.h"

namespace htp::a2a3sim {

inline constexpr double megahertz = 1850;
inline constexpr double issue_cycles = 2;     // of the scalar pipe, an instruction
inline constexpr double launch_cycles = 1850; // of a task: 1 µs from ready to running

double cycles_of(Op op, Pipe pipe, const Operand *operands, uint32_t count);

} // namespace htp::a2a3sim
