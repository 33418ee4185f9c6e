// Which step works in which buffer.
#include "htp_cpp/decompose.h"

#include <algorithm>

namespace htp::sdk::decompose {

Buffers buffers_of(const Steps &steps, const std::function<bool(Basic)> &apart) {
  std::vector<size_t> last(steps.size()); // the step that reads a result last
  for (size_t k = 0; k < steps.size(); ++k) {
    last[k] = k;
    for (const Operand &o : steps[k].of)
      if (o.kind == Operand::Kind::step) last[o.step] = k;
  }
  Buffers all;
  std::vector<size_t> free;
  for (size_t k = 0; k < steps.size(); ++k) {
    const bool mask = makes_mask(steps[k].basic);
    std::vector<size_t> ending;
    for (const Operand &o : steps[k].of)
      if (o.kind == Operand::Kind::step && last[o.step] == k && !std::ranges::count(ending, all.of[o.step]))
        ending.push_back(all.of[o.step]);
    const auto take = [&](std::vector<size_t> &from) {
      const auto found = std::ranges::find_if(from, [&](size_t b) { return all.masks[b] == mask; });
      if (found == from.end()) return false;
      all.of.push_back(*found);
      from.erase(found);
      return true;
    };
    if ((apart(steps[k].basic) || !take(ending)) && !take(free)) {
      all.of.push_back(all.masks.size());
      all.masks.push_back(mask);
    }
    free.insert(free.end(), ending.begin(), ending.end());
  }
  return all;
}

} // namespace htp::sdk::decompose
