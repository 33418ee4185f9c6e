// aiesim.views: what a report draws of a module: the array, what lies in the memories of its tiles, and its routes.
#include "binding/binding.h"
#include "reader/wiring.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp::aiesim {

namespace {

using nlohmann::ordered_json;

constexpr int64_t core_bytes = 64 * 1024, memory_bytes = 512 * 1024;

ordered_json place_of(const Tile &t) { return ordered_json::array({t.column, t.row}); }

// The routes with where they end; of those that a link joins or distributes, through what.
ordered_json routes_of(const Module &m) {
  auto routes = ordered_json::array();
  for (size_t k = 0; k < m.fifos.size(); ++k) {
    const Fifo &f = m.fifos[k];
    auto to = ordered_json::array(), from_fifos = ordered_json::array();
    for (const size_t c : f.consumers) to.push_back(place_of(m.tiles[c]));
    for (const Link &l : m.links)
      if (std::find(l.targets.begin(), l.targets.end(), k) != l.targets.end())
        for (const size_t s : l.sources) from_fifos.push_back(m.fifos[s].name);
    ordered_json route{{"name", f.name},
                       {"from", place_of(m.tiles[f.producer])},
                       {"to", to},
                       {"item", f.type.text},
                       {"bytes", f.type.bytes()},
                       {"depth", f.depths.empty() ? 0 : f.depths[0]},
                       {"shared", share_memory(m, f)}};
    if (!from_fifos.empty()) route["continues"] = from_fifos;
    routes.push_back(std::move(route));
  }
  return routes;
}

// What a tile's memory holds: its buffers, and the slots of fifos that are counted at it.
ordered_json tile_of(const Module &m, const Wiring &w, size_t index) {
  const Tile &t = m.tiles[index];
  auto holds = ordered_json::array();
  for (const Buffer &b : m.buffers)
    if (b.tile == index)
      holds.push_back({{"name", b.name}, {"item", b.type.text}, {"bytes", b.type.bytes()}, {"slots", 1}});
  for (const Ring &r : w.rings)
    if (r.tile == index && !t.shim())
      holds.push_back({{"name", m.fifos[r.fifo].name},
                       {"item", m.fifos[r.fifo].type.text},
                       {"bytes", m.fifos[r.fifo].type.bytes()},
                       {"slots", r.depth}});
  ordered_json tile{{"at", place_of(t)},
                    {"kind", t.shim()     ? "shim"
                             : t.memory() ? "memory"
                                          : "core"},
                    {"holds", holds}};
  if (!t.shim()) tile["capacity"] = t.memory() ? memory_bytes : core_bytes;
  for (const Core &core : m.cores)
    if (core.tile == index) tile["runs"] = core.symbol;
  return tile;
}

} // namespace

Result views(const Context &c, Node root, const Sink &sink) {
  const htp_table *table = c.host()->analysis(c.ctx(), "aie.module", root);
  if (!table) return HTP_FAILED;
  for (size_t k = 0; k < table->count; ++k) {
    if (table->rows[k].value.type != HTP_VALUE_STR) continue;
    try {
      const Module m = read_module(std::string(view(table->rows[k].value.u.s)));
      check_legal(m);
      const Wiring w = wire(m);
      int64_t rows = 3;
      for (const Tile &t : m.tiles) rows = std::max(rows, t.row + 1);
      auto tiles = ordered_json::array();
      for (size_t t = 0; t < m.tiles.size(); ++t) tiles.push_back(tile_of(m, w, t));
      const ordered_json array{{"kind", "array"}, {"title", m.device}, {"columns", m.columns},
                               {"rows", rows},    {"tiles", tiles},    {"routes", routes_of(m)}};
      sink.string(table->rows[k].key,
                  ordered_json{{"schema", "htp.views/1"}, {"views", ordered_json::array({array})}}.dump(
                      -1, ' ', false, ordered_json::error_handler_t::replace));
      return c.result();
    } catch (const Wrong &wrong) {
      report(c, wrong, {});
      return HTP_FAILED;
    }
  }
  return HTP_FAILED;
}

} // namespace htp::aiesim
