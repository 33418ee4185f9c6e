#include "host/base/fs.h"
#include "host/base/suggest.h"
#include "host/check/check.h"
#include "host/cli/command.h"
#include "host/load/discover.h"
#include "host/pipeline/inputs.h"

#include <algorithm>
#include <set>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

Json describe(const CheckInfo &check) {
  return {{"name", check.name},
          {"phase", check.phase_name()},
          {"severity", check.severity == Severity::warning ? "warning" : "error"},
          {"what", check.what}};
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (size_t at = 0, end; at < text.size(); at = end + 1) {
    end = std::min(text.find(' ', at), text.size());
    words.emplace_back(text.substr(at, end - at));
  }
  return words;
}

// Of a check of its own code; the others' are those of their diagnostics.
std::string_view explanation_of(const CheckInfo &check) {
  if (check.codes != "check." + std::string(check.name)) return "";
  for (const DiagInfo &row : host_diagnostics())
    if (row.code == check.codes) return row.explanation;
  return "";
}

int list_checks(const Arguments &arguments, const Diagnostics &diagnostics) {
  std::string text;
  Json list = Json::array();
  std::string_view phase;
  for (const CheckInfo &check : all_checks()) {
    if (check.phase_name() != phase) text += fmt::format("{}{}\n", text.empty() ? "" : "\n", check.phase_name());
    phase = check.phase_name();
    text += fmt::format("  {:<22} {}{}\n", check.name, check.what,
                        check.severity == Severity::warning ? " (a warning)" : "");
    Json row = describe(check);
    row["kinds"] = check.kinds;
    row["codes"] = words_of(check.codes);
    row["explanation"] = explanation_of(check);
    list.push_back(std::move(row));
  }
  text += fmt::format("\n{} checks\n", all_checks().size());
  return finish(arguments, diagnostics, text, Json{{"checks", list}});
}

// Each name of `--only` is a check or a phase.
bool names_known(const std::vector<std::string> &names, Diagnostics &diagnostics) {
  std::vector<std::string> known(check_phases.begin(), check_phases.end());
  for (const CheckInfo &check : all_checks()) known.emplace_back(check.name);
  for (const std::string &name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    Diagnostic &d = diagnostics.report(diag::cli_unknown_check, {}, name);
    const auto near = did_you_mean(name, known);
    d.hint(near.empty() ? "`htp-host plugins check --list` lists them" : "did you mean `" + std::string(near) + "`?");
  }
  return diagnostics.errors() == 0;
}

bool is_profile(const std::string &path) {
  return (path.ends_with(".yaml") || path.ends_with(".yml")) && !path.ends_with("htp-plugin.yaml") && !is_folder(path);
}

// The plugins' folders that a path names, itself or those in it; none after a report.
std::vector<std::string> folders_named(std::string path, Diagnostics &diagnostics) {
  if (path == "htp-plugin.yaml")
    path = ".";
  else if (path.ends_with("/htp-plugin.yaml"))
    path.resize(path.size() - 16);
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  if (exists(join_path(path, "htp-plugin.yaml"))) return {path};
  const auto within = plugin_folders(path);
  if (within && !within->empty()) return *within;
  Diagnostic &d = within ? diagnostics.report(diag::io_unreadable, {}, join_path(path, "htp-plugin.yaml"),
                                              "No such file or directory")
                         : diagnostics.report(diag::io_unreadable, {}, path, within.error().reason);
  if (within || !is_folder(path))
    d.hint("give a plugin's folder, the one that holds its htp-plugin.yaml, a folder of such, or a profile");
  return {};
}

// ", 3 not asked: REASON", with the reason where all have one.
std::string count_of(const PluginReport &report, std::string_view phase, Verdict verdict, const char *verdicts) {
  size_t count = 0;
  std::set<std::string> why;
  for (const CheckResult &r : report.results)
    if (r.check->phase_name() == phase && r.verdict == verdict) ++count, why.insert(r.why);
  if (count == 0) return "";
  return fmt::format(", {} {}{}", count, verdicts, why.size() == 1 ? ": " + *why.begin() : "");
}

// A line for each phase, and beneath it each check that is not simply fine.
std::string text_of(const PluginReport &report) {
  std::string text = fmt::format("{}{}\n", report.id.empty() ? report.folder : report.id,
                                 report.version.empty() ? "" : " " + report.version);
  for (const std::string_view phase : check_phases) {
    std::string lines;
    size_t ok = 0, all = 0;
    for (const CheckResult &r : report.results) {
      if (r.check->phase_name() != phase) continue;
      ++all;
      ok += r.verdict == Verdict::ok;
      if (r.verdict == Verdict::failed || r.verdict == Verdict::warned)
        lines += fmt::format("    {:<8} {:<22} {}\n", r.verdict == Verdict::failed ? "FAILED" : "warning",
                             r.check->name, r.check->what);
    }
    if (all == 0) continue;
    text += fmt::format("  {:<10} {} of {} ok{}{}\n", phase, ok, all,
                        count_of(report, phase, Verdict::skipped, "not asked"),
                        count_of(report, phase, Verdict::absent, "do not apply"));
    text += lines;
  }
  return text;
}

Json json_of(const PluginReport &report) {
  Json checks = Json::array();
  for (const CheckResult &r : report.results) {
    Json check = describe(*r.check);
    check["verdict"] = verdict_name(r.verdict);
    if (!r.why.empty()) check["why"] = r.why;
    Json reasons = Json::array();
    for (const Finding &f : report.findings) {
      if (f.check != r.check->id) continue;
      const Diagnostic &d = f.diagnostic;
      Json reason{{"code", d.code}, {"message", d.message}};
      if (!f.unit.empty()) reason["unit"] = f.unit;
      if (!f.program.empty()) reason["program"] = f.program;
      if (!f.expected.empty()) reason["expected"] = f.expected;
      if (!f.found.empty()) reason["found"] = f.found;
      if (d.span) reason["place"] = {{"file", d.span.file->path}, {"line", d.span.line}, {"column", d.span.col + 1}};
      if (!d.notes.empty()) reason["notes"] = d.notes;
      if (!d.hints.empty()) reason["hints"] = d.hints;
      reasons.push_back(std::move(reason));
    }
    if (!reasons.empty()) check["reasons"] = std::move(reasons);
    checks.push_back(std::move(check));
  }
  return {{"id", report.id},
          {"version", report.version},
          {"folder", report.folder},
          {"remembered", report.remembered},
          {"checks", checks}};
}

// A finding as people read it: what was expected and found are notes.
Diagnostic diagnostic_of(const Finding &f) {
  Diagnostic d = f.diagnostic;
  if (!f.program.empty()) d.note("on the program " + f.program);
  if (!f.expected.empty()) d.note("expected: " + f.expected);
  if (!f.found.empty()) d.note("found: " + f.found);
  return d;
}

} // namespace

int plugins_check_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  if (arguments.list) return list_checks(arguments, diagnostics);
  if (!names_known(arguments.only, diagnostics)) return finish(arguments, diagnostics);
  CompileRequest request = arguments.request;
  std::vector<std::string> folders;
  const auto add = [&](const std::string &folder) {
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  };
  std::vector<std::string> ids; // or what is neither there nor found
  for (const std::string &path : arguments.files) {
    if (!exists(path) && path.find('/') == path.npos && path.find('.') != path.npos && !is_profile(path)) {
      ids.push_back(path);
    } else if (!is_profile(path)) {
      for (const std::string &folder : folders_named(path, diagnostics)) add(folder);
    } else if (request.profile.empty() || request.profile == path) {
      request.profile = path;
    } else {
      diagnostics.report(diag::cli_two_profiles, {}, request.profile, path);
      return finish(arguments, diagnostics, exit_usage, "", nullptr);
    }
  }
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  // What lies beside them is found beside them.
  for (const std::string &path : arguments.files)
    if (is_folder(path) && !exists(join_path(path, "htp-plugin.yaml"))) request.plugin_path.push_back(path);
  request.judged = false; // what is checked runs confined, whoever it is of
  Diagnostics gathering;  // a manifest that cannot be read is not left out here: it is what is asked about
  const std::optional<Inputs> inputs = gather(request, false, gathering);
  if (!inputs) return finish(arguments, gathering);
  for (const std::string &id : ids) {
    const size_t before = folders.size();
    for (const Manifest &manifest : inputs->manifests)
      if (manifest.id == id) add(manifest.folder);
    for (const BrokenManifest &broken : inputs->broken)
      if (broken.manifest.id == id) add(broken.manifest.folder);
    if (folders.size() == before) folders_named(id, diagnostics);
  }
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  if (folders.empty()) {
    for (const std::string &search : inputs->search)
      if (const auto found = plugin_folders(search))
        for (const std::string &folder : *found) add(folder);
    for (const Diagnostic &d : gathering.list())
      if (d.code == diag::load_no_folder.code || d.code == diag::io_unreadable.code) diagnostics.add(d);
  }

  CheckOptions options;
  options.only = arguments.only;
  options.seed = arguments.reproduce;
  options.load = LoadOptions::from_environment();
  Cache cache = Cache::from_environment();
  options.cache = &cache;
  const auto line = progress_line(arguments);

  std::string text;
  Json list = Json::array();
  size_t ok = 0, failed = 0, warned = 0, bad = 0, untried = 0;
  for (size_t i = 0; i < folders.size(); ++i) {
    if (line)
      options.progress = [&](double fraction, std::string_view what) {
        line((static_cast<double>(i) + fraction) / static_cast<double>(folders.size()), what);
      };
    const PluginReport report = check_plugin(folders[i], inputs->manifests, options);
    for (const Diagnostic &d : report.others) diagnostics.add(d);
    for (const Finding &f : report.findings) diagnostics.add(diagnostic_of(f));
    ok += report.count(Verdict::ok);
    failed += report.count(Verdict::failed);
    warned += report.count(Verdict::warned);
    bad += report.count(Verdict::failed) != 0;
    untried += std::any_of(report.results.begin(), report.results.end(), [](const CheckResult &r) {
      return r.check->id == CheckId::examples_named && r.verdict == Verdict::warned;
    });
    text += text_of(report);
    list.push_back(json_of(report));
  }
  if (folders.empty()) text += "no plugins found\n";
  const bool all = arguments.only.empty() && !arguments.reproduce;
  text += fmt::format(
      "{} plugin{}, {}: {} checks ok, {} failed, {} warned{}\n", folders.size(), folders.size() == 1 ? "" : "s",
      all ? fmt::format("{} of them fit for use", folders.size() - bad) : "looked at in part", ok, failed, warned,
      all && untried ? fmt::format("; {} without an example that tries it", untried) : "");
  const int code = failed != 0 ? exit_code_of(diagnostics) : exit_done;
  return finish(arguments, diagnostics, code, text,
                Json{{"plugins", list}, {"ok", ok}, {"failed", failed}, {"warned", warned}});
}

} // namespace htp
