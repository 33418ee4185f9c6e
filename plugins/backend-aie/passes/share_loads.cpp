// aie.share_loads: what a core loads twice in the same iteration it loads once.
#include "analyses/one_tile.h"
#include "on_cores.h"
#include "passes.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

class Sharing {
public:
  Sharing(const Context &context, Cores &all, Process &process) : all_(all), p(process), tiles_(context, process) {
    for (const Access &a : all_.accesses)
      if (a.stores) stored_.insert(a.tensor);
  }
  bool run() {
    list(p.body);
    return changed_;
  }

private:
  void list(std::vector<Item> &items) {
    for (bool again = true; again;) {
      again = false;
      for (size_t k = 0; k < items.size() && !again; ++k)
        for (size_t later = k + 1; later < items.size() && !again; ++later) again = loaded_twice(items, k, later);
      changed_ = changed_ || again;
    }
    for (Item &i : items)
      if (i.kind == Item::Kind::loop) list(i.body);
  }
  // A slice that is loaded again, of a tensor that nobody stores.
  bool loaded_twice(std::vector<Item> &items, size_t k, size_t later) {
    const Item &first = items[k], &second = items[later];
    if (first.kind != Item::Kind::load || second.kind != Item::Kind::load || first.tile == second.tile) return false;
    const Access &a = all_.accesses[first.access], &b = all_.accesses[second.access];
    const auto same = [](const Slice &x, const Slice &y) {
      return x.start == y.start && x.size == y.size && x.steps == y.steps && x.block == y.block && x.apart == y.apart;
    };
    if (a.tensor != b.tensor || stored_.contains(a.tensor) || a.path != b.path || a.index.size() != b.index.size() ||
        !std::equal(a.index.begin(), a.index.end(), b.index.begin(), same) || !tiles_.written_once(first.tile) ||
        !tiles_.written_once(second.tile))
      return false;
    tiles_.replace(items, second.tile, first.tile, {later});
    return true;
  }

  Cores &all_;
  Process &p;
  OneTile tiles_;
  std::set<size_t> stored_;
  bool changed_ = false;
};

} // namespace

bool share_loads(const Context &c, Cores &all) {
  bool any = false;
  for (Process &p : all.processes) any = Sharing(c, all, p).run() || any;
  return any;
}

} // namespace htp::aie::cores

namespace htp::aie {

Node shared_loads(const Context &c, Node root) {
  return cores::changed(c, root, [](const Context &context, Node, cores::Cores &all, OnDevice &) {
    return cores::share_loads(context, all);
  });
}
Result share_loads(const Context &c, Node root, Node &out) { return made(c, shared_loads(c, root), out); }

} // namespace htp::aie
