#include "reader/wiring.h"

#include <algorithm>

namespace htp::aiesim {

bool share_memory(const Module &m, const Fifo &f) {
  if (f.consumers.size() != 1 || !f.walk.empty()) return false; // an order of its own needs the DMA
  const Tile &a = m.tiles[f.producer], &b = m.tiles[f.consumers[0]];
  return a.core() && b.core() && std::abs(a.column - b.column) + std::abs(a.row - b.row) == 1;
}

size_t home_of(const Module &m, const Fifo &f) {
  return m.tiles[f.producer].column > m.tiles[f.consumers[0]].column ? f.consumers[0] : f.producer;
}

size_t Wiring::ring_at(const Module &m, size_t fifo, size_t tile) const {
  const Fifo &f = m.fifos[fifo];
  if (f.producer == tile) return static_cast<size_t>(ends[fifo][0]);
  const auto end = std::find(f.consumers.begin(), f.consumers.end(), tile);
  return static_cast<size_t>(ends[fifo][1 + static_cast<size_t>(end - f.consumers.begin())]);
}

Wiring wire(const Module &m) {
  Wiring w;
  const auto ring = [&](size_t fifo, size_t tile, int64_t depth) {
    w.rings.push_back({fifo, tile, depth});
    return static_cast<int>(w.rings.size()) - 1;
  };
  w.ends.resize(m.fifos.size());
  for (size_t k = 0; k < m.fifos.size(); ++k) w.ends[k].resize(1 + m.fifos[k].consumers.size(), -1);
  // The slices of a link lie in the memory of the whole block.
  std::vector<std::pair<int64_t, int>> from(m.fifos.size(), {0, -1}), to = from;
  for (const Link &l : m.links) {
    const size_t whole = l.joins() ? l.targets[0] : l.sources[0], end = l.joins() ? 0 : 1;
    const Fifo &one = m.fifos[whole];
    const int shared = ring(whole, l.joins() ? one.producer : one.consumers[0], one.depths[end]);
    w.ends[whole][end] = shared;
    const std::vector<size_t> &parts = l.joins() ? l.sources : l.targets;
    Ring &made = w.rings.back();
    (l.joins() ? made.writers : made.readers) = parts.size();
    for (size_t k = 0; k < parts.size(); ++k) {
      const int64_t offset = l.offsets[k] * static_cast<int64_t>(one.type.dtype->bytes);
      w.ends[parts[k]][l.joins() ? 1 : 0] = shared;
      (l.joins() ? to : from)[parts[k]] = {offset, static_cast<int>(k)};
    }
  }
  for (size_t k = 0; k < m.fifos.size(); ++k) {
    const Fifo &f = m.fifos[k];
    if (share_memory(m, f)) {
      w.ends[k][0] = w.ends[k][1] = ring(k, home_of(m, f), f.depths[0]);
      continue;
    }
    if (w.ends[k][0] < 0 && !m.tiles[f.producer].shim()) w.ends[k][0] = ring(k, f.producer, f.depths[0]);
    Wire one;
    one.fifo = k;
    one.from = w.ends[k][0];
    one.from_offset = from[k].first, one.from_branch = from[k].second;
    one.to_offset = to[k].first, one.to_branch = to[k].second;
    for (size_t e = 0; e < f.consumers.size(); ++e) {
      if (m.tiles[f.consumers[e]].shim()) continue;
      if (w.ends[k][e + 1] < 0) w.ends[k][e + 1] = ring(k, f.consumers[e], f.depths[e + 1]);
      one.to.push_back(static_cast<size_t>(w.ends[k][e + 1]));
    }
    w.wires.push_back(std::move(one));
  }
  return w;
}

} // namespace htp::aiesim
