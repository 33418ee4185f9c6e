// aie.normalize_loops: loops count their iterations from 0, `range(5)`, of blocks that are whole by now: slices of as
// many elements.
#include "on_cores.h"
#include "passes.h"

#include <algorithm>

namespace htp::aie::cores {

bool normalize_loops(Cores &all) {
  std::set<size_t> other; // loops
  for (size_t l = 0; l < all.loops.size(); ++l)
    if (all.loops[l].block || all.loops[l].first) other.insert(l);
  if (other.empty()) return false;
  for (Access &a : all.accesses)
    for (Slice &s : a.index) {
      a.changed = a.changed || s.block || std::any_of(s.steps.begin(), s.steps.end(), [&](const auto &step) {
                    return step.second && other.contains(step.first);
                  });
      s.block.reset();
    }
  for (Process &p : all.processes)
    each(p.body, [&](Item &i) {
      if (i.kind == Item::Kind::loop) i.changed = i.changed || other.contains(i.loop);
      if (i.kind != Item::Kind::buffer) return;
      for (std::optional<size_t> &loop : p.buffers.at(i.tile).loops)
        if (loop) loop.reset(), i.changed = true;
    });
  for (const size_t l : other) all.loops[l].block = all.loops[l].extent = all.loops[l].first = 0;
  return true;
}

} // namespace htp::aie::cores

namespace htp::aie {

Node normalized_loops(const Context &c, Node root) {
  return cores::changed(
      c, root, [](const Context &, Node, cores::Cores &all, OnDevice &) { return cores::normalize_loops(all); });
}
Result normalize_loops(const Context &c, Node root, Node &out) { return made(c, normalized_loops(c, root), out); }

} // namespace htp::aie
