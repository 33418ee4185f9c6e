// host/check/check.h — everything that can be said about a plugin: what `htp-host plugins check` does. Foreign code
// runs in child processes alone.
#pragma once

#include "host/base/cache.h"
#include "host/check/finding.h"
#include "host/load/plugin.h"

#include <chrono>
#include <functional>
#include <optional>

namespace htp {

struct CheckOptions {
  std::vector<std::string> only;         // names of checks and phases; empty: all. What those need is looked at too
  std::optional<uint64_t> seed;          // replays the one made-up case that was reported with it
  std::chrono::milliseconds time{20000}; // for one check, without a sign of life
  LoadOptions load;
  Cache *cache = nullptr; // remembers verdicts, failures with their reasons; null: none
  std::function<void(double, std::string_view)> progress;
};

enum class Verdict : uint8_t {
  ok,
  warned,
  failed,
  skipped, // not asked: what it needs failed, or came to no end
  absent   // there is nothing that it could be asked of
};
std::string_view verdict_name(Verdict verdict);

struct CheckResult {
  const CheckInfo *check;
  Verdict verdict;
  std::string why; // skipped, absent
};

struct PluginReport {
  std::string folder, id, version;  // id and version as far as the manifest could be read
  std::vector<CheckResult> results; // of the checks asked for, in the table's order
  std::vector<Finding> findings;
  std::vector<Diagnostic> others; // diagnostics that fail no check: warnings
  bool remembered = false;        // from the cache
  size_t count(Verdict verdict) const;
};

// Checks the plugin in `folder` beside the plugins in `found`, of which those with its id do not count.
PluginReport check_plugin(const std::string &folder, const std::vector<Manifest> &found, const CheckOptions &options);

} // namespace htp
