// aie.drop_channels: a channel whose items are all dropped is none, nor what then does nothing a process.
#include "on_cores.h"
#include "passes.h"

namespace htp::aie::cores {

namespace {
void remove(std::vector<Item> &items, const std::set<size_t> &channels) {
  for (Item &i : items)
    if (i.kind == Item::Kind::loop) remove(i.body, channels);
  std::erase_if(items, [&](const Item &i) {
    const bool operates = i.kind == Item::Kind::get || i.kind == Item::Kind::put || i.kind == Item::Kind::drop;
    return (operates && channels.contains(i.channel)) || (i.kind == Item::Kind::loop && i.body.empty());
  });
}
} // namespace

bool drop_channels(Cores &all) {
  std::set<size_t> used, dead;
  for (Process &p : all.processes)
    each(p.body, [&](const Item &i) {
      if (i.kind == Item::Kind::get) used.insert(i.channel);
    });
  for (size_t k = 0; k < all.channels.size(); ++k)
    if (!used.contains(k) && !all.channels[k].dead) dead.insert(k), all.channels[k].dead = true;
  for (Process &p : all.processes) remove(p.body, dead);
  const size_t before = all.processes.size();
  std::erase_if(all.processes, [](const Process &p) { return p.body.empty(); });
  return !dead.empty() || all.processes.size() != before;
}

} // namespace htp::aie::cores

namespace htp::aie {

Node without_dead_channels(const Context &c, Node root) {
  return cores::changed(c, root, cores::Of::named,
                        [](const Context &, Node, cores::Cores &all, OnDevice &) { return cores::drop_channels(all); });
}

} // namespace htp::aie
