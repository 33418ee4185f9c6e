// machine/cost.h — how long an instruction takes on its pipe, by the numbers of costs.def.
#pragma once

#include "memory.h"

namespace htp::a2a3sim {

namespace cost {
#define COST(name, value, unit, source) inline constexpr double name = value;
#include "costs.def"
} // namespace cost

struct CostRow {
  const char *name;
  double value;
  const char *unit, *source;
};
inline constexpr CostRow cost_rows[] = {
#define COST(name, value, unit, source) {#name, value, unit, source},
#include "costs.def"
};

double cycles_of(Op op, Pipe pipe, const Operand *operands, uint32_t count);

} // namespace htp::a2a3sim
