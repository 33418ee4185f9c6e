#include "host/check/check.h"

#include "host/base/confined.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/check/subject.h"
#include "host/check/worker.h"
#include "host/load/access.h"
#include "host/load/identity.h"
#include "host/pipeline/describe.h"

#include <algorithm>
#include <array>
#include <set>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;
using enum CheckPhase;

// What each phase needs: nothing is asked of what is known to be broken.
struct Needs {
  CheckPhase phase;
  std::vector<CheckPhase> needs;
};
const Needs phase_needs[] = {{terms, {manifest}},
                             {python, {manifest}},
                             {elf, {file, manifest}},
                             {abi, {elf}},
                             {entry, {abi}},
                             {units, {entry, python, terms}},
                             {behaviour, {units, entry}}};

bool is_of_loading(CheckPhase phase) { return phase == file || phase == elf || phase == abi || phase == entry; }

bool is_of_library(CheckPhase phase) { return phase == elf || phase == abi || phase == entry; }
bool of_library(CheckId id) { return id == CheckId::library_found || id == CheckId::library_inside; }

// "pass island" → "pass, island"
std::string listed(std::string_view codes) {
  std::string text;
  for (const char c : codes) text += c == ' ' ? ", " : std::string(1, c);
  return text;
}

// The verdicts that follow from what was found; without a subject the manifest could not be read.
void judge(const Findings &findings, const Subject *subject, const CheckOptions &options, PluginReport &report) {
  std::set<CheckId> failed, warned;
  for (const Finding &f : findings.failed) (is_error(f.diagnostic.severity) ? failed : warned).insert(f.check);
  std::array<bool, check_phases.size()> broken{};
  for (const CheckId id : failed) broken[static_cast<size_t>(check_info(id).phase)] = true;
  const CheckInfo *stopped = nullptr; // loading goes no further than its first failure
  const CheckInfo *last_failed = nullptr;
  for (const CheckInfo &check : all_checks())
    if (!stopped && is_of_loading(check.phase) && failed.contains(check.id)) stopped = &check;
  for (const CheckInfo &check : all_checks()) {
    const auto add = [&](Verdict verdict, std::string why = {}) {
      const auto named = [&](std::string_view name) {
        return std::find(options.only.begin(), options.only.end(), name) != options.only.end();
      };
      if (options.only.empty() || named(check.name) || named(check.phase_name()))
        report.results.push_back({&check, verdict, std::move(why)});
    };
    if (failed.contains(check.id)) {
      last_failed = &check;
      add(Verdict::failed);
      continue;
    }
    std::string because;
    for (const Needs &row : phase_needs)
      if (row.phase == check.phase)
        for (const CheckPhase needed : row.needs)
          if (broken[static_cast<size_t>(needed)] && because.empty())
            because = fmt::format("phase `{}` failed", check_phases[static_cast<size_t>(needed)]);
    if (!subject && check.phase != manifest && check.id != CheckId::readable) because = "its manifest cannot be read";
    if (!subject && check.phase == manifest && failed.contains(CheckId::readable)) because = "there is none to read";
    if (stopped && because.empty() && is_of_loading(check.phase) && check.id > stopped->id)
      because = fmt::format("`{}` failed", stopped->name);
    if (!because.empty()) {
      broken[static_cast<size_t>(check.phase)] = true;
      add(Verdict::skipped, because);
      continue;
    }
    if (warned.contains(check.id)) {
      add(Verdict::warned);
      continue;
    }
    if (subject && (is_of_library(check.phase) || of_library(check.id)) && subject->manifest.library.value.empty()) {
      add(Verdict::absent, "it has no library");
      continue;
    }
    const auto absent = std::find_if(findings.absent.begin(), findings.absent.end(),
                                     [&](const Absence &a) { return a.check == check.id; });
    if (absent != findings.absent.end())
      add(Verdict::absent, absent->why);
    else if (subject && !check.kinds.empty() && !subject->has_kind(check.kinds))
      add(Verdict::absent, "it has no " + listed(check.kinds));
    else if (!findings.answered.contains(check.id))
      add(Verdict::skipped,
          last_failed ? fmt::format("`{}` failed", last_failed->name) : "no answer came, of it or of what it needs");
    else
      add(Verdict::ok);
  }
}

// Everything the verdicts follow from: this host, the plugin's bytes, those of the plugins beside it, and the question.
std::string verdict_key(const Subject &subject) {
  Sha256 key;
  const auto add = [&](std::string_view part) { key.add(std::to_string(part.size())).add(":").add(part); };
  add("htp.check/4");
  add(host_identity());
  for (const std::string &name : subject.options.only) add(name);
  add(subject.options.seed ? std::to_string(*subject.options.seed) : "");
  Diagnostics access; // which no bytes tell
  check_folder_access(subject.manifest.folder, {}, access);
  check_parts_access(subject.manifest, access);
  for (const Diagnostic &d : access.list()) add(d.message);
  for (const Manifest *m : subject.all) {
    add(m->source->path); // messages name it
    add(m->source->text);
    if (!subject.runs()) continue;
    const auto tree = list_tree(m->folder);
    if (!tree) continue;
    for (const FolderEntry &entry : *tree) {
      if (entry.name.ends_with(".pyc")) continue;
      add(entry.name);
      add(std::to_string(static_cast<int>(entry.kind)));
      if (entry.kind != FolderEntry::Kind::file && entry.kind != FolderEntry::Kind::link) continue;
      const auto bytes = read_file(join_path(m->folder, entry.name)); // of a link: what it leads to
      add(bytes ? sha256(*bytes) : bytes.error().reason);
    }
  }
  return key.hex();
}

// A machine that is busy, or lacks a library, gives another answer the next time.
bool lasting(const Findings &findings) {
  static const std::set<CheckId> passing = {CheckId::private_files, CheckId::dependencies, CheckId::opens,
                                            CheckId::opens_in_time};
  return std::none_of(findings.failed.begin(), findings.failed.end(),
                      [](const Finding &f) { return f.late || passing.contains(f.check); });
}

std::optional<Findings> recall(const Cache &cache, const std::string &key) {
  const auto bytes = cache.get(key);
  if (!bytes) return std::nullopt;
  const Json json = Json::parse(*bytes, nullptr, false);
  Findings findings;
  if (json.is_discarded() || !from_json(json, findings)) return std::nullopt;
  return findings;
}

void ask(const Subject &subject, Findings &findings) {
  const auto failed_in = [&](CheckPhase phase) {
    return std::any_of(findings.failed.begin(), findings.failed.end(), [&](const Finding &f) {
      return check_info(f.check).phase == phase && is_error(f.diagnostic.severity);
    });
  };
  check_manifest(subject, findings);
  findings.answer(manifest);
  findings.answer(terms);
  findings.answer({CheckId::readable});
  Diagnostics found;
  check_terms(subject.all, found);
  for (const Diagnostic &d : found.list())
    if (d.span.file == subject.manifest.source) findings.take(d);
  if (!failed_in(terms)) check_pipelines(subject, findings);
  if (subject.runs()) examine(subject, findings);
}

// How far the reader of a manifest came: what it could not take apart it asked nothing of.
std::vector<CheckId> answered_by_reader(const Findings &findings) {
  using enum CheckId;
  std::vector<CheckId> answered;
  for (const CheckId id : {manifest_text, manifest_yaml, manifest_keys, manifest_values, manifest_items, term_syntax}) {
    answered.push_back(id);
    const bool stops = id == manifest_text || id == manifest_yaml;
    if (stops &&
        std::any_of(findings.failed.begin(), findings.failed.end(), [&](const Finding &f) { return f.check == id; }))
      break;
  }
  return answered;
}

} // namespace

std::string_view verdict_name(Verdict verdict) {
  constexpr std::string_view names[] = {"ok", "warned", "failed", "skipped", "absent"};
  return names[static_cast<size_t>(verdict)];
}

size_t PluginReport::count(Verdict verdict) const {
  return static_cast<size_t>(std::count_if(results.begin(), results.end(),
                                           [&](const CheckResult &result) { return result.verdict == verdict; }));
}

bool Subject::asked(const CheckInfo &check) const {
  const auto named = [&](std::string_view name) {
    return std::find(options.only.begin(), options.only.end(), name) != options.only.end();
  };
  return options.only.empty() || named(check.name) || named(check.phase_name());
}

bool Subject::asked(CheckPhase phase) const {
  const auto checks = all_checks();
  return std::any_of(checks.begin(), checks.end(), [&](const CheckInfo &c) { return c.phase == phase && asked(c); });
}

bool Subject::has_kind(std::string_view kinds) const {
  return std::any_of(manifest.units.begin(), manifest.units.end(), [&](const Unit &unit) {
    return (" " + std::string(kinds) + " ").find(" " + std::string(unit_kind_name(unit.kind)) + " ") !=
           std::string::npos;
  });
}

bool Subject::runs() const {
  const auto checks = all_checks();
  return std::any_of(checks.begin(), checks.end(), [&](const CheckInfo &c) {
    return c.phase != CheckPhase::manifest && c.phase != CheckPhase::terms && asked(c);
  });
}

PluginReport check_plugin(const std::string &folder, const std::vector<Manifest> &found, const CheckOptions &options) {
  PluginReport report;
  report.folder = folder;
  const std::string path = join_path(folder, "htp-plugin.yaml");
  Findings findings;
  Diagnostics reading;
  std::optional<Manifest> own;
  if (auto text = read_file(path, 1u << 20))
    own = read_manifest(std::make_shared<SourceFile>(path, std::move(*text)), reading);
  else
    reading.report(diag::io_unreadable, {}, text.error().path, text.error().reason);
  for (const Diagnostic &d : reading.list())
    if (!findings.take(d)) report.others.push_back(d);
  if (!own) {
    findings.answer({CheckId::readable});
    findings.answer(answered_by_reader(findings));
    judge(findings, nullptr, options, report);
    report.findings = std::move(findings.failed);
    return report;
  }
  own->folder = folder;
  report.id = own->id.value;
  report.version = own->version_text.value;
  Subject subject{*own, {&*own}, options};
  for (const Manifest &m : found)
    if (m.id.value != own->id.value) subject.all.push_back(&m);
  const bool remembers = options.cache && options.cache->enabled();
  const std::string key = remembers ? verdict_key(subject) : ""; // reads all plugins whole
  if (auto known = remembers ? recall(*options.cache, key) : std::nullopt) {
    report.remembered = true;
    findings = std::move(*known);
  } else {
    ask(subject, findings);
    if (remembers && lasting(findings)) options.cache->put(key, to_json(findings).dump());
  }
  judge(findings, &subject, options, report);
  const auto asked = [&](const Finding &f) {
    return std::any_of(report.results.begin(), report.results.end(), [&](const CheckResult &r) {
      return r.check->id == f.check || is_of_loading(check_info(f.check).phase);
    });
  };
  for (Finding &f : findings.failed)
    if (asked(f)) report.findings.push_back(std::move(f));
  return report;
}

} // namespace htp
