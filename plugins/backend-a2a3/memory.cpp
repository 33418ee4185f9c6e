#include "place.h"

#include <algorithm>

namespace htp::a2a3 {

namespace {
constexpr int64_t rooms[] = {8192, 4096, 2048, 1024, 512, 256, 128, 64}; // for an extent that is not known
} // namespace

bool Memory::assign(const std::function<std::string(const char *)> &fresh) {
  for (const TileUse &u : uses) {
    Kept &t = tiles[u.tile];
    t.last = std::max({t.last, u.at, u.loop < 0 ? 0U : loops[static_cast<size_t>(u.loop)].end});
  }
  const bool open = std::any_of(tiles.begin(), tiles.end(), [](const Kept &t) {
    return !t.rows.size || ((t.kind == Kind::matrix || t.kind == Kind::row) && !t.columns.size);
  });
  const auto fits = [&](bool twice, bool apart, int64_t smallest) {
    for (Kept &t : tiles)
      t.twice = twice && t.moves && t.loop >= 0 && !loops[static_cast<size_t>(t.loop)].holds_loops &&
                !loops[static_cast<size_t>(t.loop)].once;
    for (const int64_t size : rooms) {
      if (size < smallest) break;
      room = size;
      if (fit(apart)) return true;
      if (!open) break;
    }
    return false;
  };
  // What moves lies in two places in turn, so that one iteration loads while another computes, unless that leaves
  // little room; then apart from what is computed with.
  if (fits(true, true, 1024) || fits(false, true, 64) || fits(false, false, 64)) {
    for (const Kept &t : tiles)
      if (PlacedLoop *l = t.twice ? &loops[static_cast<size_t>(t.loop)] : nullptr; l && l->turn.empty())
        l->turn = fresh("turn");
    return true;
  }
  return false;
}

bool Memory::fit(bool apart) {
  bool fine = true;
  std::vector<const Kept *> placed;
  for (const bool moving : {true, false})
    for (Kept &t : tiles) {
      if (t.moves != moving) continue;
      const int64_t bytes = t.bytes(room);
      const auto meets = [&](const Kept &o) {
        return (apart && (o.moves || t.moves)) || (t.first <= o.last && o.first <= t.last);
      };
      t.offset = 0;
      for (bool moved = true; moved;) {
        moved = false;
        for (const Kept *o : placed)
          if (o->space == t.space && meets(*o) && t.offset < o->offset + o->bytes(room) && o->offset < t.offset + bytes)
            t.offset = o->offset + o->bytes(room), moved = true;
      }
      placed.push_back(&t);
      if (t.offset + bytes > t.space->bytes) fine = false, full = t.space, least = t.offset + bytes;
    }
  return fine;
}

} // namespace htp::a2a3
