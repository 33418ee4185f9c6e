// Whether a loop's iterations can run in any order: nothing is carried from one to the next, and no two touch one
// place.
#include "wsp.h"

#include "htp_cpp/independence.h"

namespace htp::wsp {

void check_independent(const Context &c, const Names &names, Node workload, const Loop &loop, Node where) {
  for (const Dependence &d :
       Independence(c, names, workload, loop.statement, {"htp_wsp.P", "htp_wsp.seq", "htp_tile.tiles"}).find())
    switch (d.kind) {
    case Dependence::carried:
      c.report(diag::carried, where, loop.variable, d.name).label(d.at, "read here, before this iteration binds it");
      break;
    case Dependence::escapes:
      c.report(diag::escapes, where, loop.variable, d.name).label(d.at, "read here, behind the loop");
      break;
    case Dependence::same_place:
      c.report(diag::same_place, where, loop.variable, d.name).label(d.at, "written here");
      break;
    case Dependence::reads_written:
      c.report(diag::reads_written, where, loop.variable, d.name).label(d.at, "read here");
      break;
    }
}

} // namespace htp::wsp
