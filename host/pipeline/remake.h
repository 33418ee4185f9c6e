// host/pipeline/remake.h — the stages that a package leaves out (`--stages last`), made again.
#pragma once

#include "host/base/cache.h"
#include "host/package/reader.h"
#include "host/pipeline/inputs.h"

namespace htp {

// The package with all of its stages. Those it leaves out are compiled again, in a temporary folder, from its first
// stage: by the profile and with the plugin path that are asked for, or those that its log has. They count only when
// the plugins, the passes and the stages that it keeps are the same, by their digests. Nothing after a
// report, or when it was cancelled.
std::optional<Package> with_all_stages(Package package, const CompileRequest &asked, Cache &cache,
                                       Diagnostics &diagnostics);

// Whether `folder`, OUT/ir/stages/NN-pass, is that of a stage that the package OUT leaves out; reported.
bool report_left_out(const std::string &folder, Diagnostics &diagnostics);

} // namespace htp
