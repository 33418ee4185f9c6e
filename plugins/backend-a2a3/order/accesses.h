// plugins/backend-a2a3/order/accesses.h — the accesses so far that what follows may have to be ordered behind.
#pragma once

#include "analyses/program.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>
#include <vector>

namespace htp::a2a3 {

struct Access {
  Touch touch;
  size_t number; // goes up
  const Statement *by;
  size_t rank; // of all, in their order
};

class Accesses {
public:
  // `once`: whoever is ordered behind this one is so behind what it covers too. That must be ordered before it.
  void add(const Touch &touch, size_t number, const Statement *by, bool once = true);
  // Those that the order of `touch` counts of, but for what is covered: of stores, the last first, as many as `f` asks
  // for by true. `unknown(access)`: whether it may not have ended where the touch's pipe begins; what has ended there
  // once has ended whenever that pipe goes on, and a store that has is not looked at again. `counts(access)`: whether
  // it is asked about at all.
  template <class U, class C, class F> void meeting(const Touch &touch, U &&unknown, C &&counts, F &&f) {
    if (const auto it = lists_.find(memory_of(touch)); it != lists_.end())
      for (size_t p = 0; p < pipe_count; ++p)
        if (!is_store(touch) || p != static_cast<size_t>(touch.pipe))
          for (const Access &a : it->second[p])
            if (counts(a) && a.touch.meets(touch) && unknown(a)) static_cast<void>(f(a));
    if (!is_store(touch)) return;
    const auto it = stores_.find({touch.tensor, touch.pipe});
    if (it == stores_.end()) return;
    std::erase_if(it->second, [&](const Access &a) { return !unknown(a); });
    for (auto a = it->second.rbegin(); a != it->second.rend(); ++a)
      if (counts(*a) && a->touch.meets(touch) && !f(*a)) return;
  }
  template <class U, class F> void meeting(const Touch &touch, U &&unknown, F &&f) {
    meeting(
        touch, unknown, [](const Access &) { return true; }, f);
  }
  template <class F> void each(F &&f) const {
    for (const auto &[memory, lists] : lists_)
      for (const auto &list : lists) std::for_each(list.begin(), list.end(), f);
    for (const auto &[store, list] : stores_) std::for_each(list.begin(), list.end(), f);
  }
  // How many there were so far.
  size_t added() const { return added_; }
  // Those of another way from where `common` were added; what is covered on one way only stays.
  void join(const Accesses &other, size_t common);

private:
  static const void *memory_of(const Touch &t) {
    return t.tensor ? static_cast<const void *>(t.tensor) : static_cast<const void *>(t.space);
  }
  // Of one pipe's stores only some follow others.
  static bool is_store(const Touch &t) { return t.store && t.pipe != Pipe::v; }

  std::unordered_map<const void *, std::array<std::vector<Access>, pipe_count>> lists_; // of a tensor or a space
  std::map<std::pair<const Tensor *, Pipe>, std::vector<Access>> stores_;               // to a tensor by a pipe
  size_t added_ = 0;
};

} // namespace htp::a2a3
