#include "analyses/one_tile.h"

#include <algorithm>
#include <utility>

namespace htp::aie::cores {

namespace {
using Renamed = std::map<std::string, std::string, std::less<>>;

void erase(std::vector<Item> &items, const Renamed &tiles) {
  std::erase_if(items, [&](const Item &i) { return i.kind == Item::Kind::buffer && tiles.contains(i.tile); });
  for (Item &i : items) erase(i.body, tiles);
}
} // namespace

void OneTile::number() {
  writes_.clear();
  size_t at = 0;
  each(p->body, [&](const Item &i) {
    ++at;
    if (i.kind == Item::Kind::call || i.kind == Item::Kind::load || i.kind == Item::Kind::get)
      writes_[i.tile].push_back(at);
    order_[&i] = at;
  });
}

bool OneTile::unwritten_behind(const std::string &tile, const Item &item) const {
  const auto it = writes_.find(tile);
  const size_t at = order_.at(&item);
  return it == writes_.end() || std::none_of(it->second.begin(), it->second.end(), [&](size_t w) { return w > at; });
}

void OneTile::replace(std::vector<Item> &items, const Renamed &names, const std::set<size_t> &gone) {
  std::vector<Item> kept;
  for (size_t k = 0; k < items.size(); ++k)
    if (!gone.contains(k)) kept.push_back(std::move(items[k]));
  items = std::move(kept);
  erase(p->body, names);
  for (const auto &[was, by] : names) p->buffers.erase(was);
  rename(*c, p->body, names);
  number();
}

void rename(const Context &c, std::vector<Item> &items, const std::map<std::string, std::string, std::less<>> &names) {
  each(items, [&](Item &i) {
    const auto named = [&](std::string &tile) {
      const auto it = names.find(tile);
      if (it != names.end()) tile = it->second, i.changed = true;
    };
    const bool before = std::exchange(i.changed, false);
    named(i.tile);
    for (std::string &tile : i.reads) named(tile);
    if (i.changed && i.call)
      i.call = rewrite(
          c, i.call,
          [&](Node n) {
            const auto it = names.find(c.name_of(n));
            return it == names.end() ? n : c.name(it->second, n);
          },
          [](Node, std::vector<uint32_t> &) { return false; });
    i.changed = i.changed || before;
  });
}

} // namespace htp::aie::cores
