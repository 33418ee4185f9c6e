// htp-host graph --deadlock: asks who waits for whom where a program does not end, and shows it as text and a picture.
#include "host/cli/graph.h"
#include "host/pipeline/compilation.h"

#include <fmt/format.h>

#include <algorithm>

namespace htp {

namespace stuck {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t most = 24; // processes, or channels, that are shown of a network that does not end

std::string text_of(const Json &of, const char *key) { return of.at(key).get<std::string>(); }

std::string listed(const Json &names, const char *separator) {
  std::string text;
  for (const auto &name : names) text += (text.empty() ? "" : separator) + name.get<std::string>();
  return text;
}

std::string place_text(const Json &at) {
  return at.is_object() ? fmt::format("  {}:{}", text_of(at, "file"), at.at("line").get<int64_t>()) : "";
}

bool is_in(const Json &names, const Json &name) { return std::find(names.begin(), names.end(), name) != names.end(); }

std::string held_text(const Json &channel) {
  const int64_t capacity = channel.at("capacity").get<int64_t>();
  if (!channel.contains("items")) // how many these are, data decides
    return capacity == 0 ? "checked, a rendezvous" : fmt::format("checked, capacity {}", capacity);
  const int64_t items = channel.at("items").get<int64_t>();
  if (capacity == 0) return items ? "a rendezvous, an item is offered" : "a rendezvous";
  return fmt::format("{} of {}{}", items, capacity, items == 0 ? ", empty" : items == capacity ? ", full" : "");
}

// "waits for an item of `sums`".
std::string wait_text(const Json &waits) {
  const std::string what = text_of(waits, "for");
  return fmt::format("waits for {} `{}`",
                     what == "item"     ? "an item of"
                     : what == "reader" ? "a reader of"
                                        : "capacity in",
                     text_of(waits, "channel"));
}

std::string process_text(const Json &process) {
  const auto waits = process.find("waits");
  if (waits == process.end()) return "has ended";
  std::string text = wait_text(*waits) + ", so for " + listed(waits->at("on"), " and ");
  for (const auto &one : waits->at("iterations"))
    text += fmt::format(", in iteration {} of `{}`", one.at("iteration").get<int64_t>(), text_of(one, "loop"));
  return text + place_text(waits->at("at"));
}

// ── the program's lines ──

// In the place of an id the file and line that it stands for.
void locate(Json &of, const char *key, const std::map<std::string, Span> &locations) {
  const auto it = of.find(key);
  if (it == of.end()) return;
  const auto found = locations.find(it->get<std::string>());
  const bool known = found != locations.end() && found->second.line;
  *it = known ? Json{{"file", found->second.file->path}, {"line", found->second.line}} : Json();
}

void locate_all(Json &graph, const std::map<std::string, Span> &locations) {
  locate(graph, "directive", locations);
  for (auto &process : graph.at("processes"))
    if (process.contains("waits")) locate(process.at("waits"), "at", locations);
  for (auto &channel : graph.at("channels")) locate(channel, "at", locations);
}

// ── what is shown ──

// Of a large network the processes of the cycle, and the channels between them; where there is no cycle, who waits.
struct Shown {
  std::vector<const Json *> processes, channels;
  size_t left_out = 0;
};

Shown shown(const Json &graph) {
  Shown all;
  const Json &cycle = graph.at("cycle");
  const bool few = graph.at("processes").size() <= most;
  Json names = Json::array();
  for (const auto &process : graph.at("processes")) {
    const bool kept = cycle.empty() ? process.contains("waits") : is_in(cycle, process.at("name"));
    if (!few && (!kept || names.size() == most)) continue;
    all.processes.push_back(&process);
    names.push_back(process.at("name"));
  }
  for (const auto &channel : graph.at("channels")) {
    const auto &to = channel.at("to");
    const bool between = is_in(names, channel.at("from")) &&
                         std::any_of(to.begin(), to.end(), [&](const Json &reader) { return is_in(names, reader); });
    if (few || between) all.channels.push_back(&channel);
  }
  all.left_out = graph.at("processes").size() - all.processes.size();
  return all;
}

std::string sizes_text(const Json &graph) {
  std::string text;
  for (const auto &[name, size] : graph.at("sizes").items())
    text += fmt::format("{} {} = {}", text.empty() ? " at" : ",", name, size.get<int64_t>());
  return text;
}

std::string aligned(const std::vector<std::pair<std::string, std::string>> &rows) {
  size_t width = 0;
  for (const auto &[name, what] : rows) width = std::max(width, name.size());
  std::string text;
  for (const auto &[name, what] : rows) text += fmt::format("{:<{}}  {}\n", name, width, what);
  return text;
}

std::string graph_text(const Json &graph, const std::string &by) {
  std::string text = fmt::format("{} gets stuck{}, by {}\n", text_of(graph, "entry"), sizes_text(graph), by);
  if (const auto at = graph.find("directive"); at != graph.end())
    text += "as this directive of its schedule has it:" + place_text(*at) + "\n";
  const Shown all = shown(graph);
  std::vector<std::pair<std::string, std::string>> rows;
  for (const Json *process : all.processes) rows.emplace_back(text_of(*process, "name"), process_text(*process));
  text += "\n" + aligned(rows);
  if (all.left_out) text += fmt::format("{} more: `--json` has all\n", all.left_out);
  rows.clear();
  for (const Json *channel : all.channels)
    rows.emplace_back(text_of(*channel, "name"),
                      fmt::format("{} → {}  {}{}", text_of(*channel, "from"), listed(channel->at("to"), ", "),
                                  held_text(*channel), place_text(channel->at("at"))));
  text += "\n" + aligned(rows) + "\n";
  const Json &cycle = graph.at("cycle");
  text += cycle.empty() ? "no cycle: who is waited for has ended\n"
                        : "the cycle: " + listed(cycle, " → ") + " → " + cycle.at(0).get<std::string>() + "\n";
  if (const auto help = graph.find("help"); help != graph.end()) text += "hint: " + help->get<std::string>() + "\n";
  return text;
}

// ── the picture ──

// Black: channels, with what they hold; dotted, where data decides that. Dashed: who waits for whom; in red where it is
// the cycle.
std::string picture_of(const Json &graph) {
  constexpr const char *marked = "color=\"#c0392b\", fontcolor=\"#c0392b\", penwidth=2.5";
  const Json &cycle = graph.at("cycle");
  const auto follows = [&](const Json &one, const Json &next) {
    for (size_t k = 0; k < cycle.size(); ++k)
      if (cycle.at(k) == one && cycle.at((k + 1) % cycle.size()) == next) return true;
    return false;
  };
  const auto line = [](const Json &at) {
    return at.is_object() ? fmt::format("line {}", at.at("line").get<int64_t>()) : std::string();
  };
  std::string dot =
      "digraph deadlock {\n  label=" + dot_quoted(text_of(graph, "entry") + " gets stuck" + sizes_text(graph)) +
      ";\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", "
      "fontsize=10];\n  graph [fontname=\"sans-serif\"];\n";
  const Shown all = shown(graph);
  Json names = Json::array();
  for (const Json *process : all.processes) {
    const std::string name = text_of(*process, "name");
    names.push_back(name);
    const auto waits = process->find("waits");
    std::string label = name + "\nhas ended", style = ", color=\"#7f8c8d\", fontcolor=\"#7f8c8d\"";
    if (waits != process->end()) {
      const std::string at = line(waits->at("at"));
      label = name + "\n" + wait_text(*waits) + (at.empty() ? "" : "\n" + at);
      style = is_in(cycle, process->at("name")) ? fmt::format(", {}", marked) : "";
    }
    dot += fmt::format("  {} [label={}{}];\n", dot_quoted(name), dot_quoted(label), style);
  }
  for (const Json *channel : all.channels)
    for (const auto &to : channel->at("to"))
      if (is_in(names, channel->at("from")) && is_in(names, to))
        dot += fmt::format("  {} -> {} [label={}{}];\n", dot_quoted(text_of(*channel, "from")),
                           dot_quoted(to.get<std::string>()),
                           dot_quoted(text_of(*channel, "name") + "\n" + held_text(*channel)),
                           channel->contains("items") ? "" : ", style=dotted");
  for (const Json *process : all.processes) {
    const auto waits = process->find("waits");
    if (waits == process->end()) continue;
    for (const auto &on : waits->at("on"))
      if (is_in(names, on))
        dot += fmt::format("  {} -> {} [style=dashed, constraint=false, arrowhead=vee{}];\n",
                           dot_quoted(text_of(*process, "name")), dot_quoted(on.get<std::string>()),
                           follows(process->at("name"), on) ? fmt::format(", {}", marked) : ", color=\"#7f8c8d\"");
  }
  if (all.left_out)
    dot += fmt::format("  {} [shape=plaintext, label={}];\n", dot_quoted("left out"),
                       dot_quoted(fmt::format("{} more processes", all.left_out)));
  return dot + "}\n";
}

} // namespace
} // namespace stuck

std::optional<Drawn> draw_deadlock(const Arguments &arguments, Diagnostics &diagnostics) {
  Cache cache = Cache::from_environment();
  const auto found = deadlock(arguments.request, cache, diagnostics);
  if (!found) return std::nullopt;
  try {
    Drawn drawn{.json = stuck::Json::parse(found->json)};
    stuck::locate_all(drawn.json, found->locations);
    drawn.text = stuck::graph_text(drawn.json, found->by);
    drawn.picture = stuck::picture_of(drawn.json);
    drawn.json["by"] = found->by;
    drawn.json["schema"] = deadlock_schema;
    return drawn;
  } catch (const std::exception &e) {
    diagnostics.report(diag::pipeline_analysis_failed, {}, found->by, e.what());
    return std::nullopt;
  }
}

} // namespace htp
