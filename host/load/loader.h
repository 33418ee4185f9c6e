// host/load/loader.h — the way in, with the step at which each plugin failed; load_plugins and check_plugin both go it.
#pragma once

#include "host/load/plugin.h"
#include "host/load/step.h"

#include <optional>

namespace htp {

struct LoadResult {
  std::optional<LoadedPlugin> plugin;
  std::optional<LoadStep> failed;
};

struct PluginLoader {
  // A result for each manifest, in order.
  static std::vector<LoadResult> run(std::span<const Manifest *const> manifests, const LoadOptions &options,
                                     Diagnostics &diagnostics);
};

} // namespace htp
