// plugins/backend-aie/verify/blocks.h — what cores read and give, held against what they hold.
#pragma once

#include "analyses/program.h"

namespace htp::aie {

// Whether each core reads what was written, gives blocks that something was written to, and uses none that it gave
// back; false after `refuse`.
bool blocks_arrive(const Program &program, const Refuse &refuse);

} // namespace htp::aie
