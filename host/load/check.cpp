#include "host/load/check.h"

#include "host/load/loader.h"

#include <algorithm>

namespace htp {

bool CheckReport::ok() const {
  return std::all_of(checks.begin(), checks.end(), [](const Check &c) { return c.verdict == Check::Verdict::ok; });
}

CheckReport check_plugin(const Manifest &manifest, const LoadOptions &options, Diagnostics &diagnostics) {
  const Manifest *const one[] = {&manifest};
  LoadResult loaded = std::move(PluginLoader::run(one, options, diagnostics).front());
  const auto failed = loaded.failed;
  CheckReport report;
  report.plugin = std::move(loaded.plugin);
  for (size_t i = 0; i < std::size(load_steps); ++i) {
    const LoadStepInfo &step = load_steps[i];
    auto verdict = Check::Verdict::ok;
    if (failed && i >= static_cast<size_t>(*failed))
      verdict = i == static_cast<size_t>(*failed) ? Check::Verdict::failed : Check::Verdict::skipped;
    report.checks.push_back({std::string(step.name), std::string(step.what), verdict});
  }
  return report;
}

} // namespace htp
