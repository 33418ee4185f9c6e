#include "host/base/fs.h"
#include "host/base/suggest.h"
#include "host/check/intrinsic_table.h"
#include "host/cli/command.h"
#include "host/diag/utf8.h"
#include "host/pipeline/inputs.h"
#include "host/python/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// Of a text in a row its first line: a second one would look like a row.
std::string row_text(const std::string &text) { return printable(text.substr(0, text.find('\n'))); }

Json texts(const auto &terms) {
  Json list = Json::array();
  for (const auto &term : terms) list.push_back(term.text());
  return list;
}

std::string text_of(const PluginWish &wish) {
  const std::string range = wish.range.text();
  return wish.id + (range.empty() ? "" : " @" + range);
}

Json texts(const std::vector<PluginWish> &plugins) {
  Json list = Json::array();
  for (const PluginWish &plugin : plugins) list.push_back(text_of(plugin));
  return list;
}

std::string type_of(const ParameterDecl &p) {
  switch (p.type) {
  case ParameterDecl::Type::integer: return "int";
  case ParameterDecl::Type::boolean: return "bool";
  case ParameterDecl::Type::version: return "version";
  case ParameterDecl::Type::string: return "string";
  case ParameterDecl::Type::reference: return "ref(" + std::string(unit_kind_name(p.reference)) + ")";
  case ParameterDecl::Type::enumeration: break;
  }
  return fmt::format("enum({})", fmt::join(p.values, ", "));
}

Json declarations(const Manifest &m) {
  Json list = Json::array();
  for (const CapabilityDecl &c : m.declares) {
    Json parameters = Json::array();
    for (const ParameterDecl &p : c.parameters)
      parameters.push_back({{"name", p.name.value}, {"type", type_of(p)}, {"doc", p.doc}});
    list.push_back({{"name", c.name.value},
                    {"is", c.state ? "state" : "static"},
                    {"initial", c.initial},
                    {"parameters", parameters},
                    {"doc", c.doc}});
  }
  return list;
}

Json describe(const Manifest &m) {
  Json units = Json::array();
  for (const Unit &u : m.units) {
    Json options = Json::array();
    for (const OptionDecl &o : u.options)
      options.push_back({{"name", o.name.value}, {"default", o.default_value}, {"doc", o.doc}});
    units.push_back({{"kind", unit_kind_name(u.kind)},
                     {"name", u.name.value},
                     {"doc", u.doc},
                     {"code", u.code.value},
                     {"requires", texts(u.requires_)},
                     {"wants", texts(u.wants)},
                     {"provides", texts(u.provides)},
                     {"invalidates", texts(u.invalidates)},
                     {"verifies", texts(u.verifies)},
                     {"conflicts", texts(u.conflicts)},
                     {"plugin_conflicts", texts(u.plugin_conflicts)},
                     {"options", options}});
  }
  return {{"id", m.id.value},
          {"version", m.version_text.value},
          {"doc", m.doc},
          {"folder", m.folder},
          {"library", m.library.value},
          {"python", m.python_module.value},
          {"conflicts", texts(m.conflicts)},
          {"declares", declarations(m)},
          {"units", units}};
}

} // namespace

int plugins_list_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const auto inputs = gather(arguments.request, false, diagnostics);
  if (!inputs) return finish(arguments, diagnostics);
  report_refused(*inputs, {}, diagnostics);
  std::string text;
  Json list = Json::array();
  for (const Manifest &m : inputs->manifests) {
    std::map<std::string, int> kinds;
    for (const Unit &u : m.units) ++kinds[std::string(unit_kind_name(u.kind))];
    std::string units;
    for (const auto &[kind, count] : kinds)
      units += (units.empty() ? "" : ", ") + kind + (count > 1 ? " x" + std::to_string(count) : "");
    text += fmt::format("{:<22} {:<8} {}\n{:31} {}\n", m.id.value, m.version_text.value, row_text(m.doc), "", units);
    list.push_back(describe(m));
  }
  if (text.empty()) {
    text = "no plugins found";
    for (const std::string &folder : inputs->search) text += "\n  searched " + folder;
    text += "\n";
  }
  return finish(arguments, diagnostics, text,
                Json{{"schema", "htp.plugins/1"},
                     {"searched", inputs->search},
                     {"sdk", declarations(sdk_manifest())},
                     {"plugins", list}});
}

int plugins_show_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const auto inputs = gather(arguments.request, false, diagnostics);
  if (!inputs) return finish(arguments, diagnostics);
  report_refused(*inputs, {}, diagnostics);
  std::vector<std::string> ids;
  for (const Manifest &m : inputs->manifests) {
    ids.push_back(m.id.value);
    if (m.id.value != arguments.name) continue;
    std::string text = fmt::format("{} {}: {}\n  in {}\n", m.id.value, m.version_text.value, row_text(m.doc), m.folder);
    if (!m.library.value.empty()) text += "  library " + m.library.value + "\n";
    if (!m.python_module.value.empty()) text += "  Python module " + m.python_module.value + "\n";
    for (const PluginWish &plugin : m.conflicts) text += "  conflicts with " + text_of(plugin) + "\n";
    if (!m.declares.empty()) text += "\ncapabilities\n";
    for (const CapabilityDecl &c : m.declares)
      text += fmt::format("  {:<24} {}: {}\n", c.name.value, c.state ? "state" : "static", row_text(c.doc));
    text += "\nunits\n";
    for (const Unit &u : m.units) {
      text += fmt::format("  {:<11} {:<22} {}\n", unit_kind_name(u.kind), u.name.value, row_text(u.doc));
      if (!u.code.value.empty()) text += fmt::format("      in {}\n", u.code.value);
      const auto lines = [&](const char *what, const auto &terms) {
        for (const auto &term : terms) text += fmt::format("      {} {}\n", what, term.text());
      };
      lines("requires", u.requires_);
      lines("wants", u.wants);
      if (u.kind != UnitKind::handlers)
        lines("provides", u.provides);
      else
        text += fmt::format("      handles {} intrinsics for {}\n", u.members.size(),
                            u.backend.value.starts_with('$') ? "any backend" : u.backend.value);
      lines("invalidates", u.invalidates);
      lines("conflicts", u.conflicts);
      for (const PluginWish &plugin : u.plugin_conflicts) text += "      conflicts with " + text_of(plugin) + "\n";
      for (const OptionDecl &o : u.options)
        text += fmt::format("      option {} = {}: {}\n", o.name.value, row_text(o.default_value), row_text(o.doc));
    }
    Json json = describe(m);
    json["schema"] = "htp.plugin/1";
    return finish(arguments, diagnostics, text, json);
  }
  Diagnostic &d = diagnostics.report(diag::cli_unknown_plugin, {}, arguments.name);
  const auto whose = std::find_if(inputs->manifests.begin(), inputs->manifests.end(), [&](const Manifest &m) {
    return std::any_of(m.units.begin(), m.units.end(), [&](const Unit &u) { return u.name.value == arguments.name; });
  });
  if (whose != inputs->manifests.end())
    d.hint(fmt::format("it is a unit of the plugin `{0}`: htp-host plugins show {0}", whose->id.value));
  else if (const auto near = did_you_mean(arguments.name, ids); !near.empty())
    d.hint("did you mean `" + std::string(near) + "`?");
  return finish(arguments, diagnostics);
}

int plugins_intrinsics_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  std::vector<IntrinsicDecl> declarations;
  for (const std::string &file : arguments.files)
    for (IntrinsicDecl &d : read_intrinsics(file, "", diagnostics)) declarations.push_back(std::move(d));
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  const std::string table = intrinsic_table(declarations);
  if (arguments.output.empty()) return finish(arguments, diagnostics, table);
  if (const auto failed = write_file_atomic(arguments.output, table))
    diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
  return finish(arguments, diagnostics, "");
}

} // namespace htp
