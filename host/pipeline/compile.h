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

// What the target's cost model (`Cost.Model(target=…)`) says of a program's last stage.
struct Estimate {
  std::string by; // the analysis; empty: the target has no model
  double seconds = 0;
};
// Compiles to the last stage, with these sizes of dimensions. Publishes nothing; nothing after a report.
std::optional<Estimate> estimate(CompileRequest request, const std::map<std::string, int64_t> &sizes, Cache &cache,
                                 Diagnostics &diagnostics);

// A compile kept open, as far as it came: what `plugins check` tries a plugin's units on. Publishes nothing.
class Compilation {
public:
  // With `inputs` as gathered, their target and program chosen. Null when there is not even a plan; else the passes ran
  // until one failed, which the diagnostics tell.
  static std::unique_ptr<Compilation> run(Inputs inputs, const CompileRequest &request, Cache &cache,
                                          Diagnostics &diagnostics);
  ~Compilation();

  Store &store() const;
  const Resolution &resolution() const;
  const Registry &registry() const;
  const ContextSettings &settings() const;
  const StageRun &ran() const;
  htp_node last() const; // the last stage as the backend reads it; 0 when a pass failed
  // The package that the last stage gives; nothing after a report.
  std::optional<PackageDraft> emit(Diagnostics &diagnostics);
  // By the loaded unit that provides a cost model for the target.
  std::optional<Estimate> estimate(const std::map<std::string, int64_t> &sizes, Diagnostics &diagnostics);

private:
  struct State;
  explicit Compilation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What `htp-host plan` shows: resolution and pass order, and why. Compiles nothing.
struct Planned {
  bool planned = false;
  std::string text, json; // json: of the plan, or of the conflicts that leave none; empty when it did not come so far
};
Planned plan(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics);

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
