// Fusing: consecutive steps share loops wherever no element is needed before it is there.
#include "model.h"

#include <algorithm>
#include <set>

namespace htp::cpu::loops {

int Index::depth() const { return std::max({loop, deepest, from ? from->access.depth() : -1}); }

int Access::depth() const {
  int deepest = -1;
  for (const Index &i : index) deepest = std::max(deepest, i.depth());
  return deepest;
}

namespace {

Item::Use use_of(const Access &access, size_t level) {
  Item::Use use;
  for (size_t d = 0; d < access.index.size(); ++d)
    if (access.index[d].loop == static_cast<int>(level)) use.dims.emplace_back(d, access.index[d].text);
  return use;
}

// Whether two accesses of one object touch the same element in the same iteration only.
bool same_iteration(const Item::Use &a, const Item::Use &b) {
  return std::find_first_of(a.dims.begin(), a.dims.end(), b.dims.begin(), b.dims.end()) != a.dims.end();
}

void add(Item &item, const Step &step, size_t level) {
  item.members.push_back(&step);
  step.each_access([&](const Access &access, bool writes) {
    Item::Uses &uses = item.uses[access.object];
    std::vector<Item::Use> &known = writes ? uses.writes : uses.reads;
    Item::Use use = use_of(access, level);
    if (std::find(known.begin(), known.end(), use) == known.end()) known.push_back(std::move(use));
  });
}

// Whether the order of the two matters: they touch one object, and one of them writes it.
bool conflict(const Item &item, const Step &step) {
  bool found = false;
  step.each_access([&](const Access &access, bool writes) {
    const auto uses = found ? item.uses.end() : item.uses.find(access.object);
    if (uses != item.uses.end()) found = writes || !uses->second.writes.empty();
  });
  return found;
}

// Whether the step may run in the item's loop: wherever one writes what the other touches, both do so in the same
// iteration.
bool may_share(const Item &item, const Step &step, size_t level) {
  bool fine = true;
  step.each_access([&](const Access &access, bool writes) {
    const auto uses = fine ? item.uses.find(access.object) : item.uses.end();
    if (uses == item.uses.end()) return;
    const Item::Use own = use_of(access, level);
    const auto together = [&](const Item::Use &other) { return same_iteration(own, other); };
    const auto all = [&](const std::vector<Item::Use> &others) {
      return std::all_of(others.begin(), others.end(), together);
    };
    fine = all(uses->second.writes) && (!writes || all(uses->second.reads));
  });
  return fine;
}

// Whether the access goes along the sum of a product, and each of the product's columns has a line of it.
bool lies_across(const Step &step, const Access &x) {
  if (!step.tiled || &x != &step.operands[1].access || step.operands[1].view->outside) return false;
  size_t columns = 0;
  for (const Index &i : x.index) {
    if (i.from || i.deepest >= step.tiled->columns || (i.scale && i.loop >= step.tiled->columns)) return false;
    columns += i.loop == step.tiled->columns;
  }
  const int along = x.object->along();
  return columns == 1 && along >= 0 && x.index[static_cast<size_t>(along)].loop == step.tiled->depth;
}

// Tiles of registers hold what goes along rows and columns alike, and nothing that needs a whole row first.
bool apart(const Item &item, const Step &step, size_t level) {
  const auto rows = [&](const Step &s) { return s.tiled && s.tiled->rows == static_cast<int>(level); };
  if (!rows(step) && std::ranges::none_of(item.members, [&](const Step *s) { return rows(*s); })) return false;
  const auto along = [&](const Step &s) {
    return s.loops.size() > level + 1 && s.loops[level + 1].extent.key == step.loops[level + 1].extent.key &&
           !s.loops[level + 1].reduces && contiguous(s, level + 1);
  };
  if (!along(step) || !std::ranges::all_of(item.members, [&](const Step *s) { return along(*s); })) return true;
  Item columns;
  for (const Step *s : item.members) add(columns, *s, level + 1);
  return !may_share(columns, step, level + 1);
}

bool joins(const Item &item, const Step &step, size_t level) {
  if (item.step || item.extent.key != step.loops[level].extent.key || !may_share(item, step, level)) return false;
  if (apart(item, step, level)) return false;
  // A loop that could be vectorized stays so.
  const bool innermost = level + 1 == step.loops.size();
  return !innermost || contiguous(step, level) == item.vectorized;
}

} // namespace

bool contiguous(const Step &step, size_t level) {
  const int loop = static_cast<int>(level);
  const bool in_order = step.form == Step::Form::scan || step.form == Step::Form::locate;
  bool fine = !(in_order && step.loops[level].reduces);
  step.each_access([&](const Access &x, bool) {
    if (step.tiled && loop == step.tiled->columns && lies_across(step, x)) return;
    for (size_t d = 0; d < x.index.size(); ++d) {
      const Index &i = x.index[d];
      fine = fine && i.deepest < loop && !(i.from && i.from->access.depth() >= loop);
      // A turned step goes along its tensors' lines, and its tiles are values of its innermost loop.
      const bool lies = step.turned && x.object->tensor && !x.object->in_memory
                            ? static_cast<int>(d) == x.object->along()
                            : (step.turned && !x.object->in_memory) || d + 1 == x.index.size();
      if (i.loop == loop) fine = fine && lies && !i.scale;
    }
  });
  return fine;
}

std::vector<Item> fuse(const std::vector<const Step *> &steps, size_t level) {
  std::vector<Item> items;
  // What is elementwise where a product by tiles of registers starts from waits for it.
  std::set<const Object *> starts;
  for (const Step *step : steps)
    if (step->tiled && step->tiled->rows == static_cast<int>(level) && step->operands.size() > 2)
      starts.insert(step->operands[2].access.object);
  for (const Step *step : steps) {
    const bool leaf = step->loops.size() == level;
    const bool waits = !step->tiled && starts.contains(step->result.object) && step->loops.size() == level + 2 &&
                       !step->loops.back().reduces;
    size_t at = items.size();
    bool joined = false;
    while (at > 0 && !waits && !step->stays) {
      Item &item = items[at - 1];
      if (!leaf && joins(item, *step, level)) {
        add(item, *step, level);
        item.vectorized = item.vectorized && contiguous(*step, level);
        joined = true;
        break;
      }
      if (conflict(item, *step)) break;
      --at;
    }
    if (joined) continue;
    Item item;
    add(item, *step, level);
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
