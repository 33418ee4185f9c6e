#include "analyses/device.h"
#include "analyses/transfers.h"
#include "emit/computing.h"

#include <algorithm>
#include <numeric>

namespace htp::aie {

namespace {
constexpr Device devices[] = {
#define DEVICE(name, columns, before, since) {name, columns, before, since},
#include "analyses/devices.def"
};

std::string names_of(const std::vector<const Stream *> &streams) {
  std::string text;
  for (const Stream *s : streams)
    text += (text.empty() ? "`" : ", `") + s->tensor->name + "`" + (s->feeds ? " in" : " out");
  return text;
}
// Of the memory tile of a column: what links pass it by.
Exceeded exceeded_by_links(const Program &p, int64_t column) {
  int64_t channels[2] = {}, descriptors[2] = {}, locks = 0, bytes = 0;
  std::vector<const Stream *> all;
  const auto moves = [&](bool in, int64_t parts) { descriptors[channels[in ? 0 : 1]++ % 2] += parts; };
  for (const Stream &s : p.streams) {
    if (s.link.empty() || !p.leads(s) || s.column != column) continue;
    const std::vector<const Stream *> of = p.linked(s);
    const auto n = static_cast<int64_t>(of.size());
    const bool distributes = s.feeds != p.linked_at_core(s); // from one to several
    all.insert(all.end(), of.begin(), of.end());
    moves(distributes, s.depth * n);
    for (int64_t k = 0; k < n; ++k) moves(!distributes, s.depth);
    locks += 2 * n;
    for (const Stream *one : of) bytes += s.depth * one->block_bytes();
  }
  if (all.empty()) return {};
  const std::string tile = "the memory tile of column " + std::to_string(column);
  const auto too_few = [&](const DiagKind &kind, int64_t wanted, const char *what, const std::string &of, int64_t has) {
    return Exceeded{Refusal(kind, std::to_string(wanted) + what, of, has, names_of(all)), all.back()->node};
  };
  if (const int64_t most = std::max(channels[0], channels[1]); most > memory_tile_channels)
    return too_few(diag::channels, most, " channels", tile, memory_tile_channels);
  if (const int64_t most = std::max(descriptors[0], descriptors[1]); most > memory_tile_descriptors / 2)
    return too_few(diag::descriptors, most, "", "every other channel of " + tile, memory_tile_descriptors / 2);
  if (locks > memory_tile_locks) return too_few(diag::locks, locks, "", tile, memory_tile_locks);
  if (bytes > memory_tile_bytes)
    return {Refusal(diag::shared_memory, p.name, bytes, memory_tile_bytes, names_of(all)), all.back()->node};
  return {};
}
// What would help where a core's memory is full: which tensor's blocks take most of it, and blocks of half the size.
// Empty where that is none of the user's, or buffers of the core's own take more.
std::string smaller(const std::vector<const Stream *> &streams, const std::deque<Tile> &tiles, int64_t bytes) {
  const auto taken = [](const Stream *s) { return s->depth * s->block_bytes(); };
  const auto most = std::max_element(streams.begin(), streams.end(),
                                     [&](const Stream *a, const Stream *b) { return taken(a) < taken(b); });
  if (most == streams.end()) return {};
  const Stream &s = **most;
  if (!s.tensor) { // a channel's: as many items as memory has, or smaller ones
    const std::string items = "`" + s.name + "` takes the most, " + std::to_string(s.depth) + " items of " +
                              std::to_string(s.block_bytes()) + " bytes: ";
    const int64_t capacity = (core_bytes - bytes + taken(&s)) / s.block_bytes();
    return items + (capacity > 0
                        ? "reduce its capacity, `capacity=" + std::to_string(capacity) + "`"
                        : "make its items smaller, fewer rows or shorter ones, and reduce its capacity, `capacity=2`");
  }
  if (!s.tensor->packed.empty()) return {};
  if (std::any_of(tiles.begin(), tiles.end(), [&](const Tile &t) { return !t.stream && t.bytes() > taken(&s); }))
    return {};
  const std::vector<int64_t> &part = s.block, &extents = s.tensor->extents;
  if (part.size() != extents.size() || part.size() > 3) return {};
  const std::string shape = join(part, " by ", [](int64_t n) { return std::to_string(n); }),
                    text = "`" + s.tensor->name + "` takes the most, " + std::to_string(taken(&s)) + " bytes for " +
                           shape + " elements: cut its dimensions into smaller blocks, ";
  // The longest dimension that goes by blocks; where each is one block, whose loop could do is not known here.
  size_t cut = part.size();
  for (size_t d = 0; d < part.size(); ++d)
    if (part[d] < extents[d] && part[d] > 4 && (cut == part.size() || part[d] > part[cut])) cut = d;
  int64_t block = 1;
  while (cut < part.size() && block * 2 <= part[cut] / 2 * core_bytes / bytes) block *= 2;
  const bool whole = cut == part.size() || block >= part[cut];
  if (whole) { // the first that is more than a few elements
    cut = 0;
    while (cut + 1 < part.size() && part[cut] <= 4) ++cut;
    for (block = 1; block * 2 <= part[cut] / 2 * core_bytes / bytes;) block *= 2;
  }
  std::string index;
  for (size_t d = 0; d < part.size(); ++d)
    index += (d ? ", " : "") + (part[d] < extents[d] || (whole && d == cut) ? std::string(1, "ijk"[d]) : ":");
  return text + "`for " + std::string(1, "ijk"[cut]) + " in tiles(" + std::to_string(extents[cut]) + ", " +
         std::to_string(block) + ")` and `" + s.tensor->name + "[" + index + "]`";
}
// Of cores that have names. Before they are placed every fifo between two cores may be one of neighbours, which takes
// no channels.
Exceeded exceeded_by_cores(const Program &p) {
  const bool placed = std::all_of(p.cores.begin(), p.cores.end(), [](const Core &c) { return c.column >= 0; });
  if (static_cast<int64_t>(p.cores.size()) > p.columns * p.rows)
    return {Refusal(diag::cores, p.name, p.cores.size(), p.device, p.columns * p.rows), p.node};
  const auto listed = [](const std::vector<const Stream *> &streams) {
    std::string text;
    for (size_t k = 0; k < std::min<size_t>(streams.size(), 12); ++k)
      text += (k ? ", `" : "`") + streams[k]->name + "`";
    return streams.size() > 12 ? text + " and " + std::to_string(streams.size() - 12) + " more" : text;
  };
  const auto too_many = [&](const std::vector<const Stream *> &streams, const std::string &what,
                            const std::string &tile, int64_t has) {
    return Exceeded{Refusal(diag::channels, std::to_string(streams.size()) + " " + what, tile, has, listed(streams)),
                    streams.back()->node};
  };
  const auto of_shim = [&](Exceeded found) {
    found.why.hint = "let fewer processes load and store, and hand on to the others by channels";
    if (p.device == "npu1") found.why.hint += "; npu2 has 16";
    return found;
  };
  for (const bool feeds : {true, false}) {
    std::vector<const Stream *> all;
    std::vector<std::vector<const Stream *>> of(static_cast<size_t>(p.columns));
    for (const Stream &s : p.streams)
      if (s.tensor && s.feeds == feeds && !(p.linked_at_shim(s) && !p.leads(s)))
        all.push_back(&s), of[static_cast<size_t>(s.column)].push_back(&s);
    const std::string what = feeds ? "input channels" : "output channels";
    if (const int64_t has = p.columns * shim_channels; static_cast<int64_t>(all.size()) > has)
      return of_shim(too_many(all, what, "the shims of " + p.device, has));
    if (placed)
      for (size_t column = 0; column < of.size(); ++column)
        if (static_cast<int64_t>(of[column].size()) > shim_channels)
          return of_shim(too_many(of[column], what, "the shim of column " + std::to_string(column), shim_channels));
  }
  int64_t enters = 0, leaves = 0;
  std::vector<const Stream *> by_memory;
  for (const Stream &s : p.streams)
    if (!s.link.empty()) {
      const bool distributes = s.feeds != p.linked_at_core(s);
      (distributes ? leaves : enters) += 1;
      if (p.leads(s)) (distributes ? enters : leaves) += 1;
      by_memory.push_back(&s);
    }
  if (const int64_t most = std::max(enters, leaves), has = p.columns * memory_tile_channels; most > has)
    return {Refusal(diag::channels, std::to_string(most) + " channels", "the memory tiles of " + p.device, has,
                    listed(by_memory))
                .with("let instances of a grid share a core: `s.bundle(\"work\", 2)`" +
                      std::string(p.device == "npu1" ? "; npu2 has 48" : "")),
            by_memory.back()->node};
  for (int64_t column = 0; placed && column < p.columns; ++column)
    if (const Exceeded found = exceeded_by_links(p, column)) return found;
  for (const Core &core : p.cores) {
    std::vector<const Stream *> in, out, all;
    int64_t bytes = 0, descriptors = 0, locks = 0;
    for (const Stream &s : p.streams) {
      const bool makes = s.producer == core.name,
                 takes = std::find(s.consumers.begin(), s.consumers.end(), core.name) != s.consumers.end();
      if (!makes && !takes) continue;
      all.push_back(&s);
      const bool near = placed ? p.beside(s) : !s.tensor && s.consumers.size() == 1;
      const bool shares = p.linked_at_core(s) && !p.leads(s); // the channel of another one
      if (!near && !shares) (makes ? out : in).push_back(&s), descriptors += s.depth;
      if (!near || (placed && p.home(s) == core.name)) bytes += s.depth * s.block_bytes(), locks += shares ? 0 : 2;
    }
    for (const Tile &t : core.tiles)
      if (!t.stream) bytes += t.bytes();
    for (const auto *streams : {&in, &out})
      if (static_cast<int64_t>(streams->size()) > core_channels) {
        Exceeded found = too_many(*streams, streams == &in ? "input channels" : "output channels",
                                  "the core of `" + core.name + "`", core_channels);
        found.of_core = true;
        return found;
      }
    const auto too_few = [&](const DiagKind &kind, int64_t wanted, int64_t has) {
      return Exceeded{Refusal(kind, wanted, "the core of `" + core.name + "`", has, listed(all)), all.back()->node};
    };
    if (descriptors > core_descriptors) return too_few(diag::descriptors, descriptors, core_descriptors);
    if (locks > core_locks) return too_few(diag::locks, locks, core_locks);
    if (bytes > core_bytes)
      return {
          Refusal(diag::core_memory, core.name, bytes, core_bytes, listed(all)).with(smaller(all, core.tiles, bytes)),
          core.node};
  }
  return {};
}

// Of blocks of whole rows: so many that they are multiples of 4 bytes.
std::string more_rows(const Stream &s) {
  if (!s.tensor || s.block.size() < 2 || s.block.back() != s.tensor->extents.back()) return {};
  const int64_t times = 4 / std::gcd(s.block_bytes(), int64_t{4});
  const int64_t rows = count(s.block) / s.block.back() * times;
  if (s.tensor->extents[s.block.size() - 2] % rows) return {};
  const std::string n = std::to_string(rows);
  return "take " + n + " rows at a time: `tiles(M, " + n + ")`, or, where a channel carries them, `x[" + n +
         " * i:" + n + " * i + " + n + ", :]`";
}

// A descriptor moves units of 4 bytes. What neighbours hand over is not moved; before cores are placed any two may be.
Exceeded exceeded_by_arguments(const Program &p) {
  for (const Stream &s : p.streams) {
    const bool placed = s.producer.empty() || p.core_named(s.producer)->column >= 0;
    if (s.block_bytes() % 4 == 0 || (!s.tensor && (placed ? p.beside(s) : s.consumers.size() == 1))) continue;
    const std::string extents = join(s.block, " by ", [](int64_t n) { return std::to_string(n); });
    return {Refusal(diag::block_bytes, s.tensor ? s.tensor->name : s.name, extents, s.block_bytes()).with(more_rows(s)),
            s.node};
  }
  return {};
}

Exceeded exceeded_by_host(const Program &p, Node first) {
  if (const Exceeded found = exceeded_by_arguments(p)) return found;
  if (const size_t handed = p.handed().size(); handed > most_arguments)
    return {Refusal(diag::arguments, p.name, handed, most_arguments), p.node};
  Refused why;
  if (!plan_transfers(p, why)) return {why.why, why.where ? why.where : first};
  return {};
}
} // namespace

const Device *device_named(std::string_view name) {
  for (const Device &d : devices)
    if (d.name == name) return &d;
  return nullptr;
}

Exceeded exceeded(const Program &p) {
  if (!p.alike) {
    const Exceeded found = exceeded_by_cores(p);
    return found ? found : exceeded_by_host(p, p.node);
  }
  std::vector<const Stream *> in, out, all;
  int64_t core = 0, memory = 0;
  for (const Stream &s : p.streams) {
    (s.feeds ? in : out).push_back(&s);
    all.push_back(&s);
    core += s.depth * s.block_bytes();
    if (p.through_memory(s)) memory += p.ahead(s) * s.block_bytes() * p.branches(s);
  }
  const std::set<const Tile *> registers = in_registers(p.cores.front());
  for (const Tile &t : p.cores.front().tiles)
    if (!t.stream && !registers.contains(&t)) core += t.bytes();
  const Node first = p.streams.empty() ? HTP_NONE : p.streams.front().node;
  const auto too_many = [&](const std::vector<const Stream *> &streams, int64_t has, const std::string &what,
                            const std::string &tile) {
    return Exceeded{Refusal(diag::channels, std::to_string(streams.size()) + " " + what, tile, has, names_of(streams)),
                    streams.back()->node};
  };
  for (const Stream &s : p.streams)
    if (s.by_row && p.rows > p.columns) return too_many(in, shim_channels, "input channels", "a shim");
  if (static_cast<int64_t>(in.size()) > core_channels) return too_many(in, core_channels, "input channels", "a core");
  if (static_cast<int64_t>(out.size()) > core_channels)
    return too_many(out, core_channels, "output channels", "a core");
  // Of a memory tile: a stream that feeds comes by one channel and leaves by one for each core that has blocks of
  // its own, and the other way round.
  // Channels with even numbers have one half of its descriptors, those with odd ones the other.
  int64_t enters = 0, leaves = 0, descriptors[2] = {}, locks = 0;
  for (const Stream &s : p.streams)
    if (p.through_memory(s)) {
      (s.feeds ? enters : leaves) += 1;
      descriptors[(s.feeds ? enters : leaves) % 2] += p.ahead(s) * p.branches(s); // one for each of its blocks
      for (int64_t k = 0; k < p.branches(s); ++k) descriptors[++(s.feeds ? leaves : enters) % 2] += p.ahead(s);
      locks += 2 * p.branches(s);
    }
  const auto of_memory = [&](const DiagKind &kind, int64_t wanted, const char *what, int64_t has) {
    return Exceeded{Refusal(kind, std::to_string(wanted) + what, "a memory tile", has, names_of(all)), first};
  };
  if (std::max(enters, leaves) > memory_tile_channels)
    return of_memory(diag::channels, std::max(enters, leaves), " channels", memory_tile_channels);
  if (const int64_t most = std::max(descriptors[0], descriptors[1]); most > memory_tile_descriptors / 2)
    return {Refusal(diag::descriptors, most, "every other channel of a memory tile", memory_tile_descriptors / 2,
                    names_of(all)),
            first};
  if (locks > memory_tile_locks) return of_memory(diag::locks, locks, "", memory_tile_locks);
  if (core > core_bytes)
    return {Refusal(diag::core_memory, p.name, core, core_bytes, names_of(all))
                .with(smaller(all, p.cores.front().tiles, core)),
            first};
  if (memory > memory_tile_bytes)
    return {Refusal(diag::shared_memory, p.name, memory, memory_tile_bytes, names_of(all)), first};
  return exceeded_by_host(p, first);
}

void report(const Context &c, const Exceeded &found, Node otherwise) {
  found.why.report(c, found.where ? found.where : otherwise);
}

} // namespace htp::aie
