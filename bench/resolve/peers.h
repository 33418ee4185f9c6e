// bench/resolve/peers.h — the same universes by libsolv and by clingo, where they are installed.
#pragma once

#include "bench/resolve/universe.h"

namespace htp::bench {

// Milliseconds of CPU from the universe in memory to an answer, or to what is said of a conflict; negative: it is not
// there. `answered`: there is one.
struct Timed {
  double ms = -1;
  bool answered = false;
};
Timed by_libsolv(const World &world);
Timed by_clingo(const World &world, bool optimise); // a process of its own, grounding included

} // namespace htp::bench
