#include "host/base/suggest.h"
#include "host/cli/command.h"
#include "host/pipeline/compile.h"
#include "host/pipeline/operations.h"

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::string first_line(const char *doc) {
  const std::string text(doc);
  return text.substr(0, text.find('\n'));
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

} // namespace

int ops_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  Cache cache = Cache::from_environment();
  const auto set = load_set(arguments.request, cache, diagnostics);
  if (!set) return finish(arguments, diagnostics);
  const Registry registry(set->plugins, {});
  std::string text;
  Json list = Json::array();
  std::vector<std::string> names;
  bool shown = false;
  const UnitRef *group = nullptr;
  for (const Operation &operation : operations_of(registry)) {
    const htp_intrinsic &row = *operation.row;
    const std::string &plugin = operation.set->plugin->manifest().id.value;
    names.emplace_back(row.name);
    if (arguments.name.empty()) {
      if (operation.set != group)
        text += fmt::format("{}{} ({})\n", text.empty() ? "" : "\n", operation.set->unit->name.value, plugin);
      group = operation.set;
      text += fmt::format("  {:<22} {}\n", row.name, first_line(row.doc));
      list.push_back(describe(operation));
    } else if (arguments.name == row.name || arguments.name == row.python) {
      shown = true;
      text = fmt::format("{}\n\n{}\n\nfrom {} ({}), handled by {}\n", signature_of(row), row.doc, row.python, plugin,
                         joined(operation.backends));
      if (row.method) text += fmt::format("written as the operator {}\n", row.method);
      list.push_back(describe(operation));
    }
  }
  if (!arguments.name.empty() && !shown) {
    std::string meant;
    for (const std::string &name : names)
      if (name.ends_with("." + arguments.name)) meant += (meant.empty() ? "`" : " or `") + name + "`";
    if (const auto near = did_you_mean(arguments.name, names); meant.empty() && !near.empty())
      meant = "`" + std::string(near) + "`";
    diagnostics.report(diag::cli_unknown_operation, {}, arguments.name)
        .hint(meant.empty() ? "`htp-host ops` lists them; `--plugin-path DIR` adds plugins"
                            : "did you mean " + meant + "?");
    return finish(arguments, diagnostics);
  }
  return finish(arguments, diagnostics, text, Json{{"intrinsics", list}});
}

} // namespace htp
