#include "host/pipeline/remake.h"

#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/pipeline/compile.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

// What the package's log says of its compile; a log that is gone or damaged says nothing.
CompileRequest logged(const Package &package) {
  CompileRequest request;
  const auto text = read_file(join_path(package.folder, "logs/sources.json"), package_manifest_limit);
  const Json log = text ? Json::parse(*text, nullptr, false) : Json();
  if (!log.is_object()) return request;
  try {
    request.profile = log.value("profile", "");
    request.plugin_path = log.value("plugin_path", std::vector<std::string>());
  } catch (const Json::exception &) {
    return {};
  }
  return request;
}

} // namespace

CompileRequest request_of(const Package &package, const CompileRequest &asked) {
  CompileRequest request = logged(package);
  if (!asked.profile.empty()) request.profile = asked.profile;
  if (!asked.plugin_path.empty()) request.plugin_path = asked.plugin_path;
  request.named = !asked.profile.empty(); // what a log names, nobody did
  request.progress = asked.progress;
  request.cancel = asked.cancel;
  return request;
}

std::string other_compile(const PackageManifest &package, const PackageManifest &made) {
  if (made.target.backend != package.target.backend) return "the profile's target is `" + made.target.backend + "`";
  for (const PackageManifest::Plugin &plugin : package.plugins)
    for (const PackageManifest::Plugin &now : made.plugins)
      if (now.id == plugin.id &&
          (now.manifest_sha256 != plugin.manifest_sha256 || now.library_sha256 != plugin.library_sha256 ||
           (now.python ? now.python->sha256 : "") != (plugin.python ? plugin.python->sha256 : "")))
        return "plugin `" + plugin.id + "` is not the one that it was compiled with";
  const auto same_pass = [](const PackageManifest::Pass &a, const PackageManifest::Pass &b) {
    return a.name == b.name && a.plugin == b.plugin && a.options == b.options;
  };
  if (!std::equal(package.plan.passes.begin(), package.plan.passes.end(), made.plan.passes.begin(),
                  made.plan.passes.end(), same_pass))
    return "other passes are planned now, or the same with other options";
  for (const PackageManifest::Stage &kept : package.stages)
    if (std::none_of(made.stages.begin(), made.stages.end(),
                     [&](const auto &stage) { return stage.path == kept.path && stage.sha256 == kept.sha256; }))
      return "the stage `" + kept.id + "-" + kept.pass + "` came out otherwise";
  return "";
}

std::string program_of(const Package &package) {
  const auto text = read_file(join_path(package.folder, "logs/sources.json"), package_manifest_limit);
  const Json log = text ? Json::parse(*text, nullptr, false) : Json();
  const auto folder = log.is_object() ? log.find("folder") : log.end();
  if (!log.is_object() || folder == log.end() || !folder->is_string()) return "";
  std::string program;
  for (const PackageManifest::Input &input : package.manifest.inputs) {
    if (input.role != "program" && input.role != "import") continue;
    const std::string path = join_path(folder->get<std::string>(), input.path);
    const auto bytes = read_file(path, package_file_limit);
    if (!bytes || sha256(*bytes) != input.sha256) return "";
    if (input.role == "program") program = path;
  }
  return program;
}

std::optional<Package> compiled_again(const Package &package, const CompileRequest &asked, const std::string &program,
                                      Cache &cache, std::optional<Diagnostic> &lost) {
  lost.reset();
  CompileRequest request = request_of(package, asked);
  if (request.profile.empty()) {
    lost = Diagnostic{};
    lost->message = "its log does not say by which profile it was compiled";
    lost->hint("give the profile: `--plugins PROFILE.yaml`");
    return std::nullopt;
  }
  const std::string &first = package.manifest.stages.front().path;
  if (program.empty()) {
    request.from_stage = join_path(package.folder, first.substr(0, first.rfind('/')));
  } else {
    request.program = program;
    request.entry = package.manifest.identity.entry;
    request.set = package.manifest.identity.set;
  }
  request.out = asked.out;
  request.stages = asked.stages;
  request.verify_each = true;
  Diagnostics said;
  const CompileOutcome outcome = compile(request, cache, said);
  if (outcome.status == CompileOutcome::Status::cancelled) return std::nullopt;
  std::optional<Package> made;
  if (outcome.status == CompileOutcome::Status::done) made = read_package(outcome.package, said);
  if (made) return made;
  lost = Diagnostic{};
  lost->message = "`" + request.profile + "` does not compile its " + (program.empty() ? "first stage" : "program");
  for (const Diagnostic &why : said.list())
    if (is_error(why.severity)) {
      lost->note(why.code + ": " + why.message);
      for (const std::string &hint : why.hints) lost->note(hint);
    }
  lost->hint("give a profile for it: `--plugins PROFILE.yaml`");
  return std::nullopt;
}

std::optional<Package> with_all_stages(Package package, const CompileRequest &asked, Cache &cache,
                                       Diagnostics &diagnostics) {
  if (package.manifest.stages_kept != "last") return package;
  const auto temporary = TemporaryFolder::make();
  if (!temporary) {
    diagnostics.report(diag::io_unwritable, {}, temporary.error().path, temporary.error().reason);
    return std::nullopt;
  }
  std::optional<Diagnostic> lost;
  CompileRequest request = asked;
  request.out = join_path(temporary->path(), "again");
  request.stages = "changed";
  auto made = compiled_again(package, request, "", cache, lost);
  if (!made && !lost) return std::nullopt;
  if (made)
    if (const std::string why = other_compile(package.manifest, made->manifest); !why.empty()) {
      lost = Diagnostic{};
      lost->message = why;
      lost->hint("compile the program again, with `--stages changed` to keep every stage");
    }
  if (lost) {
    Diagnostic &d = diagnostics.report(diag::pipeline_stages_lost, {}, package.folder, lost->message);
    for (const std::string &note : lost->notes) d.note(note);
    for (const std::string &hint : lost->hints) d.hint(hint);
    return std::nullopt;
  }
  package.manifest.stages = std::move(made->manifest.stages);
  for (auto &[path, bytes] : made->files)
    if (path.starts_with("ir/stages/")) package.files.try_emplace(path, std::move(bytes));
  return package;
}

bool report_left_out(const std::string &folder, Diagnostics &diagnostics) {
  const size_t in = folder.rfind("/ir/stages/");
  if (in == std::string::npos || exists(folder)) return false;
  const std::string package = folder.substr(0, in), stage = folder.substr(in + 11);
  const auto text = read_file(join_path(package, "manifest.json"), package_manifest_limit);
  Diagnostics unread;
  const auto manifest = text ? package_manifest_from_json(*text, package, unread) : std::nullopt;
  if (!manifest || manifest->stages_kept != "last") return false;
  diagnostics.report(diag::pipeline_stage_left_out, {}, package, stage)
      .hint("`htp-host stages " + shell_word(package) + " " + shell_word(stage) + " > program.py` makes it again");
  return true;
}

} // namespace htp
