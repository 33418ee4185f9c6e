// host/pipeline/compile.h — the way through: profile → manifests → parse → needs → resolve → load → plan → passes →
// emit → package.
#pragma once

#include "host/base/cache.h"
#include "host/load/plugin.h"
#include "host/package/writer.h"
#include "host/pipeline/inputs.h"
#include "host/pipeline/run.h"
#include "host/resolve/planner.h"

#include <memory>

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
  bool planned = false;
  std::string text; // for people, of a plan; or, for programs, `json`: of the plan, or of the conflicts that leave none
};
// `json`: the text is for programs. It is empty when it did not come so far.
Planned plan(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics, bool json);

// What the profile, with its program when it names one, resolves to. Loads nothing.
struct Resolved {
  Inputs inputs;
  Request request;
  Resolution resolution; // points into `inputs`
};
std::optional<Resolved> resolve_profile(const CompileRequest &request, Diagnostics &diagnostics);

// Loads all plugins found, for what needs no program: `ops`, `plugins show`, `explain`.
struct LoadedSet {
  Inputs inputs;
  std::vector<LoadedPlugin> plugins;
};
std::optional<LoadedSet> load_set(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics);

} // namespace htp
