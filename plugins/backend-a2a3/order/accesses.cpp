#include "order/accesses.h"

namespace htp::a2a3 {

void Accesses::add(const Touch &touch, size_t number, const Statement *by, bool once) {
  auto &lists = lists_[memory_of(touch)];
  const Access added{touch, number, by, added_++};
  const auto covered = [&](const Access &a) {
    return a.number < number && touch.begin <= a.touch.begin && a.touch.end <= touch.end &&
           (touch.writes || !a.touch.writes);
  };
  for (size_t p = 0; once && p < pipe_count; ++p)
    if (p == static_cast<size_t>(touch.pipe) || (touch.writes && !touch.tensor)) std::erase_if(lists[p], covered);
  lists[static_cast<size_t>(touch.pipe)].push_back(added);
  if (!is_store(touch)) return;
  auto &same = stores_[touch.store->node];
  if (once) std::erase_if(same, covered);
  same.push_back(added);
}

} // namespace htp::a2a3
