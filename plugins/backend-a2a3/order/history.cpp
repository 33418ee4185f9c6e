#include "order/history.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {

constexpr size_t none = SIZE_MAX;
size_t at(Pipe p) { return static_cast<size_t>(p); }

} // namespace

void History::add_all(Bits &to, const Bits &from) {
  if (to.size() < from.size()) to.resize(from.size());
  for (size_t w = 0; w < from.size(); ++w) to[w] |= from[w];
}

History::Bits &History::carried(size_t flag) {
  const auto it = std::find_if(carried_.begin(), carried_.end(), [&](const Carried &c) { return c.flag == flag; });
  return it == carried_.end() ? carried_.emplace_back(Carried{flag, {}}).what : it->what;
}

void History::add(size_t number, Pipe pipe) {
  put(done_[at(pipe)], numbers_.size());
  numbers_.push_back(number);
}

bool History::knows(Pipe pipe, size_t number) const {
  const auto it = std::lower_bound(numbers_.begin(), numbers_.end(), number);
  return has(behind_[at(pipe)], static_cast<size_t>(it - numbers_.begin()));
}

void History::set(size_t flag, Pipe source) {
  Bits &what = carried(flag);
  what = behind_[at(source)];
  add_all(what, done_[at(source)]);
}
void History::wait(size_t flag, Pipe destination) { add_all(behind_[at(destination)], carried(flag)); }
void History::barrier(Pipe pipe) { add_all(behind_[at(pipe)], done_[at(pipe)]); }
void History::barrier_all() {
  for (Bits &behind : behind_)
    for (const Bits &done : done_) add_all(behind, done);
}

template <class F> void History::each(const History &other, F &&f) {
  for (size_t p = 0; p < pipe_count; ++p) {
    f(done_[p], other.done_[p]);
    f(behind_[p], other.behind_[p]);
  }
  for (const Carried &c : other.carried_) carried(c.flag);
  for (Carried &c : carried_) {
    const auto it =
        std::find_if(other.carried_.begin(), other.carried_.end(), [&](const Carried &o) { return o.flag == c.flag; });
    f(c.what, it == other.carried_.end() ? Bits() : it->what);
  }
}

void History::keep(const std::vector<size_t> &numbers) {
  std::vector<size_t> slots;
  for (size_t slot = 0; slot < numbers_.size(); ++slot)
    if (std::binary_search(numbers.begin(), numbers.end(), numbers_[slot])) {
      numbers_[slots.size()] = numbers_[slot];
      slots.push_back(slot);
    }
  numbers_.resize(slots.size());
  each(*this, [&](Bits &bits, const Bits &) {
    Bits kept;
    for (size_t k = 0; k < slots.size(); ++k)
      if (has(bits, slots[k])) put(kept, k);
    bits = std::move(kept);
  });
}

void History::join(const History &other) {
  std::vector<size_t> numbers;
  std::set_union(numbers_.begin(), numbers_.end(), other.numbers_.begin(), other.numbers_.end(),
                 std::back_inserter(numbers));
  const auto slots_in = [&](const std::vector<size_t> &own) {
    std::vector<size_t> slots;
    for (size_t k = 0; const size_t number : numbers) slots.push_back(k < own.size() && own[k] == number ? k++ : none);
    return slots;
  };
  const std::vector<size_t> here = slots_in(numbers_), there = slots_in(other.numbers_);
  each(other, [&](Bits &bits, const Bits &others) {
    Bits joined;
    for (size_t k = 0; k < numbers.size(); ++k)
      if ((here[k] == none || has(bits, here[k])) && (there[k] == none || has(others, there[k]))) put(joined, k);
    bits = std::move(joined);
  });
  numbers_ = std::move(numbers);
}

} // namespace htp::a2a3
