#include "host/base/fs.h"
#include "host/cli/command.h"
#include "host/pipeline/lock.h"

#include <algorithm>

namespace htp {

namespace {

// Every plugin id that was found, in the version that the profile resolves to, or else in the one that comes first.
std::vector<const Manifest *> to_lock(const Resolved &resolved) {
  std::map<std::string, const Manifest *> by_id;
  for (const ChosenPlugin &plugin : resolved.resolution.plugins)
    if (plugin.manifest != &sdk_manifest()) by_id[plugin.manifest->id.value] = plugin.manifest;
  Universe universe = resolved.inputs.universe();
  std::stable_sort(universe.plugins.begin(), universe.plugins.end(), [](const Candidate &a, const Candidate &b) {
    return a.folder != b.folder ? a.folder < b.folder : a.manifest->version > b.manifest->version;
  });
  for (const Candidate &candidate : universe.plugins)
    if (candidate.rejected.empty()) by_id.try_emplace(candidate.manifest->id.value, candidate.manifest);
  std::vector<const Manifest *> manifests;
  for (const auto &[id, manifest] : by_id) manifests.push_back(manifest);
  return manifests;
}

} // namespace

int plugins_lock_command(const Arguments &arguments) {
  Diagnostics diagnostics;
  CompileRequest request = arguments.request;
  if (!arguments.name.empty()) request.profile = profile_file(arguments.name);
  if (request.profile.empty()) {
    diagnostics.report(diag::cli_no_profile, {}, "what is locked is what a profile resolves to")
        .hint("htp-host plugins lock PROFILE.yaml");
    return finish(arguments, diagnostics);
  }
  if (arguments.output.empty() && comes_with_htp(request.profile)) {
    diagnostics.report(diag::cli_lock_of_htp, {}, request.profile)
        .hint("lock a copy: `cp " + shell_word(request.profile) + " .`");
    return finish(arguments, diagnostics);
  }
  const auto resolved = resolve_profile(request, diagnostics);
  if (!resolved) return finish(arguments, diagnostics);
  const Lock lock = lock_of(to_lock(*resolved), diagnostics);
  if (diagnostics.errors()) return finish(arguments, diagnostics);
  const std::string path = arguments.output.empty() ? lock_path(request.profile) : arguments.output;
  const std::string text = lock_text(lock);
  const auto before = read_file(path);
  const bool changed = !before || *before != text;
  if (changed)
    if (const auto failed = write_file_atomic(path, text)) {
      diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
      return finish(arguments, diagnostics);
    }
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Lock::Plugin &plugin : lock.plugins)
    list.push_back({{"id", plugin.name.value}, {"version", plugin.version_text.value}});
  return finish(arguments, diagnostics, arguments.quiet ? "" : path + (changed ? "\n" : " is up to date\n"),
                {{"lock", path}, {"changed", changed}, {"plugins", list}});
}

} // namespace htp
