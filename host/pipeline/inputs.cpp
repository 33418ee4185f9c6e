#include "host/pipeline/inputs.h"

#include "host/base/cache.h"
#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/suggest.h"
#include "host/diag/suggestion.h"
#include "host/load/identity.h"
#include "host/log/log.h"
#include "host/pipeline/context.h"
#include "host/pipeline/lock.h"
#include "host/python/sources.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <set>

namespace htp {

namespace {

std::string folder_of(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

// A path written in the profile: relative to the profile.
std::string beside(const Profile &profile, const std::string &path) {
  return path.starts_with('/') ? path : profile.folder == "." ? path : join_path(profile.folder, path);
}

bool fits(const OptionDecl &decl, const std::string &value) {
  const char *begin = value.data(), *end = begin + value.size();
  int64_t integer = 0;
  double number = 0;
  const auto all = [&](std::from_chars_result read) { return read.ec == std::errc() && read.ptr == end; };
  switch (decl.type) {
  case OptionDecl::Type::integer: return all(std::from_chars(begin, end, integer));
  case OptionDecl::Type::number: return all(std::from_chars(begin, end, number));
  case OptionDecl::Type::boolean: return value == "true" || value == "false";
  case OptionDecl::Type::string: return true;
  }
  return false;
}

std::string_view type_words(OptionDecl::Type type) {
  switch (type) {
  case OptionDecl::Type::integer: return "an int";
  case OptionDecl::Type::number: return "a number";
  case OptionDecl::Type::boolean: return "`true` or `false`";
  case OptionDecl::Type::string: return "a string";
  }
  return "";
}

} // namespace

std::vector<std::string> default_search() {
  if (own_file().empty()) return {};
  const std::string prefix = folder_of(folder_of(own_file()));
  std::vector<std::string> result;
  for (const char *place : {"/plugins", "/lib/htp/plugins", "/htp/plugins"})
    if (is_folder(prefix + place)) result.push_back(prefix + place);
  return result;
}

namespace {

constexpr std::string_view ending = ".yaml";

// The folder of the profiles that come with HTP; empty: there is none.
std::string profile_folder() {
  const std::string prefix = folder_of(folder_of(own_file())); // PREFIX, or PREFIX/lib
  for (const char *place : {"/share/htp/manifests", "/../share/htp/manifests"})
    if (is_folder(prefix + place)) return prefix + place;
  return "";
}

bool is_name(const std::string &profile) { return profile.find_first_of("/.") == std::string::npos; }

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  if (const auto entries = list_folder(profile_folder()))
    for (const FolderEntry &entry : *entries)
      if (entry.name.ends_with(ending)) names.push_back(entry.name.substr(0, entry.name.size() - ending.size()));
  std::ranges::sort(names);
  return names;
}

std::string profile_hint(const std::string &asked) {
  const std::vector<std::string> names = profile_names();
  if (const std::string_view meant = did_you_mean(asked, names); !meant.empty())
    return "did you mean `" + std::string(meant) + "`?";
  std::string all;
  for (const std::string &name : names) all += (all.empty() ? "`" : ", `") + name + "`";
  return "give a profile's file" + (all.empty() ? "" : ", or the name of one that comes with HTP: " + all);
}

} // namespace

std::string profile_file(const std::string &asked) {
  if (asked.empty() || !is_name(asked)) return asked;
  const std::string shipped = join_path(profile_folder(), asked + std::string(ending));
  return exists(shipped) ? shipped : asked;
}

bool comes_with_htp(const std::string &profile) {
  const std::string folder = profile_folder();
  return !folder.empty() && profile.starts_with(folder + "/");
}

namespace {
bool lies_in(const std::string &path, const std::string &folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}
} // namespace

Universe Inputs::universe() const {
  Universe result;
  result.sdk = &sdk_manifest();
  // What was installed with the host is not the user's to change, nor what the user may not write.
  result.fixed = [search = search, installed = default_search()](const Candidate &candidate) {
    const Manifest &manifest = *candidate.manifest;
    const std::string &folder = search[candidate.folder];
    return (lies_in(manifest.folder, folder) && std::ranges::find(installed, folder) != installed.end()) ||
           ::access(manifest.source->path.c_str(), W_OK) != 0;
  };
  for (const Manifest &manifest : manifests) {
    Candidate candidate;
    candidate.manifest = &manifest;
    size_t longest = 0; // of search folders within each other the inner one found it
    for (uint32_t k = 0; k < search.size(); ++k)
      if (search[k].size() > longest && lies_in(manifest.folder, search[k])) {
        candidate.folder = k;
        longest = search[k].size();
      }
    result.plugins.push_back(std::move(candidate));
  }
  for (const BrokenManifest &one : broken) result.plugins.push_back({&one.manifest, 0, one.why});
  return result;
}

std::vector<const Manifest *> Inputs::all() const {
  std::vector<const Manifest *> result{&sdk_manifest()};
  for (const Manifest &manifest : manifests) result.push_back(&manifest);
  return result;
}

namespace {

bool gather_lock(const CompileRequest &request, Inputs &inputs, Diagnostics &diagnostics) {
  const std::string path = lock_path(request.profile);
  if (request.profile.empty() || !exists(path)) {
    if (!request.locked) return true;
    diagnostics.report(diag::pipeline_no_lock, {}, request.profile.empty() ? "without a profile" : "`" + path + "`")
        .hint(request.profile.empty() ? "`--plugins PROFILE`: " + profile_hint("")
                                      : "`htp-host plugins lock " + request.profile + "` writes it");
    return false;
  }
  auto text = read_file(path, 1u << 20);
  if (!text) {
    diagnostics.report(diag::io_unreadable, {}, text.error().path, text.error().reason);
    return false;
  }
  inputs.files.push_back({path, "lock", sha256(*text)});
  inputs.lock = read_lock(std::make_shared<SourceFile>(path, std::move(*text)), diagnostics);
  return inputs.lock.has_value();
}

} // namespace

namespace {

// Finds the plugins, and leaves out what is not trusted. What was found in a folder that the user named, and what the
// profile that the user named wishes for, was named.
void discover_trusted(const CompileRequest &request, const std::set<std::string> &named, const Cache &cache,
                      Inputs &inputs, Diagnostics &diagnostics) {
  const bool by_user = request.named && !request.profile.empty();
  const Trust trust = Trust::read(by_user ? &inputs.profile : nullptr, diagnostics);
  const auto is_named = [&](const Manifest &manifest) {
    const auto &wishes = inputs.profile.plugins;
    if (by_user && std::ranges::any_of(wishes, [&](const PluginWish &w) { return w.id == manifest.id.value; }))
      return true;
    return std::ranges::any_of(named, [&](const std::string &folder) {
      return manifest.folder == folder || manifest.folder.starts_with(folder + "/");
    });
  };
  Sha256 key;
  key.add(trust.digest());
  const Judge judge = [&](const Manifest &manifest, bool several) -> std::optional<std::string> {
    const bool by_name = is_named(manifest);
    Judgement judgement = trust.judge(manifest, by_name);
    Diagnostics differs;
    if (several && judgement.standing != Standing::refused && !Trust::holds(judgement, manifest, "", differs)) {
      judgement.standing = Standing::refused;
      judgement.why = differs.list().front();
      judgement.needed_only = false;
    }
    key.add("\n").add(manifest.folder).add(by_name ? " named " : " ").add(standing_name(judgement.standing));
    if (judgement.statement && judgement.standing != Standing::own) // whose list is in the digest already
      key.add(judgement.statement->key).add(file_lines(judgement.statement->files));
    if (judgement.standing != Standing::refused) {
      if (judgement.why) diagnostics.add(*judgement.why); // a warning
      inputs.judgements.emplace(manifest.folder, std::move(judgement));
      return std::nullopt;
    }
    const Diagnostic &why = *judgement.why;
    inputs.refused.push_back({manifest.id.value, by_name, judgement.needed_only, why});
    std::string text = why.message;
    if (!why.hints.empty()) text += "; " + why.hints.front();
    return text;
  };
  inputs.manifests = discover(inputs.search, diagnostics, &cache, &inputs.broken, judge);
  inputs.trust = key.hex();
}

} // namespace

bool Inputs::admits(const Manifest &manifest, const std::string &library_sha256, Diagnostics &diagnostics) const {
  const auto judgement = judgements.find(manifest.folder);
  return judgement == judgements.end() || Trust::holds(judgement->second, manifest, library_sha256, diagnostics);
}

bool Inputs::admits_python(const Manifest &manifest, Diagnostics &diagnostics) const {
  const auto judgement = judgements.find(manifest.folder);
  return judgement == judgements.end() || Trust::holds(judgement->second, manifest, "", diagnostics, true);
}

void report_refused(const Inputs &inputs, const std::vector<const Manifest *> &taken, Diagnostics &diagnostics) {
  for (const Inputs::Refused &one : inputs.refused) {
    const bool meant =
        one.named && std::ranges::any_of(taken, [&](const Manifest *m) { return m->id.value == one.id; });
    if (!meant && one.needed_only) continue;
    Diagnostic why = one.why;
    why.severity = meant ? Severity::error : Severity::warning;
    if (!meant) why.note("it is left out");
    diagnostics.add(std::move(why));
  }
}

std::optional<Inputs> gather(const CompileRequest &request, bool need_program, Diagnostics &diagnostics) {
  LogPhase phase("inputs");
  Inputs inputs;
  if (!request.profile.empty()) {
    auto text = read_file(request.profile, 1u << 20);
    if (!text) {
      auto &unreadable = diagnostics.report(diag::io_unreadable, {}, text.error().path, text.error().reason);
      if (is_name(request.profile)) unreadable.hint(profile_hint(request.profile));
      return std::nullopt;
    }
    inputs.files.push_back({request.profile, "profile", sha256(*text)});
    auto profile = read_profile(std::make_shared<SourceFile>(request.profile, std::move(*text)), diagnostics);
    if (!profile) return std::nullopt;
    inputs.profile = std::move(*profile);
    inputs.profile.folder = folder_of(request.profile);
    log(LogLevel::info, "profile read", {{"file", request.profile}, {"target", inputs.profile.target.value}});
  }
  if (need_program && !gather_lock(request, inputs, diagnostics)) return std::nullopt;
  std::set<std::string> named; // folders
  const auto search = [&](std::string folder, bool by_name = false) {
    while (folder.size() > 1 && folder.ends_with('/')) folder.pop_back();
    if (by_name && request.named) named.insert(folder);
    for (const std::string &known : inputs.search)
      if (known == folder) return;
    inputs.search.push_back(folder);
  };
  const auto asked_for = [&](const Span &span, const std::string &folder) {
    if (!privileged()) return search(folder, true);
    diagnostics.report(diag::load_privileged, span, folder)
        .hint("install the plugin beside htp-host, in `lib/htp/plugins`");
  };
  for (const Text &folder : inputs.profile.search) asked_for(folder.span, beside(inputs.profile, folder.value));
  for (const std::string &folder : request.plugin_path) asked_for({}, folder);
  for (const std::string &folder : default_search()) search(folder);
  const Cache cache = Cache::from_environment();
  if (request.judged)
    discover_trusted(request, named, cache, inputs, diagnostics);
  else
    inputs.manifests = discover(inputs.search, diagnostics, &cache, &inputs.broken);
  phase.add({"plugins", inputs.manifests.size()});
  for (const Manifest &manifest : inputs.manifests)
    inputs.files.push_back({manifest.source->path, "plugin-manifest", manifest.sha256});

  inputs.program = inputs.profile.program;
  if (!inputs.program.value.empty()) inputs.program.value = beside(inputs.profile, inputs.program.value);
  if (!request.program.empty()) inputs.program = {request.program, {}};
  inputs.read_folder =
      folder_of(request.from_stage.empty() ? inputs.program.value : request.from_stage + "/program.py");
  inputs.entry = request.entry.empty() ? inputs.profile.entry : Text{request.entry, {}};
  inputs.stages = !request.stages.empty()                ? request.stages
                  : !inputs.profile.stages.value.empty() ? inputs.profile.stages.value
                                                         : "changed";
  inputs.isolate = request.isolate || inputs.profile.isolate;
  inputs.set = inputs.profile.set;
  for (const auto &[name, value] : request.set) inputs.set[name] = {value, {}};
  if (need_program && inputs.program.value.empty() && request.from_stage.empty()) {
    diagnostics.report(diag::pipeline_no_program, {})
        .hint("for instance: htp-host --plugins PROFILE.yaml compile PROGRAM.py");
    return std::nullopt;
  }
  if (need_program && inputs.profile.target.value.empty()) {
    diagnostics.report(diag::pipeline_no_profile, {}).hint("`--plugins PROFILE`: " + profile_hint(""));
    return std::nullopt;
  }
  return inputs;
}

Options options_for(const std::vector<const Unit *> &units, const Profile &profile, Diagnostics &diagnostics) {
  Options result;
  std::map<std::string, const Unit *> by_name;
  for (const Unit *unit : units) {
    by_name[unit->name.value] = unit;
    for (const OptionDecl &decl : unit->options) result[unit->name.value][decl.name.value] = decl.default_value;
  }
  for (const auto &[name, given] : profile.options) {
    const auto unit = by_name.find(name);
    if (unit == by_name.end()) continue;
    for (const auto &[option, value] : given.values) {
      const OptionDecl *decl = nullptr;
      std::vector<std::string_view> known;
      for (const OptionDecl &d : unit->second->options) {
        known.emplace_back(d.name.value);
        if (d.name == option) decl = &d;
      }
      if (!decl) {
        suggest(diagnostics.report(diag::pipeline_bad_option, value.key, name, option), option, known, value.key);
      } else if (!fits(*decl, value.value)) {
        diagnostics.report(diag::pipeline_option_type, value.span, option, name, type_words(decl->type), value.value)
            .label(decl->name.span, "declared here");
      } else {
        result[name][option] = value.value;
      }
    }
  }
  return result;
}

ContextSettings settings_for(const Inputs &inputs, const Resolution &resolution, const std::string &entry,
                             Diagnostics &diagnostics) {
  ContextSettings settings;
  settings.target = inputs.profile.target.value;
  settings.entry = entry;
  settings.seed = inputs.profile.seed;
  for (const Text &name : inputs.profile.environment) settings.environment.insert(name.value);
  settings.read_folder = inputs.read_folder;
  std::vector<const Unit *> units;
  std::set<std::string> names;
  for (const ChosenUnit &chosen : resolution.units) units.push_back(chosen.unit), names.insert(chosen.unit->name.value);
  settings.options = options_for(units, inputs.profile, diagnostics);
  // What runs a package, and what predicts one, is asked by other commands, of which this may be the profile too.
  const auto asked_later = [&](const std::string &name) {
    return std::any_of(inputs.manifests.begin(), inputs.manifests.end(), [&](const Manifest &m) {
      return std::any_of(m.units.begin(), m.units.end(), [&](const Unit &u) {
        return u.name.value == name && (u.kind == UnitKind::binding || u.kind == UnitKind::analysis);
      });
    });
  };
  const std::vector<std::string_view> chosen(names.begin(), names.end());
  for (const auto &[name, given] : inputs.profile.options)
    if (!names.contains(name) && !asked_later(name))
      suggest(diagnostics.report(diag::pipeline_option_unit, given.key, name), name, chosen, given.key);
  if (!resolution.backend) return settings;
  std::vector<std::string_view> facts;
  for (const auto &[path, value] : resolution.backend->hardware) {
    settings.hardware[path] = value.value;
    facts.emplace_back(path);
  }
  for (const auto &[path, value] : inputs.profile.hardware) {
    if (!settings.hardware.contains(path)) {
      suggest(diagnostics.report(diag::pipeline_unknown_hardware, value.key, path, settings.target), path, facts,
              value.key);
    }
    settings.hardware[path] = value.value;
  }
  return settings;
}

PythonFiles python_files(const Manifest &manifest) {
  PythonFiles python;
  const std::vector<PythonSource> sources = read_python(manifest);
  if (sources.empty()) return python;
  Sha256 digest;
  for (const PythonSource &source : sources) {
    const std::string sum = source.text ? sha256(*source.text) : ""; // one that cannot be read is recorded as such
    python.files.push_back({source.path, "python", sum});
    digest.add(source.name).add("\n").add(sum).add("\n");
  }
  python.sha256 = digest.hex();
  return python;
}

} // namespace htp
