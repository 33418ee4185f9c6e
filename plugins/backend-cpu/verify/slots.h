// plugins/backend-cpu/verify/slots.h — whether processes use their channels as the runtime relies on.
#pragma once

#include "cpu.h"
#include "emit/program.h"

namespace htp::cpu::ready {

// False after a report.
bool check_slots(const Context &c, const Program &program, const Constants &constants);

} // namespace htp::cpu::ready
