#include "host/resolve/graph.h"

#include "host/resolve/vocabulary.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp {
namespace {

using Json = nlohmann::ordered_json;
using Kind = Graph::Edge::Kind;

class Drawing {
public:
  explicit Drawing(const Universe &universe) : vocabulary_(universe) {}

  void add(const Manifest &manifest, const Unit &unit) { graph_.units.push_back({&manifest, &unit}); }

  // What the request asks for, as edges from a node of its own.
  void add(const Resolution &resolution) {
    uint32_t const asker = static_cast<uint32_t>(graph_.units.size());
    graph_.units.push_back({});
    for (uint32_t u = 0; u < resolution.units.size(); ++u)
      for (const Reason &reason : resolution.units[u].reasons) switch (reason.kind) {
        case Reason::Kind::target: edge(Kind::requirement, asker, u, "the target"); break;
        case Reason::Kind::pipeline: edge(Kind::requirement, asker, u, "the pipeline"); break;
        case Reason::Kind::need: edge(Kind::requirement, asker, u, reason.capability); break;
        default: break;
        }
  }

  Graph run() {
    for (uint32_t from = 0; from < graph_.units.size(); ++from) {
      const Unit *unit = graph_.units[from].unit;
      if (!unit) continue;
      for (const Requirement &requirement : unit->requires_) ask(Kind::requirement, from, requirement);
      for (const Requirement &requirement : unit->contract) ask(Kind::contract, from, requirement);
      for (const Requirement &requirement : unit->wants) ask(Kind::want, from, requirement);
      for (const Term &term : unit->conflicts) conflict(from, term);
      for (const PluginWish &wish : unit->plugin_conflicts) conflict(from, wish);
    }
    for (auto &[key, edge] : edges_) graph_.edges.push_back(std::move(edge));
    return std::move(graph_);
  }

private:
  void edge(Kind kind, uint32_t from, uint32_t to, const std::string &capability) {
    Graph::Edge &edge = edges_.try_emplace({from, to, kind}, Graph::Edge{kind, from, to, {}}).first->second;
    if (std::find(edge.capabilities.begin(), edge.capabilities.end(), capability) == edge.capabilities.end())
      edge.capabilities.push_back(capability);
  }

  // Whatever its variables stand for.
  Term loose(const Term &term) const {
    Term result = vocabulary_.canonical(term);
    for (auto &[name, argument] : result.arguments)
      if (argument.form == Argument::Form::variable) argument = {};
    return result;
  }

  bool in_range(const Term &asked) const {
    if (asked.range.comparators.empty()) return true;
    const Vocabulary::Declared *declared = vocabulary_.find(asked.name);
    return declared && std::any_of(graph_.units.begin(), graph_.units.end(), [&](const Graph::Unit &each) {
             return each.plugin && each.plugin->id.value == declared->owner->id.value &&
                    asked.range.contains(each.plugin->version);
           });
  }

  template <class Use> void each_provider(const Term &raw, Use use) const {
    Term const asked = loose(raw);
    const Vocabulary::Declared *declared = vocabulary_.find(asked.name);
    if (!declared || !in_range(asked)) return;
    for (uint32_t to = 0; to < graph_.units.size(); ++to) {
      const Unit *unit = graph_.units[to].unit;
      if (!unit) continue;
      bool const owns = declared->owner->id.value == graph_.units[to].plugin->id.value;
      if (owns && !asked.range.contains(graph_.units[to].plugin->version)) continue;
      auto provides = [&](const Term &term) { return match(asked, vocabulary_.canonical(term)).has_value(); };
      if (std::any_of(unit->provides.begin(), unit->provides.end(), provides) ||
          (declared->capability->initial && std::any_of(unit->verifies.begin(), unit->verifies.end(), provides)))
        use(to);
    }
  }

  void ask(Kind kind, uint32_t from, const Requirement &requirement) {
    std::string const text = vocabulary_.canonical(requirement).text();
    bool met = false;
    for (const Term &term : requirement.alternatives)
      each_provider(term, [&](uint32_t to) {
        met = true;
        if (to != from) edge(kind, from, to, text);
      });
    if (!met && kind != Kind::want) graph_.unmet.push_back({from, text});
  }

  void conflict(uint32_t from, const Term &term) {
    each_provider(term, [&](uint32_t to) {
      if (to != from) edge(Kind::conflict, from, to, term.text());
    });
  }
  void conflict(uint32_t from, const PluginWish &wish) {
    for (uint32_t to = 0; to < graph_.units.size(); ++to)
      if (graph_.units[to].plugin && graph_.units[to].plugin->id == wish.id &&
          wish.range.contains(graph_.units[to].plugin->version))
        return edge(Kind::conflict, from, to, wish.id);
  }

  Vocabulary vocabulary_;
  Graph graph_;
  std::map<std::tuple<uint32_t, uint32_t, Kind>, Graph::Edge> edges_;
};

std::string_view name_of(Kind kind) {
  constexpr std::string_view names[] = {"requires", "contract", "wants", "conflicts"};
  return names[static_cast<size_t>(kind)];
}

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

// A colour for what a unit does: languages, what changes programs, what knows about them, what leaves for a machine.
std::string_view colour_of(UnitKind kind) {
  switch (kind) {
  case UnitKind::dialect:
  case UnitKind::intrinsics:
  case UnitKind::layout: return "#dbeafe";
  case UnitKind::pass:
  case UnitKind::island:
  case UnitKind::handlers: return "#dcfce7";
  case UnitKind::analysis:
  case UnitKind::verifier: return "#fef9c3";
  case UnitKind::pipeline: return "#f3e8ff";
  case UnitKind::backend:
  case UnitKind::binding: break;
  }
  return "#ffe4e6";
}

constexpr size_t kLabels = 3; // capabilities that are written on one edge

std::string label_of(const Graph::Edge &edge) {
  std::string label;
  for (size_t i = 0; i < edge.capabilities.size() && i < kLabels; ++i)
    label += (label.empty() ? "" : "\n") + edge.capabilities[i];
  if (edge.capabilities.size() > kLabels) label += fmt::format("\nand {} more", edge.capabilities.size() - kLabels);
  return label;
}

std::string style_of(Kind kind) {
  switch (kind) {
  case Kind::requirement: return "";
  case Kind::contract: return ", penwidth=2";
  case Kind::want: return ", style=dashed";
  case Kind::conflict: break;
  }
  return ", color=\"#dc2626\", fontcolor=\"#dc2626\", dir=none, constraint=false";
}

std::string escaped(std::string text) { // line breaks as Graphviz has them
  std::string out = in_quotes(text);
  for (size_t at; (at = out.find('\n')) != std::string::npos;) out.replace(at, 1, "\\n");
  return out;
}

} // namespace

Graph graph_of(const Universe &universe) {
  Drawing drawing(universe);
  for (const Candidate &candidate : canonical_order(universe.plugins))
    for (const Unit &unit : candidate.manifest->units) drawing.add(*candidate.manifest, unit);
  return drawing.run();
}

Graph graph_of(const Universe &universe, const Resolution &resolution) {
  Drawing drawing(universe);
  for (const ChosenUnit &chosen : resolution.units) drawing.add(*chosen.manifest, *chosen.unit);
  drawing.add(resolution);
  return drawing.run();
}

std::string graph_dot(const Graph &graph) {
  std::string out =
      "digraph plugins {\n"
      "  rankdir=LR; ranksep=1.1; nodesep=0.25; concentrate=false;\n"
      "  graph [fontname=\"Helvetica\", fontsize=13, style=\"rounded\", color=\"#94a3b8\", labeljust=l];\n"
      "  node [fontname=\"Helvetica\", fontsize=11, shape=box, style=\"rounded,filled\", color=\"#475569\"];\n"
      "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#475569\", fontcolor=\"#334155\", arrowsize=0.7];\n";
  for (uint32_t u = 0; u < graph.units.size();) {
    const Manifest *plugin = graph.units[u].plugin;
    if (!plugin) {
      out += fmt::format("  u{} [label=\"profile and program\", fillcolor=\"#e2e8f0\"];\n", u++);
      continue;
    }
    out += fmt::format("  subgraph cluster_{} {{\n    label={};\n", u,
                       in_quotes(plugin->id.value + " " + plugin->version.text()));
    for (; u < graph.units.size() && graph.units[u].plugin == plugin; ++u) {
      const Unit &unit = *graph.units[u].unit;
      out +=
          fmt::format("    u{} [label={}, fillcolor=\"{}\"];\n", u,
                      escaped(unit.name.value + "\n" + std::string(unit_kind_name(unit.kind))), colour_of(unit.kind));
    }
    out += "  }\n";
  }
  for (const Graph::Edge &edge : graph.edges)
    out +=
        fmt::format("  u{} -> u{} [label={}{}];\n", edge.from, edge.to, escaped(label_of(edge)), style_of(edge.kind));
  for (size_t i = 0; i < graph.unmet.size(); ++i)
    out += fmt::format("  missing{0} [label={1}, shape=plaintext, style=\"\", fontcolor=\"#dc2626\"];\n"
                       "  u{2} -> missing{0} [color=\"#dc2626\"];\n",
                       i, in_quotes(graph.unmet[i].capability), graph.unmet[i].unit);
  return out + "}\n";
}

std::string graph_json(const Graph &graph) {
  auto name = [&](uint32_t u) -> Json {
    const Unit *unit = graph.units[u].unit;
    return unit ? Json(unit->name.value) : Json(nullptr);
  };
  auto plugin = [&](uint32_t u) -> Json {
    const Manifest *manifest = graph.units[u].plugin;
    return manifest ? Json(manifest->id.value + " " + manifest->version.text()) : Json(nullptr);
  };
  Json units = Json::array(), edges = Json::array(), unmet = Json::array();
  for (uint32_t u = 0; u < graph.units.size(); ++u)
    if (graph.units[u].unit)
      units.push_back({{"plugin", plugin(u)}, {"kind", unit_kind_name(graph.units[u].unit->kind)}, {"name", name(u)}});
  for (const Graph::Edge &edge : graph.edges)
    edges.push_back({{"kind", name_of(edge.kind)},
                     {"from", {{"plugin", plugin(edge.from)}, {"unit", name(edge.from)}}},
                     {"to", {{"plugin", plugin(edge.to)}, {"unit", name(edge.to)}}},
                     {"capabilities", edge.capabilities}});
  for (const Graph::Unmet &each : graph.unmet)
    unmet.push_back({{"plugin", plugin(each.unit)}, {"unit", name(each.unit)}, {"capability", each.capability}});
  return Json{{"units", units}, {"edges", edges}, {"unmet", unmet}}.dump(2) + "\n";
}

} // namespace htp
