// host/pipeline/compilation.h — a compile to the last stage that is kept open, for what wants to ask of it: `plugins
// check`, cost models, simulations and graphs.
#pragma once

#include "host/pipeline/compile.h"

namespace htp {

// What the target's cost model (`Cost.Model(target=…)`) says of a program's last stage.
struct Estimate {
  std::string by; // the analysis; empty: the target has no model
  double seconds = 0;
  std::map<uint32_t, double> lines{}; // of program.py of the last stage, what the statements that begin there take
};
// Compiles to the last stage, with these sizes of dimensions. Publishes nothing; nothing after a report.
std::optional<Estimate> estimate(CompileRequest request, const std::map<std::string, int64_t> &sizes, Cache &cache,
                                 Diagnostics &diagnostics);

// What the target's simulation (`Simulation.Model(target=…)`) says of a program's last stage.
struct Simulated {
  std::string by{};                       // the analysis; empty: the target has none
  std::string json{};                     // as decision 0008 has it
  std::map<std::string, Span> declared{}; // what a channel is called → where the user wrote it
};
// Compiles to the last stage; `options` are the analysis' own. Publishes nothing; nothing after a report.
std::optional<Simulated> simulate(CompileRequest request, const std::map<std::string, std::string> &options,
                                  Cache &cache, Diagnostics &diagnostics);

// The tasks of a program, as the analysis that provides `Task.Graph` tells them of one of its stages.
struct TaskGraph {
  std::string by{}, stage{};               // the analysis; "02-PASS", empty: it has no such stage
  std::string json{};                      // as decision 0008 has it
  std::map<std::string, Span> locations{}; // a task's id → where the user wrote it
  std::string stages{};                    // all of them, as a person reads it
};
// Of the stage of that number or pass; where none is named, of the last that has tasks. Publishes nothing.
std::optional<TaskGraph> task_graph(CompileRequest request, const std::string &stage, Cache &cache,
                                    Diagnostics &diagnostics);

// The processes of a program that wait for each other without end, as the analysis that provides `Deadlock.Graph` tells
// them.
struct DeadlockGraph {
  std::string by{};                        // the analysis
  std::string json{};                      // as decision 0008 has it
  std::map<std::string, Span> locations{}; // an id in it → where the user wrote that
};
// Of the program as it is written: nothing is compiled. Nothing after a report, as where there is no deadlock.
std::optional<DeadlockGraph> deadlock(CompileRequest request, Cache &cache, Diagnostics &diagnostics);

// What can be seen of a program: each by a unit that provides it, and where there is none, or it refuses, why not.
struct Views {
  struct Drawn {
    std::string by{}, json{}; // as decision 0020 has it
  };
  std::optional<TaskGraph> tasks;                           // `Task.Graph`
  std::optional<Simulated> simulated;                       // `Simulation.Model(target=…)`, with its timeline
  std::optional<Estimate> cost;                             // `Cost.Model(target=…)`
  std::optional<Drawn> drawn;                               // `Report.Views(target=…)`
  std::vector<std::pair<std::string, std::string>> missing; // a capability, and why there is nothing of it
};
// Compiles to the last stage, with these sizes of dimensions. Publishes nothing; nothing after a report.
std::optional<Views> views(CompileRequest request, const std::map<std::string, int64_t> &sizes, Cache &cache,
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
  // By the loaded unit that provides a simulation for the target.
  std::optional<Simulated> simulate(const std::map<std::string, std::string> &options, Diagnostics &diagnostics);
  // By the loaded unit that provides task graphs.
  std::optional<TaskGraph> task_graph(const std::string &stage, Diagnostics &diagnostics);
  // By the loaded unit that provides what reports draw of the target's last stages.
  std::optional<Views::Drawn> drawn(Diagnostics &diagnostics);
  // Of a program that is not compiled, by the unit that provides these.
  static std::optional<DeadlockGraph> deadlock(Inputs inputs, const CompileRequest &request, Cache &cache,
                                               Diagnostics &diagnostics);

private:
  struct State;
  explicit Compilation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

} // namespace htp
