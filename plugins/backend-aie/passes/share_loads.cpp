// aie.share_loads: what a core loads twice in the same iteration it loads once.
#include "analyses/one_tile.h"
#include "on_cores.h"
#include "passes.h"

#include <algorithm>

namespace htp::aie::cores {

namespace {

class Sharing {
public:
  Sharing(const Context &context, Cores &all, Process &process)
      : c(context), all_(all), p(process), tiles_(context, process) {
    for (const Access &a : all_.accesses)
      if (a.stores && !all_.alike) stored_.insert(a.tensor); // cores that are alike store behind all loads
  }
  bool run() {
    list(p.body);
    return changed_;
  }

private:
  enum class Found : uint8_t { nothing, alias, copy };

  void list(std::vector<Item> &items) {
    for (size_t k = 0; k < items.size();) {
      const Found found = loaded_again(items, k);
      changed_ = changed_ || found != Found::nothing;
      k = found == Found::nothing ? k + 1 : found == Found::alias ? k : 0; // a copy moves items
    }
    for (Item &i : items)
      if (i.kind == Item::Kind::loop) list(i.body);
  }
  // Whether two items load one slice, of a tensor that nobody stores.
  bool load_one_slice(const Item &first, const Item &second) const {
    if (first.kind != Item::Kind::load || second.kind != Item::Kind::load || first.tile == second.tile) return false;
    const Access &a = all_.accesses[first.access], &b = all_.accesses[second.access];
    const auto same = [](const Slice &x, const Slice &y) {
      return x.start == y.start && x.size == y.size && x.steps == y.steps && x.block == y.block && x.apart == y.apart &&
             x.column == y.column && x.row == y.row;
    };
    return a.tensor == b.tensor && !stored_.contains(a.tensor) && a.path == b.path &&
           std::equal(a.index.begin(), a.index.end(), b.index.begin(), b.index.end(), same);
  }
  // What loads the slice of the k-th item again: tiles that nothing else is written to are that one's, all at once.
  Found loaded_again(std::vector<Item> &items, size_t k) {
    std::map<std::string, std::string, std::less<>> names;
    std::set<size_t> gone;
    for (size_t later = k + 1; later < items.size() && items[k].kind == Item::Kind::load; ++later) {
      if (!load_one_slice(items[k], items[later])) continue;
      if (tiles_.written_once(items[k].tile) && tiles_.written_once(items[later].tile)) {
        names[items[later].tile] = items[k].tile;
        gone.insert(later);
      } else if (all_.alike) {
        if (!gone.empty()) break;
        return copied(items, k, later) ? Found::copy : Found::nothing;
      }
    }
    if (gone.empty()) return Found::nothing;
    tiles_.replace(items, names, gone);
    return Found::alias;
  }
  // A tile that is written to again is a copy of what is loaded.
  bool copied(std::vector<Item> &items, size_t k, size_t later) {
    const auto copy = [&](const Item &load, const std::string &from) {
      Item made{Item::Kind::call, load.node, 0, {}, load.tile, 0, 0, {from}};
      made.call = c.call("aie.copy", {c.name(load.tile, load.node), c.name(from, load.node)}, load.node);
      made.changed = true;
      return made;
    };
    Item &first = items[k];
    std::string loaded = first.tile;
    if (!tiles_.written_once(first.tile)) {
      for (int n = 1; p.buffers.contains(loaded); ++n) loaded = first.tile + "_" + std::to_string(n);
      p.buffers[loaded] = p.buffers.at(first.tile);
    }
    items[later] = copy(items[later], loaded);
    if (loaded != first.tile) {
      Item buffer{Item::Kind::buffer, first.node, 0, {}, loaded, 0, 0}, again = copy(first, loaded);
      first.changed = buffer.changed = true, first.tile = loaded;
      items.insert(items.begin() + static_cast<ptrdiff_t>(k) + 1, again);
      items.insert(items.begin() + static_cast<ptrdiff_t>(k), buffer);
    }
    tiles_ = OneTile(c, p);
    return true;
  }

  const Context &c;
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
  return cores::changed(c, root, cores::Of::all, [](const Context &context, Node, cores::Cores &all, OnDevice &) {
    return cores::share_loads(context, all);
  });
}

} // namespace htp::aie
