// What needs no core: channels of which everything is dropped, and processes that only move tiles.
#include "processes/processes.h"

#include <algorithm>

namespace htp::aie::processes {

namespace {

void remove(std::vector<Item> &items, const std::set<size_t> &channels) {
  for (Item &i : items)
    if (i.kind == Item::Kind::loop) remove(i.body, channels);
  std::erase_if(items, [&](const Item &i) {
    const bool operates = i.kind == Item::Kind::get || i.kind == Item::Kind::put || i.kind == Item::Kind::drop;
    return (operates && channels.contains(i.channel)) || (i.kind == Item::Kind::loop && i.body.empty());
  });
}

// Whether a process moves tiles between tensors and channels, each channel at one place, and nothing else. Then its
// transfers do it, each on its own: less has to happen in turn than did.
bool moves(Processes &all, Process &p) {
  bool good = true;
  std::map<std::string, std::pair<size_t, bool>> from; // of a tile: its access, or the channel it was got from
  std::map<size_t, size_t> transfers;                  // of channels
  std::map<std::string, std::vector<Item> *> where;
  const auto visit = [&](auto &&self, std::vector<Item> &items) -> void {
    for (Item &i : items) {
      switch (i.kind) {
      case Item::Kind::loop: self(self, i.body); break;
      case Item::Kind::buffer: break;
      case Item::Kind::word:
      case Item::Kind::drop: good = false; break;
      case Item::Kind::load:
      case Item::Kind::get:
        good = good &&
               from.try_emplace(i.tile, i.kind == Item::Kind::load ? i.access : i.channel, i.kind == Item::Kind::load)
                   .second;
        where[i.tile] = &items;
        break;
      case Item::Kind::put:
      case Item::Kind::store: {
        const auto it = from.find(i.tile);
        const bool put = i.kind == Item::Kind::put;
        good = good && it != from.end() && it->second.second == put && where[i.tile] == &items &&
               transfers.try_emplace(put ? i.channel : it->second.first, put ? it->second.first : i.access).second;
        break;
      }
      }
    }
  };
  visit(visit, p.body);
  for (const auto &[tile, made] : from) // what is got is stored
    good = good && (made.second || transfers.contains(made.first));
  for (const auto &[channel, access] : transfers)
    good = good && all.channels[channel].readers == 1 && !all.channels[channel].transfer;
  if (!good || transfers.empty()) return false;
  for (const auto &[channel, access] : transfers) all.channels[channel].transfer = access;
  return true;
}

} // namespace

void bury(Processes &all) {
  std::set<size_t> used, dead;
  for (Process &p : all.processes)
    each(p.body, [&](const Item &i) {
      if (i.kind == Item::Kind::get) used.insert(i.channel);
    });
  for (size_t k = 0; k < all.channels.size(); ++k)
    if (!used.contains(k)) dead.insert(k), all.channels[k].dead = true;
  for (Process &p : all.processes) remove(p.body, dead);
  std::erase_if(all.processes, [](const Process &p) { return p.body.empty(); });
}

void dissolve(Processes &all) {
  std::erase_if(all.processes, [&](Process &p) { return moves(all, p); });
}

} // namespace htp::aie::processes
