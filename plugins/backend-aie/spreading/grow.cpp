// Blocks of another length than the program's: where what is moved would be no multiple of 4 bytes. Ints that index, as
// `m` of `for m in range(M)` does, are blocks of one here.
#include "spreading/kernel.h"

#include <algorithm>

namespace htp::aie {

namespace {

// Which dimensions of tiles are as long as a block of a loop.
class Growing {
public:
  Growing(const Kernel &kernel, int loop) : k_(kernel), loop_(loop) {}

  bool may() const {
    if (k_.loop(loop_).bound || k_.loop(loop_).within >= 0) return false;
    for (const Loop &l : k_.loops)
      if (l.within == loop_) return false;
    return ends(k_.body, false) && std::ranges::all_of(k_.operations, [&](const Operation &o) { return alike(o); }) &&
           std::ranges::all_of(k_.accesses, [&](const Access &a) { return as_indexed(a); });
  }

private:
  // Whether what is loaded or stored grows as its index does.
  bool as_indexed(const Access &a) const {
    const auto b = k_.buffers.find(a.tile);
    if (b == k_.buffers.end()) return true; // a number
    for (size_t d = 0; d < a.index.size(); ++d)
      if ((a.index[d] == loop_) != (d < b->second.loops.size() && b->second.loops[d] == loop_)) return false;
    return true;
  }
  // Whether all that is computed in the loop is gone when it goes on.
  bool ends(const std::vector<Item> &items, bool inside) const {
    return std::all_of(items.begin(), items.end(), [&](const Item &item) {
      if (item.loop >= 0) return ends(item.body, inside || item.loop == loop_);
      const Operation *operation = k_.operation_of(item);
      if (!inside || !operation) return true;
      const auto b = k_.buffers.find(operation->target());
      return b != k_.buffers.end() &&
             std::find(b->second.path.begin(), b->second.path.end(), loop_) != b->second.path.end();
    });
  }
  // From the last dimension on: whether it grows, and how long it is; what a tile has not is one.
  struct Extent {
    bool grows;
    int64_t size;
    bool operator==(const Extent &) const = default;
  };
  Extent at(const std::string &tile, size_t from_last) const {
    const Buffer &b = k_.buffers.find(tile)->second;
    if (from_last > b.extents.size()) return {false, 1};
    const size_t d = b.extents.size() - from_last;
    return {b.loops[d] == loop_, b.extents[d]};
  }
  // The dimensions by which elements follow one another: dimensions of 1 may come and go.
  std::vector<Extent> in_order(const std::string &tile) const {
    std::vector<Extent> found;
    for (size_t n = rank(tile); n > 0; --n)
      if (const Extent e = at(tile, n); e.grows || e.size != 1) found.push_back(e);
    return found;
  }
  size_t rank(const std::string &tile) const { return k_.buffers.find(tile)->second.extents.size(); }
  bool grows(const std::string &tile, size_t from_last) const { return at(tile, from_last).grows; }

  // Whether an operation does with a row of a block what it does with it in a larger one, and makes tiles that grow
  // alike.
  bool alike(const Operation &o) const {
    std::vector<std::string> tiles;
    for (const Operation::Operand &operand : o.operands)
      if (!operand.tile.empty()) tiles.push_back(operand.tile);
    if (o.name == "call" || tiles.empty()) return false;
    const std::string &target = tiles[0];
    if (o.name == "matmul") {
      bool good = tiles.size() == 3 && !grows(tiles[1], 1) && !grows(tiles[2], 2) &&
                  grows(target, 2) == grows(tiles[1], 2) && grows(target, 1) == grows(tiles[2], 1);
      for (size_t n = 3; good && n <= rank(target); ++n)
        good = grows(target, n) == grows(tiles[1], n) && grows(target, n) == grows(tiles[2], n);
      return good;
    }
    if (o.name == "transpose") {
      bool good = tiles.size() == 2 && grows(target, 1) == grows(tiles[1], 2) && grows(target, 2) == grows(tiles[1], 1);
      for (size_t n = 3; good && n <= rank(target); ++n) good = grows(target, n) == grows(tiles[1], n);
      return good;
    }
    int64_t axis = -1;
    if (o.name.starts_with("reduce_")) {
      if (tiles.size() != 2 || o.operands.size() != 3 || !k_.c.integer(o.operands[2].node, &axis) ||
          rank(target) != rank(tiles[1]))
        return false;
      if (axis < 0) axis += static_cast<int64_t>(rank(target));
      for (size_t n = 1; n <= rank(target); ++n) {
        const bool reduced = rank(target) - n == static_cast<size_t>(axis);
        if (reduced ? grows(tiles[1], n) : grows(target, n) != grows(tiles[1], n)) return false;
      }
      return true;
    }
    if (o.name == "copy") return tiles.size() != 2 || in_order(target) == in_order(tiles[1]);
    for (size_t k = 1; k < tiles.size(); ++k) {
      for (size_t n = 1; n <= std::max(rank(target), rank(tiles[k])); ++n) {
        const Extent to = at(target, n), from = at(tiles[k], n);
        if (to.grows != from.grows && (from.grows || from.size != 1)) return false;
      }
    }
    return true;
  }

  const Kernel &k_;
  int loop_;
};

} // namespace

void Kernel::name_ones() {
  bool changed = false;
  const auto name = [&](Buffer &b, size_t d, int loop) {
    if (loop < 0 || b.extents[d] != 1 || b.loops[d] >= 0) return;
    b.loops[d] = loop, changed = true;
  };
  const auto tile = [&](const std::string &of) {
    const auto b = buffers.find(of);
    return b == buffers.end() ? nullptr : &b->second;
  };
  for (const Access &a : accesses) {
    Buffer *b = tile(a.tile);
    for (size_t d = 0; b && b->extents.size() == a.index.size() && d < a.index.size(); ++d) name(*b, d, a.index[d]);
  }
  const auto follow = [&](const Operation &o) {
    Buffer *to = tile(o.target());
    std::vector<const Buffer *> from;
    for (size_t k = 1; k < o.operands.size(); ++k)
      if (const Buffer *b = tile(o.operands[k].tile)) from.push_back(b);
    if (!to || from.empty() || o.name == "call") return;
    const size_t rank = to->extents.size();
    const auto same = [&](size_t to_last, const Buffer &other, size_t other_last) { // counted from the last one on
      if (to_last <= rank && other_last <= other.extents.size())
        name(*to, rank - to_last, other.loops[other.extents.size() - other_last]);
    };
    int64_t axis = -1;
    if (o.name.starts_with("reduce_") && c.integer(o.operands.back().node, &axis) && axis < 0)
      axis += static_cast<int64_t>(rank);
    const bool turned = o.name == "transpose", product = o.name == "matmul" && from.size() == 2;
    if (o.name == "copy" && from[0]->extents.size() != rank) return; // elements in another order
    for (size_t n = 1; n <= rank; ++n) {
      if (rank - n == static_cast<size_t>(axis)) continue;
      if (n > 2 || (!turned && !product))
        for (const Buffer *b : from) same(n, *b, n);
      else
        same(n, *from[product ? 2 - n : 0], turned ? 3 - n : n);
    }
  };
  do {
    changed = false;
    for (const Operation &o : operations) follow(o);
  } while (changed);
}

bool Kernel::grows(int of) const { return of < std::ssize(loops) && Growing(*this, of).may(); }

void Kernel::grow(int of, int64_t block) {
  loops[static_cast<size_t>(of)].block = block;
  for (auto &[name, b] : buffers)
    for (size_t d = 0; d < b.loops.size(); ++d)
      if (b.loops[d] == of) b.extents[d] = block;
}

} // namespace htp::aie
