// htp-host graph: asks for a program's tasks and what each needs of the others, and shows them as text and a picture.
#include "host/cli/graph.h"
#include "host/base/fs.h"
#include "host/pipeline/compilation.h"

#include <fmt/format.h>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json &of, const char *key) { return of.at(key).get<std::string>(); }

std::string listed(const Json &names) {
  std::string text;
  for (const auto &name : names) text += (text.empty() ? "" : ", ") + name.get<std::string>();
  return text;
}

std::string amount_text(const std::string &needs) {
  return needs == "same"          ? "block by block"
         : needs == "overlapping" ? "the blocks that overlap"
         : needs == "around"      ? "its block and what is around it"
                                  : "all of it";
}

// "needs `h` of 1, block by block": what the task at the end has to wait for.
std::string dependence_text(const Json &edge) {
  const std::string of = text_of(edge, "of"), from = text_of(edge, "from"), kind = text_of(edge, "kind");
  const std::string whose = edge.at("carried").get<bool>() ? from + " in the iteration before" : from;
  std::string text = kind == "flow"   ? fmt::format("needs `{}` of {}", of, whose)
                     : kind == "anti" ? fmt::format("stores `{}` when {} has read it", of, whose)
                                      : fmt::format("stores `{}` after {}", of, whose);
  text += ", " + amount_text(text_of(edge, "needs"));
  if (text_of(edge, "first") != of || text_of(edge, "second") != of)
    text += fmt::format(": `{}`, `{}`", text_of(edge, "first"), text_of(edge, "second"));
  return text;
}

std::string what_text(const Json &task) {
  if (const auto call = task.find("call"); call != task.end()) return call->get<std::string>();
  std::string text;
  for (const auto &loop : task.value("loops", Json::array())) {
    text += (text.empty() ? "" : " › ") + text_of(loop, "over");
    if (loop.contains("runs")) text += " " + text_of(loop, "runs");
  }
  return text.empty() ? text_of(task, "kind") : text;
}

// ── the text ──

void write_level(const Json &level, const std::map<std::string, Span> &spans, const std::string &indent,
                 std::string &text) {
  std::map<int, std::string> together;
  std::map<int, int> count;
  for (const auto &task : level.at("tasks")) {
    const std::string id = text_of(task, "id");
    const auto found = spans.find(id);
    text += fmt::format("{}{}  {}  {}", indent, id, text_of(task, "name"), what_text(task));
    if (found != spans.end() && found->second.line)
      text += fmt::format("  {}:{}", found->second.file->path, found->second.line);
    const std::string reads = listed(task.at("reads")), writes = listed(task.at("writes"));
    const std::string inner = "\n" + indent + "     ";
    if (!reads.empty() || !writes.empty())
      text += inner + (reads.empty() ? "" : "reads " + reads) + (reads.empty() || writes.empty() ? "" : "; ") +
              (writes.empty() ? "" : "writes " + writes);
    if (task.contains("waits")) text += inner + "waits for what is on its way to " + listed(task.at("waits"));
    for (const auto &edge : level.at("dependences"))
      if (text_of(edge, "to") == id) text += inner + dependence_text(edge);
    text += "\n";
    if (task.contains("tasks")) write_level(task, spans, indent + "  ", text);
    const int after = task.at("after").get<int>();
    together[after] += (together[after].empty() ? "" : ", ") + id;
    ++count[after];
  }
  for (const auto &[after, ids] : together)
    if (count[after] > 1) text += indent + "may run at once: " + ids + "\n";
}

// ── the picture ──

// A node for an edge to end at: the task's own, or the first one inside it.
std::string node_of(const Json &task) {
  return task.contains("tasks") && !task.at("tasks").empty() ? node_of(task.at("tasks").at(0)) : text_of(task, "id");
}

void draw(const Json &level, const std::string &indent, std::string &dot) {
  std::map<std::string, const Json *> tasks;
  for (const auto &task : level.at("tasks")) {
    const std::string id = text_of(task, "id");
    tasks[id] = &task;
    const std::string label = id + "  " + text_of(task, "name") + "\n" + what_text(task);
    if (!task.contains("tasks")) {
      dot += fmt::format("{}{} [label={}];\n", indent, dot_quoted(id), dot_quoted(label));
      continue;
    }
    dot += fmt::format("{}subgraph {} {{\n{}  label={};\n", indent, dot_quoted("cluster " + id), indent,
                       dot_quoted(label));
    draw(task, indent + "  ", dot);
    dot += indent + "}\n";
  }
  for (const auto &edge : level.at("dependences")) {
    const Json &from = *tasks.at(text_of(edge, "from")), &to = *tasks.at(text_of(edge, "to"));
    std::string style;
    if (from.contains("tasks")) style += ", ltail=" + dot_quoted("cluster " + text_of(from, "id"));
    if (to.contains("tasks")) style += ", lhead=" + dot_quoted("cluster " + text_of(to, "id"));
    if (text_of(edge, "kind") != "flow") style += ", style=dashed"; // no value goes there
    if (edge.at("carried").get<bool>()) style += ", constraint=false, color=\"#7f8c8d\"";
    const std::string label = text_of(edge, "of") + "\n" + amount_text(text_of(edge, "needs"));
    dot += fmt::format("{}{} -> {} [label={}{}];\n", indent, dot_quoted(node_of(from)), dot_quoted(node_of(to)),
                       dot_quoted(label), style);
  }
}

std::string graph_text(const Json &graph) {
  std::string dot = "digraph tasks {\n  compound=true;\n  label=" + dot_quoted(text_of(graph, "entry")) +
                    ";\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", "
                    "fontsize=10];\n  graph [fontname=\"sans-serif\", style=rounded];\n";
  draw(graph, "  ", dot);
  return dot + "}\n";
}

std::optional<Drawn> draw_tasks(const Arguments &arguments, Diagnostics &diagnostics) {
  Cache cache = Cache::from_environment();
  CompileRequest request = arguments.request;
  request.progress = progress_line(arguments);
  const auto found = task_graph(request, arguments.name, cache, diagnostics);
  if (!found) return std::nullopt;
  if (found->stage.empty()) {
    diagnostics.report(diag::cli_unknown_stage, {}, arguments.name).hint("it has: " + found->stages);
    return std::nullopt;
  }
  try {
    Drawn drawn{.json = Json::parse(found->json)};
    drawn.json["stage"] = found->stage;
    drawn.json["by"] = found->by;
    drawn.text = fmt::format("tasks of {} at {}, by {}\n\n", text_of(drawn.json, "entry"), found->stage, found->by);
    write_level(drawn.json, found->locations, "", drawn.text);
    drawn.picture = graph_text(drawn.json);
    return drawn;
  } catch (const std::exception &e) {
    diagnostics.report(diag::pipeline_analysis_failed, {}, found->by, e.what());
    return std::nullopt;
  }
}

} // namespace

int graph_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const std::string &out = arguments.output;
  const bool svg = out.ends_with(".svg"), dot = out.ends_with(".dot");
  if (!out.empty() && !svg && !dot && !out.ends_with(".json"))
    diagnostics.report(diag::cli_bad_ending, {}, out, "`.svg`, `.dot`, `.json`");
  else if (arguments.deadlock && !arguments.name.empty())
    diagnostics.report(diag::cli_deadlock_and_stage, {});
  if (diagnostics.errors()) return finish(arguments, diagnostics, exit_usage, "", nullptr);
  const auto drawn = arguments.deadlock ? draw_deadlock(arguments, diagnostics) : draw_tasks(arguments, diagnostics);
  if (!drawn)
    return finish(arguments, diagnostics, "", arguments.deadlock ? Json{{"schema", deadlock_schema}} : Json());
  if (out.empty()) return finish(arguments, diagnostics, drawn->text, drawn->json);
  std::optional<std::string> bytes = dot ? drawn->picture : drawn->json.dump(2) + "\n";
  if (svg)
    bytes = svg_of(drawn->picture, diagnostics,
                   "install Graphviz (Debian: `graphviz`), or write a file that ends in `.dot` or `.json`");
  if (bytes)
    if (const auto failed = write_file_atomic(out, *bytes))
      diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
  return finish(arguments, diagnostics, diagnostics.errors() || arguments.quiet ? "" : out + "\n", drawn->json);
}

} // namespace htp
