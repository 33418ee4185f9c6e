// host/pipeline/phases.h — the phases of a compile, each a function from what came before to what comes next; compile()
// and a compilation kept open are made of them.
#pragma once

#include "host/pipeline/compile.h"
#include "host/pipeline/registry.h"
#include "host/pipeline/stage.h"

#include <functional>
#include <optional>

namespace htp {

// The program as the compile starts with it: the user's, or a stage to resume from.
struct Start {
  htp_node root = HTP_NONE;
  std::optional<StageHeader> resumed;
  std::vector<InputFile> files;
};

// What resolution, loading and planning give.
struct Setup {
  Request request;
  bool locked = false;
  bool told = false;  // of plugins that are not trusted
  bool tells = false; // also what the resolution was chosen over
  Refusal refusal;    // when there is no resolution
  std::optional<Resolution> resolution;
  std::string chosen_for; // the choice_key() of its request, once it was chosen
  std::vector<LoadedPlugin> plugins;
  std::vector<PythonFiles> python; // of each of them
  std::optional<Registry> registry;
  std::optional<htp_ctx> ctx;
  PassPlan plan;
};

std::string without_slash(std::string path);

// The program merged, with its constants, or the stage that is resumed; nothing after a report. `files`: those that
// were read, however far it came.
std::optional<Start> parse_start(const CompileRequest &request, const Inputs &inputs, Store &store,
                                 Diagnostics &diagnostics, std::vector<InputFile> *files = nullptr);

// What the profile, the program and the caller ask for.
Request make_request(const CompileRequest &asked, const Inputs &inputs, const Start &start, const Store &store);
Setup set_up(const CompileRequest &asked, const Inputs &inputs, const Start &start, const Store &store);

std::vector<LoadedPlugin> load_chosen(const Inputs &inputs, const std::vector<const Manifest *> &manifests,
                                      Cache &cache, Diagnostics &diagnostics);

// All that the choice depends on, besides the inputs.
std::string choice_key(const Request &request, bool locked);

// Resolves the request and loads what was chosen. A setup that was chosen for the same request of the same inputs, of
// another program, stays as it is.
bool choose(const Inputs &inputs, const Start &start, const Store &store, Setup &setup, Cache &cache,
            Diagnostics &diagnostics);

// What plugins see of the compile: the entry is chosen, and nothing of the program is checked but its dims.
bool open_context(const Inputs &inputs, const Start &start, Setup &setup, Store &store, Cache &cache,
                  const CompileRequest &request, Diagnostics &diagnostics);

// Looks at what holds of the source, and plans the passes; resolves once more where what was chosen counts on a state
// that the source has not.
bool prepare(const Inputs &inputs, const Start &start, Setup &setup, Store &store, Cache &cache,
             const CompileRequest &request, Diagnostics &diagnostics);

// Plans and runs the passes, in a second round when the first asked for more. `said` is of one round: a round that is
// repeated has said nothing.
bool run_rounds(const Inputs &inputs, const Start &start, Setup &setup, Store &store, Cache &cache,
                const CompileRequest &request, StageRun &run, std::optional<Diagnostics> &said,
                const std::function<void()> &planned);

// Emitted text cites lines of the last stage, so the emitter reads the last stage (R2). 0 after a report.
htp_node read_again(Store &store, const Stage &last, Diagnostics &diagnostics);

// The backend's artifacts of the last stage, into the context.
bool emit(htp_ctx &ctx, const Setup &setup, const Stage &last, Diagnostics &diagnostics);

PackageDraft draft_package(const Inputs &inputs, const Setup &setup, const StageRun &run,
                           const std::vector<InputFile> &files);

} // namespace htp
