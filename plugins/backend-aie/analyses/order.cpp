// Streams are not in order with each other: what cores store is stored once, and not loaded.
#include "analyses/cores.h"

#include <numeric>

namespace htp::aie::cores {

namespace {
// Where a dimension's elements begin and end, in all turns of its loops.
std::pair<int64_t, int64_t> reached(const Cores &all, const Slice &s) {
  int64_t end = s.end();
  for (const auto &[loop, step] : s.steps) end += step * (all.loops[loop].times - 1);
  return {s.start, end};
}
// What all of a dimension's elements lie apart from its first one by multiples of; 0 of one element.
int64_t step_of(const Slice &s) {
  int64_t step = s.size > 1 ? s.apart : 0;
  for (const auto &[loop, by] : s.steps) step = std::gcd(step, by);
  return step;
}
bool meet(const Cores &all, const Access &a, const Access &b) {
  for (size_t d = 0; d < a.index.size(); ++d) {
    const auto [from, to] = reached(all, a.index[d]);
    const auto [begin, end] = reached(all, b.index[d]);
    if (to <= begin || end <= from) return false;
    const int64_t step = std::gcd(step_of(a.index[d]), step_of(b.index[d]));
    if (step && (from - begin) % step) return false; // every other one, and those between
  }
  return true;
}
} // namespace

std::optional<Refused> twice_reached(const Cores &all) {
  for (size_t second = 0; second < all.accesses.size(); ++second)
    for (size_t first = 0; first < second; ++first) {
      const Access &a = all.accesses[first], &b = all.accesses[second];
      if (a.tensor != b.tensor || (!a.stores && !b.stores) || (a.stores && b.stores && !meet(all, a, b))) continue;
      const std::string &tensor = all.parameters[a.tensor].name;
      if (!b.stores)
        return Refused{b.node, Refusal(diag::load_after_store, tensor)
                                   .with("keep what you store in a tile with a name, and go on with that: `t = …`, `" +
                                         tensor + "[…] = t`")};
      return Refused{b.node, Refusal(a.stores ? diag::two_stores : diag::other_elements, tensor)
                                 .with("store to a tensor of its own, each element once")};
    }
  return std::nullopt;
}

} // namespace htp::aie::cores
