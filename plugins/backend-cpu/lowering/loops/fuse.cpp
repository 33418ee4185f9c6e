// Fusing: consecutive steps share loops wherever no element is needed before it is there.
#include "model.h"

#include <algorithm>

namespace htp::cpu::loops {

int Index::depth() const { return std::max({loop, deepest, from ? from->access.depth() : -1}); }

int Access::depth() const {
  int deepest = -1;
  for (const Index &i : index) deepest = std::max(deepest, i.depth());
  return deepest;
}

namespace {

// Whether the order of the two steps matters: they touch one object, and one of them writes it.
bool conflict(const Step &a, const Step &b) {
  bool found = false;
  a.each_access([&](const Access &x, bool x_writes) {
    b.each_access(
        [&](const Access &y, bool y_writes) { found = found || (x.object == y.object && (x_writes || y_writes)); });
  });
  return found;
}

bool conflict(const Item &item, const Step &step) {
  for (const Step *m : item.members)
    if (conflict(*m, step)) return true;
  return false;
}

bool joins(const Item &item, const Step &step, size_t level) {
  if (item.step || item.extent.key != step.loops[level].extent.key) return false;
  for (const Step *m : item.members)
    if (!may_share(*m, step, level)) return false;
  // A loop that could be vectorized stays so.
  const bool innermost = level + 1 == step.loops.size();
  return !innermost || contiguous(step, level) == item.vectorized;
}

} // namespace

bool may_share(const Step &a, const Step &b, size_t level) {
  const int loop = static_cast<int>(level);
  bool fine = true;
  a.each_access([&](const Access &x, bool x_writes) {
    b.each_access([&](const Access &y, bool y_writes) {
      if (x.object != y.object || !(x_writes || y_writes)) return;
      bool same_iteration = false;
      for (size_t d = 0; d < x.index.size(); ++d)
        same_iteration |= x.index[d].loop == loop && y.index[d].loop == loop && x.index[d].text == y.index[d].text;
      fine = fine && same_iteration;
    });
  });
  return fine;
}

bool contiguous(const Step &step, size_t level) {
  const int loop = static_cast<int>(level);
  const bool in_order = step.form == Step::Form::scan || step.form == Step::Form::locate;
  bool fine = !(in_order && step.loops[level].reduces);
  step.each_access([&](const Access &x, bool) {
    for (size_t d = 0; d < x.index.size(); ++d) {
      const Index &i = x.index[d];
      fine = fine && i.deepest < loop && !(i.from && i.from->access.depth() >= loop);
      if (i.loop == loop) fine = fine && d + 1 == x.index.size() && !i.scale;
    }
  });
  return fine;
}

std::vector<Item> fuse(const std::vector<const Step *> &steps, size_t level) {
  std::vector<Item> items;
  for (const Step *step : steps) {
    const bool leaf = step->loops.size() == level;
    size_t at = items.size();
    bool joined = false;
    while (at > 0) {
      Item &item = items[at - 1];
      if (!leaf && joins(item, *step, level)) {
        item.members.push_back(step);
        item.vectorized = item.vectorized && contiguous(*step, level);
        joined = true;
        break;
      }
      if (conflict(item, *step)) break;
      --at;
    }
    if (joined) continue;
    Item item;
    item.members = {step};
    if (leaf) {
      item.step = step;
      items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), std::move(item)); // as early as it may stand
    } else {
      item.extent = step->loops[level].extent;
      item.vectorized = contiguous(*step, level);
      items.push_back(std::move(item));
    }
  }
  for (Item &item : items)
    if (!item.step) item.body = fuse(item.members, level + 1);
  return items;
}

} // namespace htp::cpu::loops
