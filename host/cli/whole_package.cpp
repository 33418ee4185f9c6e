#include "host/cli/whole_package.h"

namespace htp {

std::optional<WholePackage> read_whole(const std::string &folder, const CompileRequest &asked,
                                       Diagnostics &diagnostics) {
  auto package = read_package(folder, diagnostics);
  if (!package) return std::nullopt;
  WholePackage whole{std::move(*package), absolute_path(folder), std::nullopt};
  if (whole.package.manifest.stages_kept != "last") return whole;
  Cache cache = Cache::from_environment();
  auto all = with_all_stages(std::move(whole.package), asked, cache, diagnostics);
  if (!all) return std::nullopt;
  whole.package = std::move(*all);
  auto written = folder_of_stages(whole.package, false, diagnostics);
  if (!written) return std::nullopt;
  whole.stages = std::move(written->path);
  whole.temporary = std::move(written->temporary);
  return whole;
}

std::optional<StagesFolder> folder_of_stages(const Package &package, bool kept, Diagnostics &diagnostics) {
  if (kept) return StagesFolder{absolute_path(package.folder), std::nullopt};
  auto temporary = TemporaryFolder::make();
  if (!temporary) {
    diagnostics.report(diag::io_unwritable, {}, temporary.error().path, temporary.error().reason);
    return std::nullopt;
  }
  for (const auto &[path, bytes] : package.files)
    if (path.starts_with("ir/")) {
      const std::string to = join_path(temporary->path(), path);
      make_folders(to.substr(0, to.rfind('/')));
      if (const auto failed = write_file_atomic(to, bytes)) {
        diagnostics.report(diag::io_unwritable, {}, failed->path, failed->reason);
        return std::nullopt;
      }
    }
  std::string path = temporary->path();
  return StagesFolder{std::move(path), std::move(*temporary)};
}

const PackageManifest::Stage *find_kept(const Package &package, const std::string &name) {
  for (const auto &stage : package.manifest.stages)
    if (name == stage.id || name == stage.pass || name == stage.id + "-" + stage.pass ||
        (name.size() == 1 && "0" + name == stage.id))
      return &stage;
  return nullptr;
}

const PackageManifest::Stage *find_stage(const Package &package, const std::string &name) {
  if (const auto *stage = find_kept(package, name)) return stage;
  const auto &stages = package.manifest.stages;
  size_t current = 0;
  for (const auto &pass : package.manifest.plan.passes) {
    if (current + 1 < stages.size() && stages[current + 1].pass == pass.name) ++current;
    if (pass.name == name && !stages.empty()) return &stages[current];
  }
  return nullptr;
}

void report_unknown_stage(const Package &package, const std::string &name, Diagnostics &diagnostics) {
  std::string known;
  for (const auto &s : package.manifest.stages) known += (known.empty() ? "" : ", ") + s.id + "-" + s.pass;
  diagnostics.report(diag::cli_unknown_stage, {}, name).hint("it has: " + known);
}

} // namespace htp
