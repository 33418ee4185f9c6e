// aie.offload_copies: processes that only move tiles between tensors and channels are marked `@aie.dma()`: transfers do
// it, and they need no core.
#include "on_cores.h"
#include "passes.h"

#include <algorithm>

namespace htp::aie::cores {

// Transfers do it, each on its own: less has to happen in turn than did.
bool moves(Cores &all, Process &p) {
  bool good = true;
  std::map<std::string, std::pair<size_t, bool>> from; // of a tile: its access, or the channel it was got from
  std::map<size_t, size_t> transfers;                  // of channels
  std::map<std::string, std::vector<Item> *> where;
  const auto visit = [&](auto &&self, std::vector<Item> &items) -> void {
    for (Item &i : items) {
      switch (i.kind) {
      case Item::Kind::loop: self(self, i.body); break;
      case Item::Kind::buffer: break;
      case Item::Kind::call:
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

bool offload_copies(Cores &all) {
  bool any = false;
  for (Process &p : all.processes)
    if (!p.dma && p.on.empty() && moves(all, p)) p.dma = p.changed = any = true;
  return any;
}

} // namespace htp::aie::cores

namespace htp::aie {

Node offloaded_copies(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::named, [](const Context &context, Node, cores::Cores &all, OnDevice &) {
    const bool any = cores::offload_copies(all);
    if (std::all_of(all.processes.begin(), all.processes.end(), [](const cores::Process &p) { return p.dma; }))
      context.report(diag::empty, context.entry_function(0), context.entry());
    return any;
  });
}

} // namespace htp::aie
