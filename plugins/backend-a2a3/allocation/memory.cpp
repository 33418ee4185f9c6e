#include "allocation/memory.h"

#include <algorithm>
#include <climits>
#include <limits>

namespace htp::a2a3 {

namespace {
constexpr int64_t open_extents[] = {8192, 4096, 2048, 1024, 512, 256, 128, 64}; // for an extent that is not known
} // namespace

void Memory::find_alone() {
  std::vector<std::vector<unsigned>> used(tiles.size()); // in order
  for (const TileUse &u : uses) used[u.tile].push_back(u.at);
  for (auto &at : used) std::sort(at.begin(), at.end());
  // Of a tensor's transfers in one loop, in their order, a load counts of the stores behind it and a store of the loads
  // before it: what is asked is whether any of these is late enough, or early enough.
  struct Transfers {
    std::vector<const TileTransfer *> loads, stores;
  };
  std::map<std::pair<std::string_view, int>, Transfers> of_loops;
  for (const TileTransfer &t : transfers) {
    Transfers &all = of_loops[{t.tensor, tiles[t.tile].loop}];
    (t.load ? all.loads : all.stores).push_back(&t);
  }
  const auto last_of = [&](size_t tile) { return used[tile].empty() ? 0 : used[tile].back(); };
  for (const auto &[where, all] : of_loops) {
    const auto &[loads, stores] = all;
    if (loads.empty() || stores.empty()) continue;
    unsigned written = 0; // last before one of the stores that are behind a load
    for (auto load = loads.rbegin(), store = stores.rbegin(); load != loads.rend(); ++load) {
      for (; store != stores.rend() && (*store)->at >= (*load)->at; ++store) {
        const std::vector<unsigned> &at = used[(*store)->tile];
        const auto before = std::lower_bound(at.begin(), at.end(), (*store)->at);
        if (before != at.begin()) written = std::max(written, *std::prev(before));
      }
      if (store != stores.rbegin()) tiles[(*load)->tile].alone |= last_of((*load)->tile) <= written;
    }
    unsigned read = UINT_MAX; // first behind one of the loads that are before a store
    for (auto store = stores.begin(), end = stores.end(), load = loads.begin(); store != end; ++store) {
      for (; load != loads.end() && (*load)->at <= (*store)->at; ++load) {
        const std::vector<unsigned> &at = used[(*load)->tile];
        const auto behind = std::upper_bound(at.begin(), at.end(), (*load)->at);
        if (behind != at.end()) read = std::min(read, *behind);
      }
      const std::vector<unsigned> &at = used[(*store)->tile];
      if (load != loads.begin())
        tiles[(*store)->tile].alone |= (at.empty() || at.front() >= read) && last_of((*store)->tile) == (*store)->at;
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
      // What the last one that is tried would take is told.
      const bool last = !twice && !apart && (!open || size == smallest);
      if (fit(apart, last)) return true;
      if (!open) break;
    }
    return false;
  };
  // What moves is double buffered, so that one iteration loads while another computes, unless that leaves little
  // capacity; then apart from what is computed with.
  const Fit best = fits(true, true, least_open_twice) ? Fit::twice
                   : fits(false, true, 64)            ? Fit::apart
                   : fits(false, false, 64)           ? Fit::close
                                                      : Fit::none;
  if (best >= Fit::apart) around_loops();
  return best;
}

bool Memory::fills(std::string_view space) const {
  return std::any_of(tiles.begin(), tiles.end(), [&](const Kept &t) {
    return t.space->name == space && !t.twice && t.once(open_extent) > t.space->bytes / 2;
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
    if (more.empty() || place(space, true) <= space.bytes) continue;
    for (Kept *t : more) t->twice = false;
    place(space, true);
  }
}

bool Memory::fit(bool apart, bool told) {
  bool fine = true;
  for (const Space &space : spaces) {
    const int64_t bytes = place(space, apart, told);
    if (bytes <= space.bytes) continue;
    if (fine) full = &space, least = bytes;
    fine = false;
  }
  return fine;
}

int64_t Memory::place(const Space &space, bool apart, bool told) {
  std::vector<Kept *> here;
  std::vector<sdk::MemoryRequest> requests;
  for (Kept &t : tiles) {
    if (t.space != &space) continue;
    here.push_back(&t);
    const bool alone = apart && t.moves;
    requests.push_back({t.once(open_extent), alone ? 0 : t.first, alone ? sdk::MemoryRequest::everywhere : t.last,
                        t.twice ? 2 : 1, t.ways});
  }
  // Bytes of tiles that fit are multiples of the alignment already. Fewer than fit are of no use: tiles that share them
  // wait.
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  if (const int64_t live = told ? 0 : sdk::most_live(requests, 1).value_or(most); live > space.bytes) return live;
  const auto plan = sdk::plan_memory(requests, {most, 1, space.bytes});
  for (size_t t = 0; plan && t < here.size(); ++t) here[t]->offset = plan->offsets[t];
  return plan ? plan->bytes : most;
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
