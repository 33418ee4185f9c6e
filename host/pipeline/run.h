// host/pipeline/run.h — runs planned passes: a program through its stages. Knows nothing of what a pass does.
#pragma once

#include "host/pipeline/context.h"
#include "host/pipeline/stage.h"
#include "host/resolve/planner.h"

#include <string>
#include <utility>
#include <vector>

namespace htp {

// One line of ir/pass_trace.jsonl.
struct PassEvent {
  const PlannedPass *pass;
  unsigned stage_before, stage_after;   // numbers; the same where the pass changed nothing and made no stage
  StageChange change;                   // none where it made no stage
  std::vector<std::string> diagnostics; // codes reported while it ran
};

struct StageRun {
  std::vector<Stage> stages; // the first is what was given
  std::vector<PassEvent> events;
  std::vector<PackageFile> extra;                      // an island's texts, beside their stage
  std::vector<std::pair<std::string, double>> seconds; // true timings, for logs/
  bool ok = false;

  // The stages that a package has with `--stages`: all of them, or with "last" the first and the last.
  std::vector<const Stage *> kept(const std::string &which) const;
  const Stage &before(const PassEvent &event) const { return stages[event.stage_before - stages[0].header.number]; }
  const Stage &after(const PassEvent &event) const { return stages[event.stage_after - stages[0].header.number]; }
};

// Runs the plan on `first`. A pass after which the program is the same leaves an event and no stage; the header of the
// next stage says what holds since. An island always leaves its stage, beside which its texts lie.
// Each stage is printed and, with `verify_each`, read back and its new capabilities verified.
// After a pass that provides an initial state the program is in another dialect's language, so the dialects check it
// again. Stops at the first pass that fails, or when the context is cancelled.
StageRun run_passes(htp_ctx &ctx, Stage first, const PassPlan &plan, bool verify_each);

// After a pass or the emitter refused what passes made: where one of them did not keep its promises, that is the fault
// (`pipeline.broken-promise`), and what was refused becomes its notes. For a run that reported to this context.
void blame_passes(htp_ctx &ctx, const StageRun &run);

// Whether each dialect finds its language kept in the program.
bool check_dialects(htp_ctx &ctx, htp_node root);

// Whether the state capability holds of the program, by its verifier; what the verifier says goes into `why`.
bool holds(htp_ctx &ctx, const std::string &term, htp_node root, Diagnostics &why);

// The trace as JSON lines.
std::string trace_lines(const StageRun &run, const ContextSettings &settings);

} // namespace htp
