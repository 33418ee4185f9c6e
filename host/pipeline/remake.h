// host/pipeline/remake.h — a package's compile, once more.
#pragma once

#include "host/base/cache.h"
#include "host/package/reader.h"
#include "host/pipeline/inputs.h"

namespace htp {

// What a package's compile is asked for again: by the profile and with the plugin path that are asked for, or those
// that its log has. A profile that nobody named counts as one that was found.
CompileRequest request_of(const Package &package, const CompileRequest &asked);

// The program that the package was compiled from, where its log says that it stood; empty when it, or what it imports,
// is not there any more as it was.
std::string program_of(const Package &package);

// The package compiled again, into the folder asked.out, with the stages that asked.stages says: from `program`, or,
// where that is empty, from its first stage. Each stage is read back, and what it says of itself is verified. `lost`
// says why there is none; it is empty when the compile was cancelled.
std::optional<Package> compiled_again(const Package &package, const CompileRequest &asked, const std::string &program,
                                      Cache &cache, std::optional<Diagnostic> &lost);

// The package with all of its stages. Those it leaves out (`--stages last`) are made again in a temporary folder. They
// count only when the plugins, the passes and the stages that it keeps are the same, by their digests. Nothing after a
// report, or when it was cancelled.
std::optional<Package> with_all_stages(Package package, const CompileRequest &asked, Cache &cache,
                                       Diagnostics &diagnostics);

// Why `made`, compiled again, is not the package's compile: another target, other plugins, passes or stages. Empty when
// it is.
std::string other_compile(const PackageManifest &package, const PackageManifest &made);

// Whether `folder`, OUT/ir/stages/NN-pass, is that of a stage that the package OUT leaves out; reported.
bool report_left_out(const std::string &folder, Diagnostics &diagnostics);

} // namespace htp
