// plugins/models-cpu/models.h — what a Codegen.Ready(target=cpu) program takes at given sizes, by a model of the
// machine.
#pragma once

#include "emit/program.h"

#include "htp_cpp/simulate.h"

#include <optional>

namespace htp::cpu {

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// cpu.cost: seconds that each statement of the entry's body takes, at the sizes in the option `sizes`.
Result cost(const Context &c, Node root, const Sink &sink);

// cpu.simulation: how the entry's processes run on the model's cores, as JSON (docs/simulate.md).
Result simulate(const Context &c, Node root, const Sink &sink);

// The processes of a program at the sizes in the unit's option `sizes`: their moves on channels, and the seconds that
// they work in between. Nothing when these, and iterations around them, are more than `most`.
std::optional<sdk::simulation::Network> network_of(const Context &c, const ready::Constants &constants,
                                                   const ready::Program &program, size_t most);

} // namespace htp::cpu
