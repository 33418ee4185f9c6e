// plugins/backend-cpu/models/models.h — what a Codegen.Ready(target=cpu) program takes at given sizes, by a model of
// the machine.
#pragma once

#include "cpu.h"
#include "emit/program.h"

#include "htp_cpp/simulate.h"

#include <optional>

namespace htp::cpu {

// The processes of a program at the sizes in the unit's option `sizes`: their moves on channels, and the seconds that
// they work in between. Nothing when these, and iterations around them, are more than `most`.
std::optional<sdk::simulation::Network> network_of(const Context &c, const ready::Constants &constants,
                                                   const ready::Program &program, size_t most);

} // namespace htp::cpu
