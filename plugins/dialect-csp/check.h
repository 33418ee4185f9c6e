// check.h — whether a pipeline's processes can ever get stuck.
#pragma once

#include "program.h"
#include "stuck.h"

#include <functional>

namespace htp::csp {

// Reports channels with a missing or a second end, unequal numbers of puts and gets, and circles of who waits for whom,
// at all sizes; and what could not be shown, unless it is checked when the pipeline runs. `because`: the directive
// that made the network what it is, if one did. `replayed`: the file and the name under which plain Python runs these
// processes, if it does. Whether it was shown that the pipeline ends, at all sizes and whatever its data.
bool check_network(const Context &c, const Program &program, const Built &built, Node because = HTP_NONE,
                   const std::string &replayed = {});

struct Findings {
  std::optional<Stuck> stuck{};
  bool shown = false; // that it ends, at all sizes
};
// The same, where a run that gets stuck is found and not reported.
Findings examine_network(const Context &c, const Program &program, const Built &built, Node because);

// What is done with a network on the way from a pipeline to what runs; false ends it.
using NetworkCheck =
    std::function<bool(const Program &program, const Built &built, Node because, const std::string &replayed)>;
// Does it with that of the pipeline as it is written, and with those that the directives of its schedule leave. What is
// wrong with its declarations is reported.
void each_network(const Context &c, Node source, const NetworkCheck &check);

// What ends a deadlock: capacities that are enough, or events to come to.
struct Remedy {
  std::string text{};
  bool none = false; // no capacity does
};
Remedy remedy(const Built &built, const Stuck &stuck);

} // namespace htp::csp
