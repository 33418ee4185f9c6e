// host/cli/whole_package.h — a package with all of its stages, for commands that look at them.
#pragma once

#include "host/base/fs.h"
#include "host/pipeline/remake.h"

#include <optional>
#include <string>

namespace htp {

// A package, and a folder with all of its stages: its own, or one that they were written to.
struct WholePackage {
  Package package;
  std::string stages; // absolute
  std::optional<TemporaryFolder> temporary;
};

// Nothing after a report, or when it was cancelled.
std::optional<WholePackage> read_whole(const std::string &folder, const CompileRequest &asked,
                                       Diagnostics &diagnostics);

// A folder with the stages of a package that was read: its own where that keeps all of them, else a temporary one.
// Nothing after a report.
struct StagesFolder {
  std::string path; // absolute
  std::optional<TemporaryFolder> temporary;
};
std::optional<StagesFolder> folder_of_stages(const Package &package, bool kept, Diagnostics &diagnostics);

// The stage of that number, pass or both ("03", "tile.infer", "03-tile.infer") among those that the package keeps.
const PackageManifest::Stage *find_kept(const Package &package, const std::string &name);
// In a package with all of its stages: a pass that changed nothing left none, and the one that it was given is meant.
const PackageManifest::Stage *find_stage(const Package &package, const std::string &name);
// Reports a stage that there is not, with those that there are.
void report_unknown_stage(const Package &package, const std::string &name, Diagnostics &diagnostics);

} // namespace htp
