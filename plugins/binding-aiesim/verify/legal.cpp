// What a device has: channels, memory, descriptors, and what transfers of shims can do.
#include "reader/wiring.h"

#include <algorithm>

namespace htp::aiesim {

namespace {

constexpr int64_t core_bytes = 64 * 1024, stack_bytes = 1024, memory_bytes = 512 * 1024;
constexpr int64_t most_words = 1023, most_repeats = 64, longest_stride = int64_t{1} << 20;

template <class... A> [[noreturn]] void refuse(size_t line, const sdk::DiagKind &row, const A &...arguments) {
  throw Wrong(row, line, arguments...);
}

void check_tiles(const Module &m) {
  for (const Tile &t : m.tiles)
    if (t.column < 0 || t.column >= m.columns || t.row < 0 || t.row > 5)
      refuse(t.line, diag::no_tile, m.device, m.columns, t.text());
  for (const Core &c : m.cores)
    if (!m.tiles[c.tile].core()) refuse(c.line, diag::not_compute, m.tiles[c.tile].text());
  for (size_t k = 0; k < m.tiles.size(); ++k) {
    const Tile &t = m.tiles[k];
    int64_t in = 0, out = 0, bytes = t.core() ? stack_bytes : 0;
    size_t line = t.line;
    for (const Fifo &f : m.fifos) {
      const bool starts = f.producer == k,
                 here = std::find(f.consumers.begin(), f.consumers.end(), k) != f.consumers.end();
      if (!starts && !here) continue;
      line = f.line;
      if (!share_memory(m, f)) starts ? ++out : ++in;
      if (t.shim()) continue;
      // Fifos that a link joins share the memory of the whole block.
      bool part = false;
      for (const Link &l : m.links)
        for (const size_t p : l.joins() ? l.sources : l.targets) part = part || (&m.fifos[p] == &f && t.memory());
      if (!part && (!share_memory(m, f) || home_of(m, f) == k)) {
        const size_t end =
            starts || share_memory(m, f)
                ? 0
                : 1 + static_cast<size_t>(std::find(f.consumers.begin(), f.consumers.end(), k) - f.consumers.begin());
        bytes += f.depths[end] * f.type.bytes();
      }
    }
    const int64_t channels = t.memory() ? 6 : 2;
    if (in > channels || out > channels)
      refuse(line, diag::tile_full, t.text(), std::max(in, out), in > channels ? "input channels" : "output channels",
             channels);
    for (const Buffer &b : m.buffers)
      if (b.tile == k) bytes += b.type.bytes();
    if (const int64_t has = t.memory() ? memory_bytes : core_bytes; !t.shim() && bytes > has)
      refuse(line, diag::tile_full, t.text(), bytes, "bytes of memory", has);
  }
  for (const Link &l : m.links) {
    const size_t middle = l.joins() ? m.fifos[l.targets[0]].producer : m.fifos[l.sources[0]].consumers[0];
    if (l.offsets.size() > 1 && !m.tiles[middle].memory()) refuse(l.line, diag::link_tile, m.tiles[middle].text());
  }
}

// Each part of a ring has a descriptor in each channel that moves it, or one for each branch, and a ring two locks, or
// two for each branch.
void check_descriptors(const Module &m) {
  const Wiring w = wire(m);
  std::vector<int64_t> descriptors(m.tiles.size()), locks(m.tiles.size());
  // Of a memory tile, the channels with even numbers have one half and those with odd ones the other. They are numbered
  // in the order of the fifos.
  std::vector<std::array<int64_t, 2>> halves(m.tiles.size()), channels(m.tiles.size());
  std::vector<size_t> lines(m.tiles.size());
  for (const Ring &r : w.rings) {
    locks[r.tile] += 2 * static_cast<int64_t>(std::max<size_t>({1, r.writers, r.readers}));
    lines[r.tile] = m.fifos[r.fifo].line;
  }
  const auto moves = [&](const Ring &r, size_t direction, size_t branches) {
    const int64_t wanted = r.depth * static_cast<int64_t>(std::max<size_t>(branches, 1));
    descriptors[r.tile] += wanted;
    halves[r.tile][static_cast<size_t>(channels[r.tile][direction]++ % 2)] += wanted;
  };
  for (const Wire &k : w.wires) { // what is joined, or distributed, goes by one for each branch
    if (k.from >= 0)
      moves(w.rings[static_cast<size_t>(k.from)], 0,
            k.from_branch < 0 ? w.rings[static_cast<size_t>(k.from)].writers : 0);
    for (const size_t to : k.to) moves(w.rings[to], 1, k.to_branch < 0 ? w.rings[to].readers : 0);
  }
  for (size_t k = 0; k < m.tiles.size(); ++k) {
    const Tile &t = m.tiles[k];
    if (t.shim()) continue; // its descriptors are the sequence's
    const auto check = [&](const char *what, int64_t wanted, int64_t has) {
      if (wanted > has) refuse(lines[k], diag::tile_full, t.text(), wanted, what, has);
    };
    check("descriptors", descriptors[k], t.memory() ? 48 : 16);
    if (t.memory()) check("descriptors for every other channel", std::max(halves[k][0], halves[k][1]), 24);
    check("locks", locks[k], t.memory() ? 64 : 16);
  }
}

// A descriptor moves words; where parts of a link are words, so is where each begins, as they follow one another.
void check_words(const Module &m) {
  for (const Fifo &f : m.fifos)
    if (!share_memory(m, f) && f.type.bytes() % 4) refuse(f.line, diag::block_bytes, f.name, f.type.bytes());
}

// How a producer goes through a part.
void check_walk(const Module &m, const Fifo &f) {
  if (f.walk.empty()) return;
  const auto bytes = static_cast<int64_t>(f.type.dtype->bytes);
  const int64_t most = m.tiles[f.producer].memory() ? 4 : 3;
  const int64_t most_size = m.tiles[f.producer].core() ? 255 : 1023;
  int64_t sent = 1, last = 0;
  for (const auto &[size, stride] : f.walk) {
    const bool innermost = &f.walk.back().second == &stride;
    if ((innermost ? size * bytes % 4 : 0) || ((!innermost || stride != 1) && stride * bytes % 4))
      refuse(f.line, diag::walk_bytes, f.name, size, stride);
    if ((innermost && stride == 1 ? size * bytes / 4 : size) > most_size || stride * bytes / 4 > int64_t{1} << 17)
      refuse(f.line, diag::walk_large, f.name, size, stride, most_size);
    if (__builtin_mul_overflow(sent, size, &sent)) sent = INT64_MAX;
    last = layout::plus(last, layout::times(size - 1, stride));
  }
  if (static_cast<int64_t>(f.walk.size()) > most) refuse(f.line, diag::walk_dimensions, f.name, f.walk.size(), most);
  if (sent != f.sent_at_once() || last >= sent)
    refuse(f.line, f.joined > 1 ? diag::walk_joined : diag::walk_elements, f.name, f.sent_at_once());
}

void check_transfer(const Module &m, const Transfer &t) {
  const Fifo &f = m.fifos[t.fifo];
  const bool from_shim = m.tiles[f.producer].shim(),
             to_shim = f.consumers.size() == 1 && m.tiles[f.consumers[0]].shim();
  if (!from_shim && !to_shim) refuse(t.line, diag::no_shim, f.name);
  if (t.descriptor < 0 || t.descriptor > 15) refuse(t.line, diag::no_descriptor, t.descriptor);
  const auto bytes = static_cast<int64_t>(f.type.dtype->bytes);
  int64_t first = 0, last = 0;
  for (size_t k = 0; k < 4; ++k) {
    if (t.sizes[k] < 1 || t.strides[k] < 0 || t.offsets[k] < 0)
      refuse(t.line, diag::transfer_number, t.offsets[k], t.sizes[k], t.strides[k]);
    if (t.sizes[k] > (int64_t{1} << 32) || t.strides[k] > (int64_t{1} << 32) || t.offsets[k] > (int64_t{1} << 32))
      refuse(t.line, diag::transfer_number, t.offsets[k], t.sizes[k], t.strides[k]);
    first = layout::plus(first, layout::times(t.offsets[k], t.strides[k]));
    last = layout::plus(last, layout::times(t.sizes[k] - 1, t.strides[k]));
  }
  if (t.strides[3] < 1) refuse(t.line, diag::transfer_number, t.offsets[3], t.sizes[3], t.strides[3]);
  if (layout::plus(first, last) >= m.arguments[t.argument].second.count())
    refuse(t.line, diag::transfer_outside, layout::plus(first, last), m.arguments[t.argument].first,
           m.arguments[t.argument].second.count());
  if (first * bytes % 4) refuse(t.line, diag::transfer_bytes, "offset", first);
  if (t.sizes[3] * bytes % 4 || (t.strides[3] != 1 && t.strides[3] * bytes % 4))
    refuse(t.line, diag::transfer_bytes, "innermost size", t.sizes[3]);
  for (size_t k = 0; k < 3; ++k)
    if (t.sizes[k] > 1 && t.strides[k] * bytes % 4) refuse(t.line, diag::transfer_bytes, "stride", t.strides[k]);
  for (size_t k = 1; k < 3; ++k)
    if (t.sizes[k] > 1 && t.strides[k] == 0) refuse(t.line, diag::inner_repeat);
  if (t.sizes[0] == 1 && t.sizes[1] == 1 && t.sizes[2] == 1 && t.strides[3] == 1)
    return; // lies together: of any length
  if (t.sizes[3] * bytes / 4 > most_words || t.sizes[2] > most_words || t.sizes[0] > most_repeats)
    refuse(t.line, diag::transfer_sizes, t.sizes[0], t.sizes[2], t.sizes[3] * bytes / 4);
  for (size_t k = 0; k < 4; ++k)
    if (t.strides[k] * bytes / 4 > longest_stride) refuse(t.line, diag::long_stride, t.strides[k]);
}

} // namespace

void check_legal(const Module &m) {
  check_tiles(m);
  check_descriptors(m);
  check_words(m);
  for (const Fifo &f : m.fifos) check_walk(m, f);
  for (const Order &o : m.sequence)
    if (o.transfer) check_transfer(m, *o.transfer);
  if (m.arguments.size() > 5)
    refuse(m.sequence.empty() ? 1 : m.sequence[0].line, diag::many_buffers, m.arguments.size());
}

} // namespace htp::aiesim
