#include "host/base/fs.h"
#include "host/cli/command.h"
#include "host/resolve/graph.h"

namespace htp {

namespace {

std::optional<Graph> draw(const Arguments &arguments, Inputs &inputs, Diagnostics &diagnostics) {
  CompileRequest request = arguments.request;
  if (!arguments.name.empty()) request.profile = profile_file(arguments.name);
  if (request.profile.empty() && request.program.empty()) {
    auto found = gather(request, false, diagnostics);
    if (!found) return std::nullopt;
    inputs = std::move(*found);
    return graph_of(inputs.universe());
  }
  auto resolved = resolve_profile(request, diagnostics);
  if (!resolved) return std::nullopt;
  inputs = std::move(resolved->inputs);
  return graph_of(inputs.universe(), resolved->resolution);
}

} // namespace

int plugins_graph_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  Inputs inputs;
  const std::string &out = arguments.output;
  const bool svg = out.ends_with(".svg"), json = out.ends_with(".json");
  if (!out.empty() && !svg && !json && !out.ends_with(".dot")) {
    diagnostics.report(diag::cli_bad_ending, {}, out, "`.svg`, `.dot`, `.json`");
    return finish(arguments, diagnostics, exit_usage, "", nullptr);
  }
  const auto graph = draw(arguments, inputs, diagnostics);
  if (!graph) return finish(arguments, diagnostics);
  const auto data = nlohmann::ordered_json::parse(graph_json(*graph));
  if (out.empty()) return finish(arguments, diagnostics, graph_dot(*graph), data);
  std::optional<std::string> bytes = json ? graph_json(*graph) : graph_dot(*graph);
  if (svg)
    bytes = svg_of(*bytes, diagnostics,
                   "install Graphviz (Debian: `graphviz`), or write a file that ends in `.dot` or `.json`");
  if (bytes)
    if (const auto failed = write_file_atomic(out, *bytes))
      diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
  return finish(arguments, diagnostics, diagnostics.errors() || arguments.quiet ? "" : out + "\n", data);
}

} // namespace htp
