#include "spreading/packing.h"
#include "analyses/device.h"

#include <algorithm>
#include <functional>

namespace htp::aie {

namespace {

// The position of each statement, counted through all loops.
std::map<Node, int64_t> order_of(const std::vector<Item> &items) {
  std::map<Node, int64_t> found;
  const std::function<void(const std::vector<Item> &)> walk = [&](const std::vector<Item> &body) {
    for (const Item &item : body) {
      found[item.node] = static_cast<int64_t>(found.size());
      walk(item.body);
    }
  };
  walk(items);
  return found;
}

class Packing {
public:
  Packing(const Kernel &kernel, const std::set<std::string> &streams, bool apart)
      : k_(kernel), streams_(streams), apart_(apart), order_(order_of(kernel.body)) {}

  Pack run() {
    Pack p;
    p.once = true;
    std::vector<bool> open; // turns whose tiles may be there before they are loaded
    for (const Access &a : k_.accesses) {
      if (a.stores || !streams_.contains(a.stream)) continue;
      const DType *d = k_.parameters[a.tensor].dtype;
      if (!p.dtype || d->bytes < p.dtype->bytes) p.dtype = d;
      p.by_column = p.by_column || k_.by_column(a), p.by_row = p.by_row || k_.by_row(a);
      p.once = p.once && !k_.written.contains(a.tile) &&
               std::all_of(a.index.begin(), a.index.end(), [](int l) { return l < 0; });
    }
    for (size_t n = 0; n < k_.accesses.size(); ++n) {
      const Access &a = k_.accesses[n];
      if (a.stores || !streams_.contains(a.stream) || !k_.alias_of(a.tile).empty()) continue;
      const std::vector<int> path = p.once ? std::vector<int>() : a.path;
      const bool first = first_of(a) && !apart_;
      size_t t = 0;
      while (t < p.turns.size() && !(first && open[t] && p.turns[t].path == path)) ++t;
      if (t == p.turns.size()) p.turns.push_back({path, {}, a.node}), open.push_back(first);
      p.turns[t].pieces.push_back({n, 0});
    }
    for (Turn &t : p.turns) {
      int64_t size = 0;
      for (Turn::Piece &piece : t.pieces) {
        const Access &a = k_.accesses[piece.access];
        const int64_t line = pack_line / p.dtype->bytes;
        piece.at = (size + line - 1) / line * line;
        size = piece.at + count(k_.block_of(a)) * (k_.parameters[a.tensor].dtype->bytes / p.dtype->bytes);
      }
      p.elements = std::max(p.elements, size);
    }
    return p;
  }

private:
  // Whether a tile is loaded first of all that is done with it, and once.
  bool first_of(const Access &a) const {
    const std::string name = a.tile;
    for (const Access &other : k_.accesses)
      if (&other != &a && !other.stores && other.tile == name) return false;
    return std::ranges::none_of(
        k_.operations, [&](const Operation &o) { return o.target() == name && order_.at(o.node) < order_.at(a.node); });
  }

  const Kernel &k_;
  const std::set<std::string> &streams_;
  bool apart_;
  std::map<Node, int64_t> order_;
};

// Whether nothing else of a stream is acquired until the loop that a turn stands in goes on.
bool last(const Pack &p, const Turn &turn, const std::vector<Item> &items, bool behind = false) {
  for (const Item &item : items) {
    if (item.node == turn.node) return last(p, turn, {&item + 1, items.data() + items.size()}, true);
    if (behind && std::any_of(p.turns.begin(), p.turns.end(), [&](const Turn &t) { return t.node == item.node; }))
      return false;
    if (!last(p, turn, item.body, behind)) return false;
  }
  return true;
}

// The blocks of a round of a loop, in order.
int64_t lay(Pack &p, const Kernel &k, const std::vector<Item> &items, int64_t before, int64_t columns, int64_t rows) {
  int64_t parts = 0;
  for (const Item &item : items) {
    if (item.loop >= 0) {
      const int64_t of = lay(p, k, item.body, before + parts, columns, rows);
      p.turns_of[item.loop] = of;
      parts += of * (item.loop == 0 && p.repeats > 1 ? 1 : k.rounds(item.loop, columns, rows));
    }
    for (Turn &t : p.turns)
      if (t.node == item.node) t.base = before + parts++;
  }
  return parts;
}

} // namespace

Pack pack(const Kernel &kernel, const std::set<std::string> &streams, bool apart) {
  return Packing(kernel, streams, apart).run();
}

void shape(Pack &p, const Kernel &k, const Blocks &blocks, int64_t columns, int64_t rows) {
  p.share = share_of(p.by_column, p.by_row, columns);
  p.repeats = 1;
  const bool differs = std::any_of(p.turns.begin(), p.turns.end(), [&](const Turn &t) {
    return std::any_of(t.pieces.begin(), t.pieces.end(),
                       [&](const Turn::Piece &piece) { return k.uses(k.accesses[piece.access], 0); });
  });
  if (!p.once && !k.loops.empty() && !differs) p.repeats = k.rounds(0, columns, rows);
  if (p.once) {
    p.blocks = static_cast<int64_t>(p.turns.size());
    for (size_t t = 0; t < p.turns.size(); ++t) p.turns[t].base = static_cast<int64_t>(t);
  } else {
    p.blocks = lay(p, k, k.body, 0, columns, rows);
  }
  p.block.clear();
  const int64_t word = 4 / std::min<int64_t>(4, p.dtype->bytes);
  for (Turn &t : p.turns) {
    const Access &a = k.accesses[t.pieces[0].access];
    const std::string name = a.tile;
    std::vector<int64_t> extents = k.block_of(a);
    if (const auto block = blocks.of.find(name); block != blocks.of.end()) extents = in_blocks(extents, block->second);
    t.direct = t.pieces.size() == 1 && k.parameters[a.tensor].dtype == p.dtype && k.is_block(name) &&
               count(extents) == p.elements && p.elements % word == 0 && (p.block.empty() || p.block == extents) &&
               last(p, t, k.body);
    if (t.direct) p.block = extents;
  }
  if (!p.block.empty()) return;
  const int64_t line = 64 / p.dtype->bytes;
  p.elements = (p.elements + line - 1) / line * line;
  p.block = {p.elements};
}

Parameter packed_tensor(const Pack &p, const Kernel &k, int64_t columns, int64_t rows) {
  Parameter made;
  made.name = p.packed, made.direction = "in", made.dtype = p.dtype;
  made.node = k.accesses[p.turns[0].pieces[0].access].node;
  made.extents = p.block;
  const int64_t turns = p.share == Share::each ? rows : 1, // from a core's block to its next one
      transfers = p.share == Share::rows ? rows
                  : p.by_column          ? columns
                                         : 1;
  if (const int64_t parts = transfers * p.blocks * turns; parts > 1) made.extents.insert(made.extents.begin(), parts);
  made.padded = made.extents;
  for (const Turn &t : p.turns)
    for (const Turn::Piece &piece : t.pieces)
      made.packed.push_back({k.parameters[k.accesses[piece.access].tensor].name, 0, {}});
  return made;
}

int64_t traffic_of(Pack p, const Kernel &k) {
  constexpr int64_t side = cores_per_column; // of a square of cores
  shape(p, k, {}, side, side);
  const int64_t transfers = p.share == Share::each ? side * side : side;
  return p.elements * p.dtype->bytes * p.blocks * p.repeats * transfers;
}

std::vector<uint32_t> made_by_host(const Kernel &k) {
  std::vector<uint32_t> statements;
  for (const Parameter &q : k.parameters)
    if (q.counts) statements.push_back(q.node);
  return statements;
}

} // namespace htp::aie
