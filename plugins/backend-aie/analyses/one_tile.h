// plugins/backend-aie/analyses/one_tile.h — a tile of a core that stands for another one from some statement on.
#pragma once

#include "analyses/cores.h"

namespace htp::aie::cores {

// The tiles of a process by where they are written, in the order of its items.
class OneTile {
public:
  OneTile(const Context &context, Process &process) : c(&context), p(&process) { number(); }

  bool written_once(const std::string &tile) const {
    const auto it = writes_.find(tile);
    return it != writes_.end() && it->second.size() == 1;
  }
  // Whether nothing writes a tile behind an item.
  bool unwritten_behind(const std::string &tile, const Item &item) const;
  // Other tiles instead of some, without the items at `gone` of a list that made it so.
  void replace(std::vector<Item> &items, const std::map<std::string, std::string, std::less<>> &names,
               const std::set<size_t> &gone);

private:
  void number();

  const Context *c;
  Process *p;
  std::map<std::string, std::vector<size_t>, std::less<>> writes_; // of a tile, by the order of items
  std::map<const Item *, size_t> order_;
};

} // namespace htp::aie::cores
