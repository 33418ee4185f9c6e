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
  if (is_store(touch)) stores_[{touch.tensor, touch.pipe}].push_back(added);
}

void Accesses::join(const Accesses &other, size_t common) {
  const size_t later = added_ - common;
  const auto joined = [&](std::vector<Access> &to, const std::vector<Access> &from) {
    const size_t own = to.size();
    for (Access a : from) {
      const auto is = [&](const Access &o) { return o.rank == a.rank; };
      if (a.rank < common && std::any_of(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(own), is)) continue;
      if (a.rank >= common) a.rank += later;
      to.push_back(a);
    }
  };
  for (const auto &[memory, lists] : other.lists_)
    for (size_t p = 0; p < pipe_count; ++p) joined(lists_[memory][p], lists[p]);
  for (const auto &[store, list] : other.stores_) joined(stores_[store], list);
  added_ += other.added_ - common;
}

} // namespace htp::a2a3
