// host/pipeline/describe.h — a finished compile as its package's manifest.
#pragma once

#include "host/package/manifest.h"
#include "host/pipeline/inputs.h"
#include "host/pipeline/run.h"

namespace htp {

PackageManifest describe(const Inputs &inputs, const Resolution &resolution, const Request &request,
                         const std::vector<LoadedPlugin> &plugins, const std::vector<PythonFiles> &python,
                         const PassPlan &plan, const StageRun &run, const htp_ctx &ctx,
                         const std::vector<InputFile> &files);

} // namespace htp
