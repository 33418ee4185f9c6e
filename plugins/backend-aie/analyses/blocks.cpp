#include "analyses/blocks.h"

namespace htp::aie {

namespace {
constexpr Unit units[] = {
#define BLOCK(...) {__VA_ARGS__},
#include "analyses/blocks.def"
};

class Chooser {
public:
  Chooser(std::string_view device, const Layout &layout) : device_(device), layout_(layout) {}

  Blocks run() {
    for (const Layout::Use &u : layout_.uses)
      if (u.operation != "matmul") together(u);
    std::map<Node, Blocks::Kept> refused;
    for (;;) { // a product that is refused keeps its tiles in rows, which may refuse another one
      Blocks made;
      Blocks::Kept why;
      const Layout::Use *bad = nullptr;
      for (const Layout::Use &u : layout_.uses)
        if (u.operation == "matmul" && !refused.contains(u.node) && !bad && !want(u, made, why)) bad = &u;
      if (!bad) {
        made.kept = std::move(refused);
        return by_name(made);
      }
      refused[bad->node] = why;
      for (const std::string &tile : bad->tiles) rows_.try_emplace(root(tile), bad->node);
    }
  }

private:
  std::string root(const std::string &name) {
    const auto it = parent_.find(name);
    return it == parent_.end() ? name : it->second = root(it->second);
  }
  void join(const std::string &a, const std::string &b) {
    const std::string x = root(a), y = root(b);
    if (x == y) return;
    parent_[x] = y;
    if (const auto rows = rows_.find(x); rows != rows_.end()) rows_.try_emplace(y, rows->second);
  }
  const Layout::Tile *tile(const std::string &name) const {
    const auto it = layout_.tiles.find(name);
    return it == layout_.tiles.end() ? nullptr : &it->second;
  }
  // Whether a tile counts for each row, or each column, of another one, or is as large as it.
  static bool counts_for(const std::vector<int64_t> &from, const std::vector<int64_t> &to) {
    if (from.size() == 1 && to.size() == 2) return from[0] == to[1];
    if (from.size() != to.size() || to.size() < 2) return from == to;
    for (size_t d = 0; d < to.size(); ++d)
      if (from[d] != to[d] && (from[d] != 1 || d + 2 < to.size())) return false;
    return true;
  }
  // Element by element, all lie alike; a tile of one element goes with any.
  void together(const Layout::Use &u) {
    const Layout::Tile *target = u.tiles.empty() ? nullptr : tile(u.tiles[0]);
    if (!target) return;
    bool alike = !u.operation.starts_with("reduce_") && u.operation != "transpose" && u.operation != "call";
    for (const std::string &name : u.tiles)
      if (const Layout::Tile *r = name.empty() ? nullptr : tile(name))
        alike = alike && (counts_for(r->extents, target->extents) || (count(r->extents) == 1 && name != u.tiles[0]));
    for (const std::string &name : u.tiles) {
      const Layout::Tile *r = name.empty() ? nullptr : tile(name);
      if (!r) continue;
      if (!alike)
        rows_.try_emplace(root(name), u.node);
      else if (count(r->extents) != 1 && counts_for(r->extents, target->extents))
        join(u.tiles[0], name);
    }
  }
  bool want(const Layout::Use &u, Blocks &made, Blocks::Kept &why) {
    if (u.tiles.size() != 3) return false;
    const Layout::Tile *to = tile(u.tiles[0]), *a = tile(u.tiles[1]), *b = tile(u.tiles[2]);
    if (!to || !a || !b || to->extents.size() < 2) return false;
    const Unit *unit = unit_of(device_, a->dtype, to->dtype);
    if (!unit) return false;
    made.products.insert(u.node);
    return lay(u.tiles[0], {unit->rows, unit->columns}, made, why) &&
           lay(u.tiles[1], {unit->rows, unit->depth}, made, why) &&
           lay(u.tiles[2], {unit->depth, unit->columns}, made, why);
  }
  bool lay(const std::string &name, const Block &block, Blocks &made, Blocks::Kept &why) {
    const std::string group = root(name);
    why = {HTP_NONE, name, block, block};
    if (const auto rows = rows_.find(group); rows != rows_.end()) return why.by = rows->second, false;
    for (const auto &[other, r] : layout_.tiles) { // what lies alike is made of whole blocks too
      const size_t d = r.extents.size();
      const int64_t rows = d > 1 ? r.extents[d - 2] : 1, columns = r.extents.back();
      const bool vector = other != name && (rows == 1 || columns == 1);
      if (root(other) == group &&
          ((rows % block.rows && !(vector && rows == 1)) || (columns % block.columns && !(vector && columns == 1))))
        return why.tile = other, false;
    }
    const Block &first = made.of.try_emplace(group, block).first->second;
    return why.other = first, first == block;
  }
  Blocks by_name(const Blocks &made) {
    Blocks named{{}, made.products, made.kept};
    for (const auto &[name, r] : layout_.tiles)
      if (const auto it = made.of.find(root(name)); it != made.of.end() && count(r.extents) != 1) {
        const size_t d = r.extents.size(); // of one row, or one column, blocks are of one too
        named.of[name] = {d == 1 || r.extents[d - 2] == 1 ? 1 : it->second.rows,
                          r.extents[d - 1] == 1 ? 1 : it->second.columns};
      }
    return named;
  }

  std::string_view device_;
  const Layout &layout_;
  std::map<std::string, std::string> parent_;
  std::map<std::string, Node> rows_; // groups that stay in rows, and what keeps them
};
} // namespace

const Unit *unit_of(std::string_view device, std::string_view dtype, std::string_view sums) {
  for (const Unit &unit : units)
    if (unit.device == device && unit.dtype == dtype && unit.sums == sums) return &unit;
  return nullptr;
}

Blocks blocks_of(std::string_view device, const Layout &layout) { return Chooser(device, layout).run(); }

std::vector<int64_t> in_blocks(std::vector<int64_t> extents, const Block &block) {
  if (extents.size() == 1) extents.insert(extents.begin(), 1);
  const size_t n = extents.size();
  extents[n - 2] /= block.rows, extents[n - 1] /= block.columns;
  extents.push_back(block.rows), extents.push_back(block.columns);
  return extents;
}

} // namespace htp::aie
