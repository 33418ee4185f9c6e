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

bool Memory::fit(bool apart) {
  bool fine = true;
  for (const Space &space : spaces) {
    const int64_t bytes = place(space, apart);
    if (bytes <= space.bytes) continue;
    if (fine) full = &space, least = bytes;
    fine = false;
  }
  return fine;
}

int64_t Memory::place(const Space &space, bool apart) {
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
