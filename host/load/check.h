// host/load/check.h — everything that can be said about one plugin without using it: what `htp-host plugins check`
// prints, and adds to.
#pragma once

#include "host/load/plugin.h"

#include <optional>

namespace htp {

struct Check {
  std::string name; // "file", "elf", "probe", "abi", …: a row of host/load/checks.def
  std::string what; // what it asks, one line
  enum class Verdict { ok, failed, skipped } verdict; // skipped: an earlier one failed
};

struct CheckReport {
  std::vector<Check> checks;
  std::optional<LoadedPlugin> plugin; // when all of them are ok
  bool ok() const;
};

// The diagnostics say why a check failed.
CheckReport check_plugin(const Manifest &manifest, const LoadOptions &options, Diagnostics &diagnostics);

} // namespace htp
