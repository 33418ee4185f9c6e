// plugins/backend-aie/verify/collects.h — whether what cores make is collected once.
#pragma once

#include "analyses/program.h"

namespace htp::aie {

struct Clash {
  Node where = HTP_NONE; // the stream; none where everything is well
  Refusal why;
};
// Two transfers that write the same element of a tensor, which then has what came last, or an element of an output that
// none writes.
Clash clash(const Program &program);

} // namespace htp::aie
