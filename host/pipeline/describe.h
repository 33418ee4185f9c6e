// host/pipeline/describe.h — a finished compile as its package's manifest.
#pragma once

#include "host/package/manifest.h"
#include "host/pipeline/inputs.h"
#include "host/pipeline/run.h"

namespace htp {

PackageManifest describe(const Inputs &inputs, const Resolution &resolution, const Request &request,
                         const std::vector<LoadedPlugin> &plugins, const PassPlan &plan, const StageRun &run,
                         const htp_ctx &ctx, const std::vector<InputFile> &files);

// The SHA-256 over a plugin's Python files, by path and content; empty when it has none. Each file read goes to
// `files`.
std::string python_digest(const Manifest &manifest, std::vector<InputFile> *files);

} // namespace htp
