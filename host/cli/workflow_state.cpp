#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/process.h"
#include "host/cli/command.h"
#include "host/diag/utf8.h"
#include "host/package/reader.h"
#include "host/pipeline/remake.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace htp {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// The packages in a folder, and in the folders in it, in the order of their names. What is in a package is its own.
std::vector<std::string> packages_in(const std::string &folder) {
  if (exists(join_path(folder, "manifest.json"))) return {folder};
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end && !interrupted; at.increment(error)) {
    std::error_code none;
    if (!at->is_directory(none)) continue;
    const bool package = exists(join_path(at->path().string(), "manifest.json"));
    if (package) found.push_back(at->path().string());
    if (package || at.depth() > 8) at.disable_recursion_pending();
  }
  std::sort(found.begin(), found.end());
  return found;
}

struct Reason {
  std::string kind, what, how; // "source", "program.py", "has changed"
};

std::optional<std::string> digest_of_file(const std::string &path) {
  const auto bytes = read_file(path, package_file_limit);
  return bytes ? std::optional(sha256(*bytes)) : std::nullopt;
}

// What `promote-plan` keeps beside a package: of it as it is, or as it was.
Json evidence_of(const std::string &folder, const std::string &digest) {
  Json rows = Json::array();
  const auto files = list_folder(folder + ".evidence");
  for (const FolderEntry &file : files ? *files : std::vector<FolderEntry>()) {
    if (!file.name.ends_with(".json")) continue;
    const auto text = read_file(join_path(folder + ".evidence", file.name), 1u << 20);
    const Json json = text ? Json::parse(*text, nullptr, false) : Json();
    if (!json.is_object() || !json.value("b", Json()).is_string()) continue;
    rows.push_back({{"what", file.name.substr(0, file.name.size() - 5)},
                    {"state", json["b"].get<std::string>() == digest ? "there" : "stale"}});
  }
  return rows;
}

// Of git what it says of a folder, with nothing of the folder's own run but what `filters` finds, and nothing written.
Expected<ProcessResult, std::string> git_says(const std::string &folder, std::initializer_list<std::string> words) {
  ProcessRequest request;
  request.argv = {"git", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"};
  request.argv.insert(request.argv.end(), words);
  request.environment.emplace();
  for (char **one = ::environ; *one; ++one) request.environment->emplace_back(*one);
  request.environment->emplace_back("GIT_OPTIONAL_LOCKS=0");
  request.timeout = std::chrono::seconds(20);
  return run_process(request);
}

// Whether a repository names programs of its own that git puts files through.
bool has_filters(const std::string &folder) {
  const auto found =
      git_says(folder, {"config", "--show-scope", "--name-only", "--get-regexp", R"(^filter\..*\.(clean|process)$)"});
  return !found || found->exit_status > 1 || found->out.starts_with("local") || found->out.starts_with("worktree") ||
         found->out.find("\nlocal") != std::string::npos || found->out.find("\nworktree") != std::string::npos;
}

// What git says of a folder: lines of `git status --porcelain`; null where git has no part in it, or would run what the
// repository names.
Json changed_in_git(const std::string &folder) {
  if (has_filters(folder)) return nullptr;
  const auto done = git_says(folder, {"status", "--porcelain", "--ignore-submodules=all", "--", "."});
  if (!done || done->exit_status != 0) return nullptr;
  Json lines = Json::array();
  std::string_view rest = done->out;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    lines.push_back(std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return lines;
}

// What it was compiled from, where its log says that that stood.
void compare_sources(const Package &package, std::vector<Reason> &reasons) {
  const auto text = read_file(join_path(package.folder, "logs/sources.json"), package_manifest_limit);
  const Json log = text ? Json::parse(*text, nullptr, false) : Json();
  if (!log.is_object() || !log.contains("folder") || !log["folder"].is_string()) {
    reasons.push_back({"source", "", "its log does not say where its program stood"});
    return;
  }
  for (const PackageManifest::Input &input : package.manifest.inputs) {
    std::string path = join_path(log["folder"].get<std::string>(), input.path);
    if (input.role == "profile" && log.contains("profile") && log["profile"].is_string())
      path = log["profile"].get<std::string>();
    else if (input.role != "program" && input.role != "import")
      continue;
    const auto now = digest_of_file(path);
    if (!now || *now != input.sha256)
      reasons.push_back({input.role == "profile" ? "profile" : "source", path, now ? "has changed" : "is gone"});
  }
}

void compare_plugins(const Package &package, const Inputs &inputs, std::vector<Reason> &reasons) {
  for (const PackageManifest::Plugin &plugin : package.manifest.plugins) {
    const auto found = std::find_if(inputs.manifests.begin(), inputs.manifests.end(),
                                    [&](const Manifest &manifest) { return manifest.id.value == plugin.id; });
    if (found == inputs.manifests.end()) {
      reasons.push_back({"plugin", plugin.id, "is not found"});
      continue;
    }
    const std::string library =
        found->library.value.empty()
            ? ""
            : digest_of_file(join_path(found->folder.empty() ? "." : found->folder, found->library.value)).value_or("");
    if (sha256(found->source->text) != plugin.manifest_sha256 || library != plugin.library_sha256)
      reasons.push_back({"plugin", plugin.id,
                         found->version_text.value == plugin.version
                             ? "is another build of " + plugin.version
                             : "is " + found->version_text.value + " now, and was " + plugin.version});
  }
}

// The files that are not as the manifest lists them. An edited stage is one to go on from.
void compare_files(const Package &package, std::vector<Reason> &reasons) {
  for (const PackageManifest::Output &output : package.manifest.outputs) {
    const auto now = digest_of_file(join_path(package.folder, output.path));
    if (now && *now == output.sha256) continue;
    const bool stage = output.path.starts_with("ir/stages/") && output.path.ends_with("/program.py");
    reasons.push_back({stage && now ? "edit" : "file", output.path, now ? "has changed" : "is gone"});
  }
}

Json row_of(const std::string &folder, const Arguments &arguments) {
  Package package;
  package.folder = folder;
  Diagnostics said;
  const auto text = read_file(join_path(folder, "manifest.json"), package_manifest_limit);
  auto manifest = text ? package_manifest_from_json(*text, folder, said) : std::nullopt;
  if (!manifest) return nullptr; // another manifest.json
  package.manifest = std::move(*manifest);
  std::vector<Reason> reasons;
  compare_files(package, reasons);
  compare_sources(package, reasons);
  CompileRequest request = request_of(package, arguments.request);
  request.judged = false; // what is found is looked at, and nothing of it runs
  Diagnostics none;
  if (!request.profile.empty() && !exists(request.profile)) request.profile.clear();
  if (const auto inputs = gather(request, false, none))
    compare_plugins(package, *inputs, reasons);
  else
    reasons.push_back({"profile", request.profile, "is not read: " + none.list().front().message});
  const auto has = [&](const char *kind) {
    return std::any_of(reasons.begin(), reasons.end(), [&](const Reason &r) { return r.kind == kind; });
  };
  const std::string state = has("file") ? "damaged" : has("edit") ? "edited" : !reasons.empty() ? "stale" : "fresh";
  const PackageManifest::Stage &first = package.manifest.stages.front();
  Json row{{"package", folder.starts_with("./") ? folder.substr(2) : folder},
           {"digest", sha256(*text)},
           {"entry", package.manifest.identity.entry},
           {"target", package.manifest.target.backend},
           {"state", state},
           {"from_stage", first.pass == "source" ? "" : first.id + "-" + first.pass},
           {"reasons", Json::array()}};
  row["evidence"] = evidence_of(folder, sha256(*text));
  for (const Reason &reason : reasons)
    row["reasons"].push_back({{"kind", reason.kind}, {"what", reason.what}, {"how", reason.how}});
  return row;
}

} // namespace

int workflow_state_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  const std::string folder = arguments.name.empty() ? "." : arguments.name;
  if (!is_folder(folder)) {
    diagnostics.report(diag::io_unreadable, {}, folder, "it is no folder");
    return finish(arguments, diagnostics);
  }
  Json rows = Json::array();
  std::string text;
  for (const std::string &package : packages_in(folder)) {
    const Json row = row_of(package, arguments);
    if (interrupted) return finish_cancelled(arguments);
    if (row.is_null()) continue;
    text += fmt::format("{}: {}\n", printable(row["package"].get<std::string>()), row["state"].get<std::string>());
    for (const Json &reason : row["reasons"]) {
      const std::string what = printable(reason["what"].get<std::string>());
      text += fmt::format("  {}{}{}\n", what, what.empty() ? "" : " ", printable(reason["how"].get<std::string>()));
    }
    for (const Json &one : row["evidence"])
      text += fmt::format("  evidence {} is {}\n", printable(one["what"].get<std::string>()),
                          one["state"] == "there" ? "there" : "of what it was");
    rows.push_back(row);
  }
  const Json git = changed_in_git(folder);
  if (interrupted) return finish_cancelled(arguments);
  if (git.is_array() && !git.empty()) text += fmt::format("git: {} changed, as `git status` lists\n", git.size());
  if (rows.empty()) text = "no packages in " + printable(folder) + "\n";
  return finish(arguments, diagnostics, arguments.quiet ? "" : text,
                Json{{"folder", folder}, {"packages", rows}, {"git", git}});
}

} // namespace htp
