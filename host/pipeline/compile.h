// host/pipeline/compile.h — the way through: profile → manifests → parse → needs → resolve → load → plan → passes →
// emit → package.
#pragma once

#include "host/base/cache.h"
#include "host/load/plugin.h"
#include "host/pipeline/inputs.h"
#include "host/resolve/planner.h"

namespace htp {

struct CompileOutcome {
  enum class Status { done, refused, failed, cancelled } status = Status::refused;
  std::string package;                                 // the folder
  std::string digest;                                  // sha256 of its manifest.json
  bool changed = false;                                // false: OUT held this package already, and nothing was touched
  bool cached = false;                                 // true: nothing was compiled
  std::vector<std::pair<std::string, double>> seconds; // phase or pass → time
};

CompileOutcome compile(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics);

// What `htp-host plan` shows: resolution and pass order, and why. Compiles nothing.
struct Planned {
  std::string text, json;
};
std::optional<Planned> plan(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics);

// Loads all plugins found, for what needs no program: `ops`, `plugins show`, `explain`.
struct LoadedSet {
  Inputs inputs;
  std::vector<LoadedPlugin> plugins;
};
std::optional<LoadedSet> load_set(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics);

} // namespace htp
