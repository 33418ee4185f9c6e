// host/resolve/graph.h — plugins, their units, and who supplies whom, as a picture and as JSON.
#pragma once

#include "host/resolve/resolve.h"

#include <tuple>

namespace htp {

struct Graph {
  struct Unit {
    const Manifest *plugin = nullptr;
    const htp::Unit *unit = nullptr; // null: what stands for the profile and the program
  };
  struct Edge {
    enum class Kind : uint8_t { requirement, contract, want, conflict } kind{};
    uint32_t from = 0, to = 0;             // in `units`: who asks, who provides
    std::vector<std::string> capabilities; // as they are asked
    friend bool operator<(const Edge &a, const Edge &b) {
      return std::tie(a.from, a.to, a.kind) < std::tie(b.from, b.to, b.kind);
    }
  };
  struct Unmet {
    uint32_t unit = 0;
    std::string capability;
  };
  std::vector<Unit> units; // by plugin id and version, then in manifest order
  std::vector<Edge> edges;
  std::vector<Unmet> unmet; // requirements that nothing shown provides
};

// Of all plugins: who could supply whom. Of a resolution: of what was chosen, and what the request asks of it.
Graph graph_of(const Universe &universe);
Graph graph_of(const Universe &universe, const Resolution &resolution);

std::string graph_dot(const Graph &graph);  // for Graphviz
std::string graph_json(const Graph &graph); // {"units": […], "edges": […], "unmet": […]}

} // namespace htp
