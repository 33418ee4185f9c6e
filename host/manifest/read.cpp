#include "host/base/hash.h"
#include "host/manifest/reader.h"
#include "host/manifest/scalar.h"

#include <fmt/format.h>

#include <algorithm>

namespace htp {

namespace {

// The first key of each kind of file, and where such a file is given.
constexpr std::pair<std::string_view, std::string_view> kinds_of_file[] = {
    {"htp_profile", "this is a profile; give it as `--plugins FILE`"},
    {"htp_manifest", "this is a plugin's manifest; give its folder as `--plugin-path DIR`"},
    {"htp_lock", "this is a lock file; it is read from beside its profile"},
    {"htp_trust", "this is a trust file; `htp-host plugins trust` shows what it says"},
    {"htp_changes", "this is a change policy; give it to `htp-host policy-check` or `promote-plan`"},
};

constexpr uint64_t read_format = 1; // of each of them

// Does the file say that it is what it is read as, in a format of today?
bool check_format(const YamlNode &root, const Record &record, Reader &reader) {
  if (root.form != YamlNode::Form::map) {
    reader.wrong_type(root, std::string(record.what), "a map");
    return false;
  }
  const std::string_view key = record.fields.front().key;
  for (const YamlEntry &entry : root.entries) {
    for (const auto &[other, hint] : kinds_of_file)
      if (entry.key == other && other != key) {
        reader.diagnostics.report(diag::manifest_other_kind, entry.key_span, record.what, key, other)
            .hint(std::string(hint));
        return false;
      }
    if (entry.key != key) continue;
    const std::optional<uint64_t> format = reader.natural(entry.value, fmt::format("`{}`", key));
    if (format && *format != read_format)
      reader.diagnostics.report(diag::manifest_other_format, entry.value.span, key, *format, read_format);
    return format == read_format;
  }
  return true; // that it is missing is reported with the other keys
}

template <class T> std::optional<T> read_record(const SourceRef &source, const Record &record, Diagnostics &diagnostics,
                                                T *broken = nullptr) {
  const size_t before = diagnostics.errors();
  if (source->path.ends_with(".py")) {
    diagnostics.report(diag::manifest_python_file, Span{source}, record.what)
        .hint(fmt::format("it begins with `{}: 1`", record.fields.front().key));
    return std::nullopt;
  }
  const std::optional<YamlNode> root = read_yaml(source, diagnostics);
  T result;
  result.source = source;
  Reader reader(diagnostics);
  if (root && check_format(*root, record, reader)) reader.fields(record, *root, &result);
  if (!root || diagnostics.errors() > before) {
    if (broken) *broken = std::move(result);
    return std::nullopt;
  }
  return result;
}

// A YAML double-quoted scalar.
std::string double_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      quoted += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      quoted += c;
  }
  return quoted + '"';
}

Argument one(std::string text) {
  Argument argument;
  argument.form = Argument::Form::values;
  argument.values.push_back(Value::of_text(std::move(text)));
  return argument;
}

// A name, or `$B`, which stands for any.
Argument one_or_any(const std::string &text) {
  if (!text.starts_with('$')) return one(text);
  return {Argument::Form::variable, {}, text.substr(1)};
}

void provide(Unit &unit, std::string name, std::map<std::string, Argument> arguments, const Span &span) {
  Term term{std::move(name), std::move(arguments), {}, span};
  const std::string text = term.text();
  const bool there =
      std::any_of(unit.provides.begin(), unit.provides.end(), [&](const Term &given) { return given.text() == text; });
  if (!there) unit.provides.push_back(std::move(term));
}

// What units provide of themselves (decision 0003).
void add_implied(Manifest &manifest) {
  for (Unit &unit : manifest.units) {
    switch (unit.kind) {
    case UnitKind::intrinsics: provide(unit, "Intrinsic.Set", {{"name", one(unit.name.value)}}, unit.name.span); break;
    case UnitKind::handlers:
      for (const Text &member : unit.members)
        provide(unit, "Intrinsic.Handler", {{"op", one(member.value)}, {"backend", one_or_any(unit.backend.value)}},
                member.span);
      break;
    case UnitKind::binding:
      provide(unit, "Binding.For", {{"contract", one(unit.contract_id.value)}}, unit.contract_id.span);
      break;
    case UnitKind::analysis: provide(unit, "Analysis.Table", {{"id", one(unit.name.value)}}, unit.name.span); break;
    default: break;
    }
  }
  if (manifest.python_module.value.empty() || manifest.units.empty()) return;
  // Of the plugin's units the one that a program means by importing the module.
  const auto first = [&](UnitKind kind) {
    return std::find_if(manifest.units.begin(), manifest.units.end(),
                        [&](const Unit &unit) { return unit.kind == kind; });
  };
  auto unit = first(UnitKind::dialect);
  if (unit == manifest.units.end()) unit = first(UnitKind::intrinsics);
  if (unit == manifest.units.end()) unit = manifest.units.begin();
  provide(*unit, "Python.Module", {{"name", one(manifest.python_module.value)}}, manifest.python_module.span);
}

// What runs as Python is of the module that the plugin names, whose files the package records.
void check_code(const Manifest &manifest, Diagnostics &diagnostics) {
  const std::string &module = manifest.python_module.value;
  for (const Unit &unit : manifest.units) {
    if (unit.code.value.empty()) continue;
    const std::string from = unit.code.value.substr(0, unit.code.value.find(':'));
    if (module.empty())
      diagnostics.report(diag::manifest_missing_key, unit.code.span, "a plugin with units written in Python", "python")
          .hint(fmt::format("add `python:` with `module: {}` and `path: .`", from.substr(0, from.find('.'))));
    else if (from != module && !from.starts_with(module + "."))
      diagnostics.report(diag::manifest_foreign_module, unit.code.span, from, module)
          .label(manifest.python_module.span, "named here");
  }
}

// A state that is checked on the source is a state.
void check_initial(const Manifest &manifest, Diagnostics &diagnostics) {
  for (const CapabilityDecl &capability : manifest.declares)
    if (capability.initial && !capability.state)
      diagnostics.report(diag::manifest_not_state, capability.name.span, capability.name.value, "initial");
}

} // namespace

std::string_view unit_kind_name(UnitKind kind) { return unit_kind_names()[static_cast<size_t>(kind)]; }

std::string_view unit_interface_id(UnitKind kind) {
  static constexpr std::string_view ids[] = {"htp.dialect/1",  "htp.intrinsics/1", "htp.handlers/1", "htp.layout/1",
                                             "htp.analysis/1", "htp.pass/1",       "htp.pipeline/1", "htp.island/1",
                                             "htp.backend/1",  "htp.binding/1",    "htp.verifier/1"};
  static_assert(std::size(ids) == unit_kind_count);
  return ids[static_cast<size_t>(kind)];
}

std::optional<Manifest> read_manifest(const SourceRef &source, Diagnostics &diagnostics, Manifest *broken) {
  std::optional<Manifest> manifest = read_record<Manifest>(source, manifest_record, diagnostics, broken);
  if (!manifest) {
    if (broken) broken->version = Version::parse(broken->version_text.value).value_or(Version{{0}});
    if (broken) add_implied(*broken);
    return std::nullopt;
  }
  const size_t before = diagnostics.errors();
  manifest->version = *Version::parse(manifest->version_text.value);
  manifest->sha256 = sha256(source->text);
  check_initial(*manifest, diagnostics);
  check_code(*manifest, diagnostics);
  add_implied(*manifest);
  if (diagnostics.errors() == before) return manifest;
  if (broken) *broken = std::move(*manifest);
  return std::nullopt;
}

std::optional<Profile> read_profile(const SourceRef &source, Diagnostics &diagnostics) {
  return read_record<Profile>(source, profile_record, diagnostics);
}

std::optional<Lock> read_lock(const SourceRef &source, Diagnostics &diagnostics) {
  std::optional<Lock> lock = read_record<Lock>(source, lock_record, diagnostics);
  if (lock)
    for (Lock::Plugin &plugin : lock->plugins) plugin.version = *Version::parse(plugin.version_text.value);
  return lock;
}

std::optional<Policy> read_policy(const SourceRef &source, Diagnostics &diagnostics) {
  return read_record<Policy>(source, policy_record, diagnostics);
}

std::optional<ChangePolicy> read_change_policy(const SourceRef &source, Diagnostics &diagnostics) {
  return read_record<ChangePolicy>(source, change_policy_record, diagnostics);
}

namespace {
constexpr auto by_name = [](const auto &a, const auto &b) { return a.name.value < b.name.value; };
}

std::string policy_text(Policy policy) {
  std::stable_sort(policy.publishers.begin(), policy.publishers.end(), by_name);
  std::stable_sort(policy.plugins.begin(), policy.plugins.end(), by_name);
  std::string text = "# Written by `htp-host plugins trust`.\nhtp_trust: 1\n";
  const auto list = [&](std::string_view key, const std::vector<Text> &items) {
    if (!items.empty()) text += fmt::format("    {}:\n", key);
    for (const Text &item : items) text += fmt::format("      - {}\n", item.value);
  };
  if (!policy.publishers.empty()) text += "publishers:\n";
  for (const Publisher &one : policy.publishers) {
    text += fmt::format("  - name: {}\n    key: \"{}\"\n", one.name.value, one.key.value);
    list("provides", one.provides);
  }
  if (!policy.revoked.empty()) text += "revoked:\n";
  for (const Policy::Revoked &one : policy.revoked) {
    text += fmt::format("  - key: \"{}\"\n", one.name.value);
    if (!one.publisher.value.empty()) text += fmt::format("    publisher: {}\n", one.publisher.value);
  }
  if (!policy.owned.empty()) text += "owned:\n";
  for (const Policy::Owner &owner : policy.owned) {
    text += fmt::format("  - ids: {}\n", owner.name.value);
    list("names", owner.names);
  }
  if (!policy.plugins.empty()) text += "plugins:\n";
  for (const Policy::Plugin &plugin : policy.plugins)
    text += fmt::format("  - id: {}\n    digest: \"{}\"\n", plugin.name.value, plugin.digest.value);
  return text;
}

std::string lock_text(Lock lock) {
  std::sort(lock.plugins.begin(), lock.plugins.end(), by_name);
  std::string text = "# Written by `htp-host plugins lock`.\nhtp_lock: 1\n";
  if (!lock.plugins.empty()) text += "plugins:\n";
  for (Lock::Plugin &plugin : lock.plugins) {
    text += fmt::format("  - id: {}\n    version: \"{}\"\n    manifest: \"{}\"\n", plugin.name.value,
                        plugin.version_text.value, plugin.manifest.value);
    if (!plugin.library.value.empty()) text += fmt::format("    library: \"{}\"\n", plugin.library.value);
    const auto list = [&](std::string_view key, std::vector<Lock::Library> &files) {
      if (!files.empty()) text += fmt::format("    {}:\n", key);
      std::sort(files.begin(), files.end(), by_name);
      for (const Lock::Library &file : files)
        text += fmt::format("      - path: {}\n        sha256: \"{}\"\n", double_quoted(file.name.value),
                            file.sha256.value);
    };
    list("needed", plugin.needed);
    list("python", plugin.python);
  }
  return text;
}

} // namespace htp
