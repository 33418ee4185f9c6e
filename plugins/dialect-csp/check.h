// check.h — whether a pipeline's processes can ever get stuck.
#pragma once

#include "program.h"

namespace htp::csp {

// Reports channels with a missing or a second end, unequal numbers of puts and gets, and circles of who waits for whom,
// at all sizes; and what could not be shown, unless it is checked when the pipeline runs. `because`: the directive
// that made the network what it is, if one did. `replayed`: the file and the name under which plain Python runs these
// processes, if it does.
void check_network(const Context &c, const Program &program, const Built &built, Node because = HTP_NONE,
                   const std::string &replayed = {});

} // namespace htp::csp
