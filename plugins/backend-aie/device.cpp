#include "device.h"
#include "transfers.h"

namespace htp::aie {

namespace {
constexpr Device devices[] = {
#define DEVICE(name, columns, before, since) {name, columns, before, since},
#include "devices.def"
};

std::string names_of(const std::vector<const Stream *> &streams) {
  std::string text;
  for (const Stream *s : streams)
    text += (text.empty() ? "`" : ", `") + s->tensor->name + "`" + (s->feeds ? " in" : " out");
  return text;
}
} // namespace

const Device *device_named(std::string_view name) {
  for (const Device &d : devices)
    if (d.name == name) return &d;
  return nullptr;
}

Exceeded exceeded(const Program &p) {
  std::vector<const Stream *> in, out, all;
  int64_t through_memory = 0, core = 0, memory = 0;
  for (const Stream &s : p.streams) {
    (s.feeds ? in : out).push_back(&s);
    all.push_back(&s);
    core += s.depth * s.part_bytes();
    if (p.through_memory(s)) ++through_memory, memory += s.depth * s.part_bytes() * p.branches(s);
  }
  for (const Tile &t : p.tiles)
    if (!t.stream) core += t.bytes();
  const Node first = p.streams.empty() ? HTP_NONE : p.streams.front().node;
  const auto too_many = [&](const std::vector<const Stream *> &streams, int64_t has, const std::string &what,
                            const std::string &tile) {
    return Exceeded{&diag::channels,
                    streams.back()->node,
                    {std::to_string(streams.size()) + " " + what, tile, std::to_string(has), names_of(streams)}};
  };
  if (static_cast<int64_t>(in.size()) > core_channels) return too_many(in, core_channels, "input channels", "a core");
  if (static_cast<int64_t>(out.size()) > core_channels)
    return too_many(out, core_channels, "output channels", "a core");
  // Of a memory tile: a stream that feeds comes by one channel and leaves by one for each core that has parts of
  // its own, and the other way round.
  int64_t enters = 0, leaves = 0, descriptors = 0;
  for (const Stream &s : p.streams)
    if (p.through_memory(s)) {
      (s.feeds ? enters : leaves) += 1;
      (s.feeds ? leaves : enters) += p.branches(s);
      descriptors += s.depth * (1 + p.branches(s));
    }
  if (enters > memory_tile_channels || leaves > memory_tile_channels || descriptors > memory_tile_descriptors)
    return {&diag::channels,
            first,
            {std::to_string(std::max(enters, leaves)) + " channels", "a memory tile",
             std::to_string(memory_tile_channels), names_of(all)}};
  if (core > core_bytes)
    return {&diag::core_memory, first, {p.name, std::to_string(core), std::to_string(core_bytes), names_of(all)}};
  if (memory > memory_tile_bytes)
    return {&diag::shared_memory,
            first,
            {p.name, std::to_string(memory), std::to_string(memory_tile_bytes), names_of(all)}};
  if (p.parameters.size() > most_arguments)
    return {&diag::arguments, p.node, {p.name, std::to_string(p.parameters.size()), std::to_string(most_arguments)}};
  std::string why;
  if (const Stream *bad = nullptr; !plan_transfers(p, &bad, &why))
    return {&diag::transfer, bad ? bad->node : first, {bad ? bad->tensor->name : p.name, why}};
  return {};
}

void report(const Context &c, const Exceeded &found, Node otherwise) {
  std::vector<std::string> w = found.words;
  w.resize(4);
  c.report(*found.kind, found.where ? found.where : otherwise, w[0], w[1], w[2], w[3]);
}

} // namespace htp::aie
