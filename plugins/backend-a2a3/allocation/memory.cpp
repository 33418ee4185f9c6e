#include "allocation/memory.h"

#include <algorithm>
#include <climits>

namespace htp::a2a3 {

namespace {
constexpr int64_t open_extents[] = {8192, 4096, 2048, 1024, 512, 256, 128, 64}; // for an extent that is not known
} // namespace

void Memory::find_alone() {
  std::vector<std::vector<unsigned>> used(tiles.size()); // in order
  for (const TileUse &u : uses) used[u.tile].push_back(u.at);
  for (auto &at : used) std::sort(at.begin(), at.end());
  std::map<std::string_view, std::vector<const TileTransfer *>> stores; // by their tensors
  for (const TileTransfer &t : transfers)
    if (!t.load) stores[t.tensor].push_back(&t);
  for (const TileTransfer &load : transfers) {
    const auto of = load.load ? stores.find(load.tensor) : stores.end();
    if (of == stores.end()) continue;
    for (const TileTransfer *store : of->second) {
      Kept &from = tiles[load.tile], &to = tiles[store->tile];
      const std::vector<unsigned> &loaded = used[load.tile], &stored = used[store->tile];
      if (from.loop != to.loop || load.at > store->at) continue;
      const auto behind = std::upper_bound(loaded.begin(), loaded.end(), load.at);
      const auto before = std::lower_bound(stored.begin(), stored.end(), store->at);
      const unsigned read = behind == loaded.end() ? UINT_MAX : *behind;          // first
      const unsigned written = before == stored.begin() ? 0 : *std::prev(before); // last
      from.alone |= (loaded.empty() ? 0 : loaded.back()) <= written;
      to.alone |= (stored.empty() || stored.front() >= read) && (stored.empty() ? 0 : stored.back()) == store->at;
    }
  }
}

Memory::Fit Memory::assign() {
  find_alone();
  for (const TileUse &u : uses) {
    Kept &t = tiles[u.tile];
    t.last = std::max({t.last, u.at, u.loop < 0 ? 0U : loops[static_cast<size_t>(u.loop)].end});
  }
  const bool open = std::any_of(tiles.begin(), tiles.end(), [](const Kept &t) {
    return !t.rows.size || ((t.kind == Kind::matrix || t.kind == Kind::row) && !t.columns.size);
  });
  const auto fits = [&](bool twice, bool apart, int64_t smallest) {
    for (Kept &t : tiles)
      t.twice = twice && t.moves && !t.alone && t.loop >= 0 && !loops[static_cast<size_t>(t.loop)].holds_loops &&
                !loops[static_cast<size_t>(t.loop)].once;
    for (const int64_t size : open_extents) {
      if (size < smallest) break;
      open_extent = size;
      if (fit(apart)) return true;
      if (!open) break;
    }
    return false;
  };
  // What moves is double buffered, so that one iteration loads while another computes, unless that leaves little
  // capacity; then apart from what is computed with.
  const Fit best = fits(true, true, 1024)   ? Fit::twice
                   : fits(false, true, 64)  ? Fit::apart
                   : fits(false, false, 64) ? Fit::close
                                            : Fit::none;
  if (best >= Fit::apart) around_loops();
  return best;
}

bool Memory::fills(std::string_view space) const {
  return std::any_of(tiles.begin(), tiles.end(), [&](const Kept &t) {
    return t.space->name == space && !t.twice && 2 * t.once(open_extent) > t.space->bytes;
  });
}
bool Memory::has_twice(std::string_view space) const {
  return std::all_of(tiles.begin(), tiles.end(), [&](const Kept &t) { return t.space->name != space || t.twice; });
}

void Memory::name_turns(const std::function<std::string(const char *)> &fresh) {
  for (const Kept &t : tiles)
    if (PlacedLoop *l = t.twice ? &loops[static_cast<size_t>(t.loop)] : nullptr; l && l->turn.empty())
      l->turn = fresh("turn");
}

// A cube core's memories hold nothing but what moves: where one can double buffer also what goes around loops, that
// is loaded, or stored, while the loops of the iteration before, or behind, go on.
void Memory::around_loops() {
  for (const Space &space : spaces) {
    if (!space.cube) continue;
    std::vector<Kept *> more;
    for (Kept &t : tiles)
      if (t.space->name == space.name && t.moves && !t.alone && !t.twice && t.loop >= 0 &&
          !loops[static_cast<size_t>(t.loop)].once)
        more.push_back(&t);
    for (Kept *t : more) t->twice = true;
    if (fit(true)) continue;
    for (Kept *t : more) t->twice = false;
    fit(true);
  }
}

bool Memory::fit(bool apart) {
  bool fine = true;
  std::vector<const Kept *> placed; // that what follows may meet
  for (const bool moving : {true, false})
    for (Kept &t : tiles) { // in the order of their first uses
      if (t.moves != moving) continue;
      if (!moving) std::erase_if(placed, [&](const Kept *o) { return o->last < t.first && !(apart && o->moves); });
      const int64_t bytes = t.bytes(open_extent);
      const auto meets = [&](const Kept &o) {
        const bool both = (apart && (o.moves || t.moves)) || (t.first <= o.last && o.first <= t.last);
        return both && !t.instead_of(o);
      };
      t.offset = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (const Kept *o : placed)
          if (o->space == t.space && meets(*o) && t.offset < o->offset + o->bytes(open_extent) &&
              o->offset < t.offset + bytes)
            t.offset = o->offset + o->bytes(open_extent), moved = true;
      }
      placed.push_back(&t);
      if (t.offset + bytes > t.space->bytes) fine = false, full = t.space, least = t.offset + bytes;
    }
  return fine;
}

std::optional<std::pair<std::string, int64_t>> most_of_size(const Reader &r, Node test) {
  auto compare = r.as<ast::Compare>(test);
  int64_t most = 0;
  if (!compare || compare.ops().size() != 1 || static_cast<htp_op>(compare.ops()[0]) != HTP_LtE ||
      r.name_of(compare.left()).empty() || !r.integer(compare.comparators()[0], &most))
    return std::nullopt;
  return std::pair(std::string(r.name_of(compare.left())), most);
}

} // namespace htp::a2a3
