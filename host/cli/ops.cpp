#include "host/base/suggest.h"
#include "host/cli/command.h"
#include "host/pipeline/compile.h"
#include "host/pipeline/operations.h"

#include <algorithm>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::string first_line(const char *doc) {
  const std::string text(doc);
  return text.substr(0, text.find('\n'));
}

std::string joined(const std::vector<std::string> &names) {
  std::string text;
  for (const std::string &name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::string shown(const Operation &operation) {
  const htp_intrinsic &row = *operation.row;
  std::string text = fmt::format("{}\n\n{}\n\nfrom {} ({}), handled by {}\n", signature_of(row), row.doc, row.python,
                                 operation.set->plugin->manifest().id.value, joined(operation.backends));
  if (row.method) text += fmt::format("written as the operator {}\n", row.method);
  if (*row.cost) text += fmt::format("costs {}\n", row.cost);
  if (*row.spaces) text += fmt::format("in {}\n", row.spaces);
  return text;
}

} // namespace

int ops_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  Cache cache = Cache::from_environment();
  const auto set = load_set(arguments.request, cache, diagnostics);
  if (!set) return finish(arguments, diagnostics);
  const Registry registry(set->plugins, {});
  const std::vector<Operation> all = operations_of(registry);
  std::string text;
  Json list = Json::array();
  if (arguments.name.empty()) {
    const UnitRef *group = nullptr;
    for (const Operation &operation : all) {
      if (operation.set != group)
        text += fmt::format("{}{} ({})\n", text.empty() ? "" : "\n", operation.set->unit->name.value,
                            operation.set->plugin->manifest().id.value);
      group = operation.set;
      text += fmt::format("  {:<22} {}\n", operation.row->name, first_line(operation.row->doc));
      list.push_back(describe(operation));
    }
    return finish(arguments, diagnostics, text, Json{{"intrinsics", list}});
  }
  std::vector<std::string> names, others;
  for (const Operation &operation : all) {
    names.emplace_back(operation.row->name);
    if (arguments.name != operation.row->name && arguments.name != operation.row->python) continue;
    text += shown(operation);
    list.push_back(describe(operation));
  }
  // By its last component: the first is shown, and the others named.
  if (list.empty())
    for (const Operation &operation : all) {
      if (!std::string_view(operation.row->name).ends_with("." + arguments.name)) continue;
      list.push_back(describe(operation));
      if (text.empty())
        text = shown(operation);
      else
        others.emplace_back(operation.row->name);
    }
  if (!others.empty()) text += fmt::format("also {}\n", joined(others));
  if (!list.empty()) return finish(arguments, diagnostics, text, Json{{"intrinsics", list}});
  const std::string near(did_you_mean(arguments.name, names));
  diagnostics.report(diag::cli_unknown_operation, {}, arguments.name)
      .hint(near.empty() ? "`htp-host ops` lists them; `--plugin-path DIR` adds plugins"
                         : "did you mean `" + near + "`?");
  return finish(arguments, diagnostics);
}

} // namespace htp
