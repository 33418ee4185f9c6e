#include "blocks.h"

namespace htp::aie {

namespace {
constexpr Unit units[] = {
#define BLOCK(...) {__VA_ARGS__},
#include "blocks.def"
};

class Chooser {
public:
  Chooser(std::string_view device, const Layout &layout) : device_(device), layout_(layout) {}

  Blocks run() {
    for (const Layout::Use &u : layout_.uses)
      if (u.word != "matmul") together(u);
    std::set<Node> refused;
    for (;;) { // a product that is refused keeps its tiles in rows, which may refuse another one
      Blocks made;
      const Layout::Use *bad = nullptr;
      for (const Layout::Use &u : layout_.uses)
        if (u.word == "matmul" && !refused.contains(u.node) && !bad && !want(u, made)) bad = &u;
      if (!bad) return by_name(made);
      refused.insert(bad->node);
      for (const std::string &room : bad->rooms) rows_.insert(root(room));
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
    if (rows_.contains(x)) rows_.insert(y);
  }
  const Layout::Room *room(const std::string &name) const {
    const auto it = layout_.rooms.find(name);
    return it == layout_.rooms.end() ? nullptr : &it->second;
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
    const Layout::Room *target = u.rooms.empty() ? nullptr : room(u.rooms[0]);
    if (!target) return;
    bool alike = !u.word.starts_with("reduce_") && u.word != "transpose" && u.word != "call";
    for (const std::string &name : u.rooms)
      if (const Layout::Room *r = name.empty() ? nullptr : room(name))
        alike = alike && (counts_for(r->extents, target->extents) || (count(r->extents) == 1 && name != u.rooms[0]));
    for (const std::string &name : u.rooms) {
      const Layout::Room *r = name.empty() ? nullptr : room(name);
      if (!r) continue;
      if (!alike)
        rows_.insert(root(name));
      else if (count(r->extents) != 1 && counts_for(r->extents, target->extents))
        join(u.rooms[0], name);
    }
  }
  bool want(const Layout::Use &u, Blocks &made) {
    if (u.rooms.size() != 3) return false;
    const Layout::Room *to = room(u.rooms[0]), *a = room(u.rooms[1]), *b = room(u.rooms[2]);
    if (!to || !a || !b || to->extents.size() < 2) return false;
    const Unit *unit = unit_of(device_, a->dtype, to->dtype);
    if (!unit) return false;
    made.products.insert(u.node);
    return lay(u.rooms[0], {unit->rows, unit->columns}, made) && lay(u.rooms[1], {unit->rows, unit->depth}, made) &&
           lay(u.rooms[2], {unit->depth, unit->columns}, made);
  }
  bool lay(const std::string &name, const Block &block, Blocks &made) {
    const std::vector<int64_t> &e = room(name)->extents;
    const std::string group = root(name);
    if (e.size() < 2) return false;
    if (rows_.contains(group) || e[e.size() - 2] % block.rows || e.back() % block.columns) return false;
    return made.of.try_emplace(group, block).first->second == block;
  }
  Blocks by_name(const Blocks &made) {
    Blocks named{{}, made.products};
    for (const auto &[name, r] : layout_.rooms)
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
  std::set<std::string> rows_; // groups that stay in rows
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
