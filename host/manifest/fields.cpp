// The table of fields of manifests, profiles, locks and trust files, one row each.
#include "host/manifest/field_readers.h"
#include "host/manifest/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace htp {

namespace {

using namespace fields;

template <auto Member> void requirements(void *record, const YamlNode &node, Reader &reader) {
  for (const YamlNode &item : reader.items(node, reader.what))
    if (std::optional<Requirement> read = reader.requirement(item)) of<Member>(record).push_back(std::move(*read));
}

template <auto Member, bool exact> void terms(void *record, const YamlNode &node, Reader &reader) {
  for (const YamlNode &item : reader.items(node, reader.what))
    if (std::optional<Term> read = reader.term(item, exact)) of<Member>(record).push_back(std::move(*read));
}

template <auto Member> void wishes(void *record, const YamlNode &node, Reader &reader) {
  for (const YamlNode &item : reader.items(node, reader.what))
    if (std::optional<PluginWish> read = reader.wish(item)) of<Member>(record).push_back(std::move(*read));
}

// Capability names begin with a capital, plugin ids do not.
void conflicts(void *record, const YamlNode &node, Reader &reader) {
  Unit &unit = *static_cast<Unit *>(record);
  for (const YamlNode &item : reader.items(node, reader.what)) {
    const bool plugin = !item.text.empty() && item.text[0] >= 'a' && item.text[0] <= 'z';
    if (plugin) {
      if (std::optional<PluginWish> read = reader.wish(item)) unit.plugin_conflicts.push_back(std::move(*read));
    } else if (std::optional<Term> read = reader.term(item, false)) {
      unit.conflicts.push_back(std::move(*read));
    }
  }
}

template <class Tree>
void flatten(const YamlNode &node, const std::string &path, const Span &key, Tree &tree, Reader &reader) {
  if (node.form == YamlNode::Form::map) {
    for (const YamlEntry &entry : node.entries) {
      if (entry.key.empty() || entry.key.find('.') != std::string::npos)
        reader.diagnostics.report(diag::manifest_dotted_key, entry.key_span, entry.key);
      else
        flatten(entry.value, path.empty() ? entry.key : path + "." + entry.key, entry.key_span, tree, reader);
    }
  } else if (node.form == YamlNode::Form::list) {
    for (size_t i = 0; i < node.items.size(); ++i)
      flatten(node.items[i], fmt::format("{}.{}", path, i), key, tree, reader);
  } else if (std::optional<Text> read = reader.scalar(node, fmt::format("`{}`", path))) {
    tree.emplace(path, Setting{std::move(*read), key});
  }
}

template <auto Member> void tree(void *record, const YamlNode &node, Reader &reader) {
  if (node.form == YamlNode::Form::map)
    flatten(node, "", node.span, of<Member>(record), reader);
  else
    reader.wrong_type(node, reader.what, "a map");
}

template <class Map> void scalar_map(Map &map, const YamlNode &node, const std::string &what, Reader &reader) {
  for (const YamlEntry &entry : reader.entries(node, what)) {
    if (!is_name(entry.key))
      reader.diagnostics.report(diag::manifest_bad_key, entry.key_span, entry.key);
    else if (std::optional<Text> read = reader.scalar(entry.value, fmt::format("`{}`", entry.key)))
      map.emplace(entry.key, Setting{std::move(*read), entry.key_span});
  }
}

template <auto Member> void scalars(void *record, const YamlNode &node, Reader &reader) {
  scalar_map(of<Member>(record), node, reader.what, reader);
}

void profile_options(void *record, const YamlNode &node, Reader &reader) {
  auto &options = static_cast<Profile *>(record)->options;
  for (const YamlEntry &entry : reader.entries(node, reader.what)) {
    if (!is_name(entry.key)) {
      reader.diagnostics.report(diag::manifest_bad_key, entry.key_span, entry.key);
    } else {
      UnitSettings &unit = options[entry.key];
      unit.key = entry.key_span;
      scalar_map(unit.values, entry.value, fmt::format("`{}`", entry.key), reader);
    }
  }
}

// ── rows of a shape of their own ────────────────────────────────────────────────────────────────────────────────────

constexpr std::array<std::string_view, unit_kind_count> kind_names = {"dialect",  "intrinsics", "handlers", "layout",
                                                                      "analysis", "pass",       "pipeline", "island",
                                                                      "backend",  "binding",    "verifier"};
constexpr std::string_view capability_kinds[] = {"static", "state"};
constexpr std::string_view kept_stages[] = {"changed", "last"};
constexpr std::string_view option_types[] = {"int", "bool", "number", "string"};
constexpr std::string_view value_types[] = {"int", "float", "string", "node", "list"};

void capability_kind(void *record, const YamlNode &node, Reader &reader) {
  if (const auto read = reader.choice(node, capability_kinds, reader.what))
    static_cast<CapabilityDecl *>(record)->state = *read == "state";
}

void stages_kept(void *record, const YamlNode &node, Reader &reader) {
  if (auto read = reader.choice(node, kept_stages, reader.what))
    static_cast<Profile *>(record)->stages = std::move(*read);
}

void option_type(void *record, const YamlNode &node, Reader &reader) {
  const auto read = reader.choice(node, option_types, reader.what);
  if (!read) return;
  const auto at = std::find(std::begin(option_types), std::end(option_types), read->value) - std::begin(option_types);
  static_cast<OptionDecl *>(record)->type = static_cast<OptionDecl::Type>(at);
}

void option_default(void *record, const YamlNode &node, Reader &reader) {
  if (const auto read = reader.scalar(node, reader.what))
    static_cast<OptionDecl *>(record)->default_value = read->value;
}

// The default's type is known only once both were read.
void check_default(const YamlNode &item, const OptionDecl &option, Reader &reader) {
  const auto entry = [&](std::string_view key) -> const YamlNode * {
    for (const YamlEntry &e : item.entries)
      if (e.key == key) return &e.value;
    return nullptr;
  };
  const YamlNode *value = entry("default");
  if (!value || value->form != YamlNode::Form::scalar || !entry("type")) return;
  const ScalarType type = scalar_type(*value);
  constexpr std::string_view wanted[] = {"an integer", "`true` or `false`", "a number", "a string"};
  const bool fits[] = {type == ScalarType::integer, type == ScalarType::boolean,
                       type == ScalarType::integer || type == ScalarType::number, type == ScalarType::string};
  const auto at = static_cast<size_t>(option.type);
  if (!fits[at] && type != ScalarType::unclear) reader.wrong_type(*value, "`default`", wanted[at]);
}

constexpr std::pair<std::string_view, Severity> severities[] = {
    {"error", Severity::error}, {"warning", Severity::warning}, {"note", Severity::note}};
constexpr std::string_view severity_names[] = {"error", "warning", "note"};

void diagnostic_severity(void *record, const YamlNode &node, Reader &reader) {
  const auto read = reader.choice(node, severity_names, reader.what);
  for (const auto &[name, severity] : severities)
    if (read && read->value == name) static_cast<DiagnosticDecl *>(record)->severity = severity;
}

void parameter_type(void *record, const YamlNode &node, Reader &reader) {
  ParameterDecl &parameter = *static_cast<ParameterDecl *>(record);
  const std::string what = reader.what;
  const std::optional<Text> read = reader.text(node, Shape::text, what);
  if (!read) return;
  using Type = ParameterDecl::Type;
  constexpr std::pair<std::string_view, Type> plain[] = {
      {"int", Type::integer}, {"bool", Type::boolean}, {"version", Type::version}, {"string", Type::string}};
  for (const auto &[name, type] : plain)
    if (read->value == name) return void(parameter.type = type);
  const std::string_view spelled = read->value;
  const auto within = [&](std::string_view head) -> std::optional<std::string_view> {
    if (!spelled.starts_with(head) || !spelled.ends_with(')')) return std::nullopt;
    return spelled.substr(head.size(), spelled.size() - head.size() - 1);
  };
  if (const auto kind = within("ref(")) {
    const auto at = std::find(kind_names.begin(), kind_names.end(), *kind);
    if (at != kind_names.end()) {
      parameter.type = Type::reference;
      parameter.reference = static_cast<UnitKind>(at - kind_names.begin());
      return;
    }
    reader.unknown_value(read->span, "the kind of " + what, *kind, kind_names);
    return;
  }
  if (const auto list = within("enum(")) {
    parameter.type = Type::enumeration;
    for (std::string_view rest = *list;; rest.remove_prefix(rest.find(',') + 1)) {
      std::string_view name = rest.substr(0, rest.find(','));
      while (name.starts_with(' ')) name.remove_prefix(1);
      while (name.ends_with(' ')) name.remove_suffix(1);
      const bool again = std::find(parameter.values.begin(), parameter.values.end(), name) != parameter.values.end();
      if (again) return void(reader.diagnostics.report(diag::manifest_duplicate_item, read->span, "the value", name));
      if (!is_name(name))
        return void(reader.diagnostics.report(diag::manifest_bad_value, read->span, "a value of " + what, name,
                                              "a name, as `row`, and a comma before the next"));
      parameter.values.emplace_back(name);
      if (rest.find(',') == std::string_view::npos) return;
    }
  }
  constexpr std::string_view types[] = {"int", "bool", "version", "string", "enum(a, b)", "ref(kind)"};
  reader.unknown_value(read->span, what, spelled, types);
}

void unit_kind(void *record, const YamlNode &node, Reader &reader) {
  const auto read = reader.choice(node, kind_names, reader.what);
  if (!read) return;
  const auto at = std::find(kind_names.begin(), kind_names.end(), read->value) - kind_names.begin();
  static_cast<Unit *>(record)->kind = static_cast<UnitKind>(at);
}

void analysis_values(void *record, const YamlNode &node, Reader &reader) {
  if (auto read = reader.choice(node, value_types, reader.what)) static_cast<Unit *>(record)->values = std::move(*read);
}

// ── the table ───────────────────────────────────────────────────────────────────────────────────────────────────────

void options(void *record, const YamlNode &node, Reader &reader);
void units(void *record, const YamlNode &node, Reader &reader);

constexpr Field parameter_fields[] = {
    {"name", Shape::name, required, "the parameter's name", text<&ParameterDecl::name, Shape::name>},
    {"type", Shape::parameter_type, required,
     "`int`, `bool`, `version` (dotted integers, quoted in terms), `string`, `enum(a, b)` or `ref(kind)`: the name of "
     "any declared unit of that kind",
     parameter_type},
    {"doc", Shape::text, optional, "what the parameter says", text<&ParameterDecl::doc, Shape::text>},
};
constexpr Record parameter_record{"a parameter", parameter_fields, "One typed parameter of a capability."};

constexpr Field capability_fields[] = {
    {"name", Shape::capability, required,
     "the capability's name; its first word is a word of the plugin's id (after `Dialect` and `Backend`: its second)",
     text<&CapabilityDecl::name, Shape::capability>},
    {"is", Shape::choice, required,
     "`static`: something is installed; `state`: something holds of a whole stage, and can be invalidated",
     capability_kind, nullptr, capability_kinds},
    {"initial", Shape::boolean, optional,
     "of a state: whether it is checked on the source, by its verifier, before passes are planned; default `false`",
     boolean<&CapabilityDecl::initial>},
    {"parameters", Shape::records, optional, "its typed parameters",
     records<&CapabilityDecl::parameters, parameter_record>, &parameter_record},
    {"doc", Shape::text, optional, "what holds where it holds", text<&CapabilityDecl::doc, Shape::text>},
};
constexpr Record capability_record{"a capability", capability_fields,
                                   "A capability that this plugin owns: declared once, here."};

constexpr Field option_fields[] = {
    {"name", Shape::name, required, "the option's name", text<&OptionDecl::name, Shape::name>},
    {"type", Shape::choice, required, "the type of its value", option_type, nullptr, option_types},
    {"default", Shape::scalar, required, "the value where the profile gives none", option_default},
    {"doc", Shape::text, optional, "what the option does", text<&OptionDecl::doc, Shape::text>},
};
constexpr Record option_record{"an option", option_fields, "An option of a unit; a profile sets it under `options:`."};

using enum UnitKind;
constexpr uint32_t with_options = bit(pass) | bit(island) | bit(backend) | bit(UnitKind::binding) | bit(analysis) |
                                  bit(handlers) | bit(layout) | bit(dialect) | bit(verifier);

constexpr Field unit_fields[] = {
    {"kind", Shape::choice, required,
     "what the unit is; the plugin's `.so` brings the interface of that kind under the unit's name, or `code` does",
     unit_kind, nullptr, kind_names},
    {"name", Shape::name, required, "the unit's name, unique over all plugins", text<&Unit::name, Shape::name>},
    {"doc", Shape::text, optional, "what the unit does", text<&Unit::doc, Shape::text>},
    {"code",
     Shape::code,
     optional,
     "of a unit written in Python: `module:function`, in the module that `python` names or one within it",
     text<&Unit::code, Shape::code>,
     nullptr,
     {},
     bit(pass) | bit(analysis) | bit(verifier)},
    {"requires", Shape::requirements, optional, "what must be there, or hold, for the unit to take part; all of these",
     requirements<&Unit::requires_>},
    {"wants", Shape::requirements, optional, "what the unit makes use of where it is there, in order of preference",
     requirements<&Unit::wants>},
    {"provides", Shape::provided, optional, "what is there, or holds, because of the unit",
     terms<&Unit::provides, true>},
    {"conflicts", Shape::conflicts, optional, "capabilities and plugins that the unit cannot take part with",
     conflicts},
    {"invalidates",
     Shape::patterns,
     optional,
     "states that no longer hold after the pass",
     terms<&Unit::invalidates, false>,
     nullptr,
     {},
     bit(pass) | bit(island)},
    {"idempotent",
     Shape::boolean,
     optional,
     "whether the pass changes nothing in what it made itself; default `false`",
     boolean<&Unit::idempotent>,
     nullptr,
     {},
     bit(pass) | bit(island)},
    {"takes",
     Shape::names,
     optional,
     "intrinsics that the pass takes out of a program by itself, so that a plan with it asks for no handler of theirs",
     texts<&Unit::takes, Shape::name>,
     nullptr,
     {},
     bit(pass) | bit(island)},
    {"options", Shape::records, optional, "options that a profile may set", options, &option_record, {}, with_options},
    {"members",
     Shape::names,
     required,
     "the intrinsics that the unit brings (`intrinsics`) or rewrites (`handlers`), so that needs resolve before "
     "anything is loaded",
     texts<&Unit::members, Shape::name>,
     nullptr,
     {},
     bit(intrinsics) | bit(handlers)},
    {"backend",
     Shape::name_or_any,
     required,
     "the backend into whose target set the calls are rewritten; a variable, `$B`, for whichever backend has what the "
     "unit requires of `$B`",
     text<&Unit::backend, Shape::name_or_any>,
     nullptr,
     {},
     bit(handlers)},
    {"passes",
     Shape::names,
     required,
     "the passes in their order; gaps are filled where that is possible",
     texts<&Unit::passes, Shape::name>,
     nullptr,
     {},
     bit(pipeline)},
    {"target_set",
     Shape::names,
     required,
     "the intrinsic sets that the backend emits",
     texts<&Unit::target_set, Shape::name>,
     nullptr,
     {},
     bit(backend)},
    {"contract",
     Shape::requirements,
     required,
     "what must hold of the last stage for the backend to emit it",
     requirements<&Unit::contract>,
     nullptr,
     {},
     bit(backend)},
    {"hardware",
     Shape::tree,
     optional,
     "the hardware model: levels, memory spaces, vector widths, instruction shapes; free in form",
     tree<&Unit::hardware>,
     nullptr,
     {},
     bit(backend)},
    {"contract_id",
     Shape::string,
     required,
     "the package contract that the binding speaks",
     text<&Unit::contract_id, Shape::string>,
     nullptr,
     {},
     bit(UnitKind::binding)},
    {"values", Shape::choice, required, "the type of the analysis's values", analysis_values, nullptr, value_types,
     bit(analysis)},
    {"revision",
     Shape::natural,
     optional,
     "the revision of the meaning of its values, raised when that changes; default `1`",
     natural<&Unit::revision>,
     nullptr,
     {},
     bit(analysis)},
    {"verifies",
     Shape::patterns,
     required,
     "the states that the unit checks",
     terms<&Unit::verifies, false>,
     nullptr,
     {},
     bit(verifier)},
};

constexpr Field diagnostic_fields[] = {
    {"code", Shape::diagnostic, required, "the diagnostic's code, `owner.kebab-name`",
     text<&DiagnosticDecl::name, Shape::diagnostic>},
    {"severity", Shape::choice, optional, "how much it matters; default `error`", diagnostic_severity, nullptr,
     severity_names},
    {"summary", Shape::text, required, "the situation in one line, as `htp-host explain` lists it",
     text<&DiagnosticDecl::summary, Shape::text>},
    {"doc", Shape::text, required, "what it means, and the fix: what `htp-host explain CODE` shows",
     text<&DiagnosticDecl::doc, Shape::text>},
};
constexpr Record diagnostic_record{"a diagnostic", diagnostic_fields,
                                   "A diagnostic that the plugin's Python units report, by its code."};

constexpr Field tool_fields[] = {
    {"name", Shape::string, required, "what it is called", text<&ToolDecl::name, Shape::string>},
    {"doc", Shape::text, required, "what it is for", text<&ToolDecl::doc, Shape::text>},
    {"programs", Shape::strings, optional,
     "programs by name, the first that starts is taken; `--version` is asked of it",
     texts<&ToolDecl::programs, Shape::string>},
    {"variable", Shape::string, optional, "the environment variable that names the program, or the folder",
     text<&ToolDecl::variable, Shape::string>},
    {"holds", Shape::inner_paths, optional, "of a folder that `variable` names: one of these lies in it",
     texts<&ToolDecl::holds, Shape::path>},
    {"devices", Shape::strings, optional, "of a device: its files, one of which is there",
     texts<&ToolDecl::devices, Shape::string>},
    {"install", Shape::text, optional, "the command that brings it", text<&ToolDecl::install, Shape::text>},
    {"optional", Shape::boolean, optional, "whether the plugin does without; default `false`",
     boolean<&ToolDecl::optional>},
};
constexpr Record tool_record{"a tool", tool_fields,
                             "What the plugin needs of the machine: a program that it starts, a folder that a variable "
                             "names, a device. `htp-host doctor` looks for it; nothing else does."};

constexpr Field plugin_fields[] = {
    {"id", Shape::plugin_id, required, "the plugin's id: lower-case words, the owner first",
     text<&Manifest::id, Shape::plugin_id>},
    {"version", Shape::version, required, "its version, which is that of the capabilities it declares",
     text<&Manifest::version_text, Shape::version>},
    {"library", Shape::path, optional,
     "its `.so`; left out for a plugin of data, or whose units are all written in Python",
     text<&Manifest::library, Shape::path>},
    {"doc", Shape::text, optional, "what the plugin brings", text<&Manifest::doc, Shape::text>},
};
constexpr Record plugin_record{"the plugin", plugin_fields, "The plugin itself."};

constexpr Field python_fields[] = {
    {"module", Shape::name, required, "the module's name; a program enables the plugin by importing it",
     text<&Manifest::python_module, Shape::name>},
    {"path", Shape::path, required, "the folder that holds the module", text<&Manifest::python_path, Shape::path>},
};
constexpr Record python_record{"`python`", python_fields, "The Python module that programs import."};

constexpr Field manifest_fields[] = {
    {"htp_manifest", Shape::format, required, "the format of this file", skip},
    {"plugin", Shape::record, required, "the plugin itself", same<plugin_record>, &plugin_record},
    {"python", Shape::record, optional, "the Python module that programs import", same<python_record>, &python_record},
    {"declares", Shape::records, optional, "the capabilities that this plugin owns",
     records<&Manifest::declares, capability_record>, &capability_record},
    {"units", Shape::records, optional, "the extension units that the plugin contributes", units, &unit_record},
    {"diagnostics", Shape::records, optional, "what the plugin's Python units report",
     records<&Manifest::diagnostics, diagnostic_record>, &diagnostic_record},
    {"tools", Shape::records, optional, "what it needs of the machine: `htp-host doctor` looks for it",
     records<&Manifest::tools, tool_record>, &tool_record},
    {"conflicts", Shape::wishes, optional, "plugins that this one cannot be loaded with", wishes<&Manifest::conflicts>},
    {"examples", Shape::inner_paths, optional,
     "programs that show what the plugin brings; `plugins check` compiles them and tries its units on them",
     texts<&Manifest::examples, Shape::path>},
};

constexpr Field publisher_fields[] = {
    {"name", Shape::name, required, "the publisher's name", text<&Publisher::name, Shape::name>},
    {"key", Shape::key, required, "its public key", text<&Publisher::key, Shape::key>},
    {"provides", Shape::id_patterns, required,
     "the plugins that it may provide: ids, or `acme.*` for all that begin so",
     texts<&Publisher::provides, Shape::id_pattern>},
};
constexpr Record publisher_record{"a publisher", publisher_fields, "Who signs plugins, with one key."};

constexpr Field profile_fields[] = {
    {"htp_profile", Shape::format, required, "the format of this file", skip},
    {"target", Shape::name, required, "the backend to compile for; `htp-host plugins list` shows those there are",
     text<&Profile::target, Shape::name>},
    {"program", Shape::any_path, optional, "the program to compile", text<&Profile::program, Shape::any_path>},
    {"entry", Shape::name, optional, "the kernel, workload or schedule to compile", text<&Profile::entry, Shape::name>},
    {"plugins", Shape::wishes, optional, "plugins that must take part, each with a range of versions",
     wishes<&Profile::plugins>},
    {"search", Shape::paths, optional,
     "folders to search for plugins before those of `--plugin-path` and the default ones",
     texts<&Profile::search, Shape::any_path>},
    {"pipeline", Shape::name, optional, "a pipeline unit: a template that the planner checks and completes",
     text<&Profile::pipeline, Shape::name>},
    {"options", Shape::options, optional, "unit name → option → value", profile_options},
    {"hardware", Shape::tree, optional, "what differs from the backend's hardware model, by the same keys",
     tree<&Profile::hardware>},
    {"set", Shape::scalars, optional, "compile-time constants of the program, as `--set`", scalars<&Profile::set>},
    {"stages", Shape::choice, optional,
     "the stages that a package keeps: `changed`, the default, one for each pass that changed the program; `last`, "
     "only "
     "the first and the last",
     stages_kept, nullptr, kept_stages},
    {"seed", Shape::natural, optional, "the seed of everything random; default `0`", natural<&Profile::seed>},
    {"environment", Shape::strings, optional, "environment variables that plugins may ask for",
     texts<&Profile::environment, Shape::string>},
    {"isolate", Shape::boolean, optional,
     "plugins run in a process of their own, as `compile --isolate`; default `false`", boolean<&Profile::isolate>},
    {"publishers", Shape::records, optional, "who is trusted for which plugins, beside those of the trust files",
     records<&Profile::publishers, publisher_record>, &publisher_record},
};

void options(void *record, const YamlNode &node, Reader &reader) {
  Unit &unit = *static_cast<Unit *>(record);
  records<&Unit::options, option_record>(record, node, reader);
  size_t at = 0;
  for (const YamlNode &item : node.items)
    if (item.form != YamlNode::Form::refused) check_default(item, unit.options[at++], reader);
}

constexpr Field needed_fields[] = {
    {"path", Shape::any_path, required,
     "where it lies: within the plugin's folder (of Python, the module's), or absolute",
     text<&Lock::Library::name, Shape::any_path>},
    {"sha256", Shape::digest, required, "the SHA-256 of its bytes", text<&Lock::Library::sha256, Shape::digest>},
};
constexpr Record needed_record{"a needed library", needed_fields,
                               "A library that the plugin's needs and that is not the system's."};

constexpr Record locked_python_record{"a Python file", needed_fields, "A file of the plugin's Python module."};

constexpr Field locked_fields[] = {
    {"id", Shape::plugin_id, required, "the plugin's id", text<&Lock::Plugin::name, Shape::plugin_id>},
    {"version", Shape::version, required, "its version", text<&Lock::Plugin::version_text, Shape::version>},
    {"manifest", Shape::digest, required, "the SHA-256 of its `htp-plugin.yaml`",
     text<&Lock::Plugin::manifest, Shape::digest>},
    {"library", Shape::digest, optional, "the SHA-256 of its `.so`; left out for a plugin of data only",
     text<&Lock::Plugin::library, Shape::digest>},
    {"needed", Shape::records, optional, "the libraries that its `.so` needs and that are not the system's",
     records<&Lock::Plugin::needed, needed_record>, &needed_record},
    {"python", Shape::records, optional, "the files of its Python module",
     records<&Lock::Plugin::python, locked_python_record>, &locked_python_record},
};
constexpr Record locked_record{"a plugin", locked_fields, "A plugin as it was when the lock was written."};

constexpr Field lock_fields[] = {
    {"htp_lock", Shape::format, required, "the format of this file", skip},
    {"plugins", Shape::records, optional, "the plugins, in the versions that are taken",
     records<&Lock::plugins, locked_record>, &locked_record},
};

constexpr Field policy_plugin_fields[] = {
    {"id", Shape::plugin_id, required, "the plugin's id", text<&Policy::Plugin::name, Shape::plugin_id>},
    {"digest", Shape::digest, required, "the SHA-256 of the list of its files' digests",
     text<&Policy::Plugin::digest, Shape::digest>},
};
constexpr Record policy_plugin_record{"a plugin", policy_plugin_fields,
                                      "A plugin that has no signature, trusted as it was then."};

constexpr Field revoked_fields[] = {
    {"key", Shape::key, required, "the public key", text<&Policy::Revoked::name, Shape::key>},
    {"publisher", Shape::name, optional, "whose it was", text<&Policy::Revoked::publisher, Shape::name>},
};
constexpr Record revoked_record{"a revoked key", revoked_fields, "A key: what it signed is refused, whoever names it."};

constexpr Field owner_fields[] = {
    {"ids", Shape::id_pattern, required, "the ids: one, or `acme.*` for all that begin so",
     text<&Policy::Owner::name, Shape::id_pattern>},
    {"names", Shape::names, optional,
     "words that capabilities, units and intrinsics of no other plugin begin with, without regard to case",
     texts<&Policy::Owner::names, Shape::name>},
};
constexpr Record owner_record{"an owner", owner_fields,
                              "Ids and names that are only for plugins of publishers that may provide the ids."};

constexpr Field policy_fields[] = {
    {"htp_trust", Shape::format, required, "the format of this file", skip},
    {"publishers", Shape::records, optional, "who is trusted for which plugins",
     records<&Policy::publishers, publisher_record>, &publisher_record},
    {"revoked", Shape::records, optional, "keys that are not trusted any more",
     records<&Policy::revoked, revoked_record>, &revoked_record},
    {"owned", Shape::records, optional, "what nobody else may provide", records<&Policy::owned, owner_record>,
     &owner_record},
    {"plugins", Shape::records, optional, "plugins that are trusted without a signature",
     records<&Policy::plugins, policy_plugin_record>, &policy_plugin_record},
};

// A unit's kind decides which fields it has, so it is looked at first.
std::optional<UnitKind> kind_of(const YamlNode &item) {
  for (const YamlEntry &entry : item.entries) {
    if (entry.key != "kind") continue;
    const auto at = std::find(kind_names.begin(), kind_names.end(), entry.value.text);
    if (at != kind_names.end()) return static_cast<UnitKind>(at - kind_names.begin());
  }
  return std::nullopt;
}

void units(void *record, const YamlNode &node, Reader &reader) {
  std::vector<Text> names;
  for (const YamlNode &item : reader.items(node, reader.what)) {
    if (item.form == YamlNode::Form::refused) continue;
    Unit &unit = static_cast<Manifest *>(record)->units.emplace_back();
    unit.span = item.entries.empty() ? item.span : item.entries.front().key_span;
    reader.fields(unit_record, item, &unit, kind_of(item));
    names.push_back(unit.name);
  }
  reader.unique("the unit", names);
}

} // namespace

constexpr Record unit_record{"a unit", unit_fields, "An extension unit. Its kind decides which keys it has."};
constexpr Record manifest_record{"the manifest", manifest_fields, "`htp-plugin.yaml`, beside the plugin's `.so`."};
constexpr Record profile_record{"the profile", profile_fields,
                                "What `--plugins` names: the target, and what is wished."};

constexpr Record lock_record{"the lock file", lock_fields,
                             "`PROFILE.lock.yaml`, beside the profile: what `htp-host plugins lock` writes."};
constexpr Record policy_record{"the trust file", policy_fields,
                               "`~/.config/htp/trust.yaml`, which `htp-host plugins trust` writes, and "
                               "`/etc/htp/trust.yaml`, which the system's administrator does."};

std::span<const std::string_view> unit_kind_names() { return kind_names; }

} // namespace htp
