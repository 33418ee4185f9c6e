#include "host/base/suggest.h"
#include "host/cli/command.h"
#include "host/pipeline/compile.h"
#include "host/pipeline/registry.h"

#include <nlohmann/json.hpp>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::string signature(const htp_intrinsic &row) {
  std::string text = std::string(row.name) + "(";
  bool keyword_only = false;
  for (uint32_t i = 0; i < row.parameter_count; ++i) {
    const htp_parameter &p = row.parameters[i];
    text += i ? ", " : "";
    if (p.keyword_only && !keyword_only) text += "*, ";
    keyword_only |= p.keyword_only != 0;
    text += std::string(p.name) + ": " + p.annotation + (p.default_value ? " = " + std::string(p.default_value) : "");
  }
  return text + ") -> " + row.result;
}

std::string first_line(const char *doc) {
  const std::string text(doc);
  return text.substr(0, text.find('\n'));
}

// The backends that can run it: by a handler, or because it is of their target set.
std::vector<std::string> handled_by(const Registry &registry, const htp_intrinsic &row) {
  std::vector<std::string> result;
  for (const UnitRef *ref : registry.of(UnitKind::backend))
    if (registry.handler(row.name, ref->unit->name.value) || registry.in_target_set(row.name, ref->unit->name.value))
      result.push_back(ref->unit->name.value);
  return result;
}

std::string joined(const std::vector<std::string> &words) {
  std::string text;
  for (const std::string &word : words) text += (text.empty() ? "" : ", ") + word;
  return text.empty() ? "none" : text;
}

Json describe(const Registry &registry, const UnitRef &set, const htp_intrinsic &row) {
  Json parameters = Json::array();
  for (uint32_t i = 0; i < row.parameter_count; ++i) {
    const htp_parameter &p = row.parameters[i];
    parameters.push_back({{"name", p.name},
                          {"annotation", p.annotation},
                          {"default", p.default_value ? Json(p.default_value) : Json()},
                          {"keyword_only", p.keyword_only != 0}});
  }
  return {{"name", row.name},
          {"python", row.python},
          {"plugin", set.plugin->manifest().id.value},
          {"signature", signature(row)},
          {"parameters", parameters},
          {"result", row.result},
          {"rule", row.rule},
          {"effects", row.effects},
          {"spaces", row.spaces},
          {"cost", row.cost},
          {"operator", row.method ? Json(row.method) : Json()},
          {"doc", row.doc},
          {"backends", handled_by(registry, row)}};
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
  const htp_intrinsic *shown = nullptr;
  for (const UnitRef *ref : registry.of(UnitKind::intrinsics)) {
    const auto *table = static_cast<const htp_intrinsics *>(ref->interface);
    if (arguments.name.empty())
      text +=
          fmt::format("{}{} ({})\n", text.empty() ? "" : "\n", ref->unit->name.value, ref->plugin->manifest().id.value);
    for (uint32_t i = 0; i < table->count; ++i) {
      const htp_intrinsic &row = table->rows[i];
      names.emplace_back(row.name);
      if (arguments.name.empty()) {
        text += fmt::format("  {:<22} {}\n", row.name, first_line(row.doc));
        list.push_back(describe(registry, *ref, row));
      } else if (arguments.name == row.name || arguments.name == row.python) {
        shown = &row;
        text = fmt::format("{}\n\n{}\n\nfrom {} ({}), handled by {}\n", signature(row), row.doc, row.python,
                           ref->plugin->manifest().id.value, joined(handled_by(registry, row)));
        if (row.method) text += fmt::format("written as the operator {}\n", row.method);
        list.push_back(describe(registry, *ref, row));
      }
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
