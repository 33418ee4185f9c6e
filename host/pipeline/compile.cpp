#include "host/pipeline/compile.h"

#include "host/base/fs.h"
#include "host/log/log.h"
#include "host/pipeline/describe.h"
#include "host/pipeline/isolated.h"
#include "host/pipeline/lock.h"
#include "host/pipeline/phases.h"
#include "host/pipeline/remember.h"
#include "host/resolve/explain.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace htp {

namespace {

class Timer {
public:
  Timer(const Clock &clock, Seconds &to) : clock_(clock), to_(to) {}
  void lap(const std::string &phase) {
    const double now = clock_();
    to_.emplace_back(phase, now - last_);
    last_ = now;
  }
  void skip() { last_ = clock_(); } // what others measured

private:
  const Clock &clock_;
  Seconds &to_;
  double last_ = clock_();
};

std::string default_out(const Inputs &inputs, const CompileRequest &request) {
  std::string name = inputs.program.value.substr(inputs.program.value.rfind('/') + 1);
  if (name.ends_with(".py")) name.resize(name.size() - 3);
  if (name.empty()) name = without_slash(request.from_stage).substr(without_slash(request.from_stage).rfind('/') + 1);
  return name + ".htp";
}

std::string times_json(const Seconds &seconds) {
  std::string text = "{\n";
  for (const auto &[name, value] : seconds)
    text += (text.size() > 2 ? ",\n" : "") + fmt::format("  \"{}\": {:.6f}", name, value);
  return text + "\n}\n";
}

// Where the program stood, so that a call of the package can show its lines; by which profile it was compiled, so that
// stages that it leaves out can be made again.
PackageFile sources_log(const CompileRequest &request, const Inputs &inputs) {
  const std::string path = absolute_path(inputs.program.value);
  nlohmann::json log{{"folder", path.substr(0, path.rfind('/'))}, {"plugin_path", nlohmann::json::array()}};
  if (!request.profile.empty()) log["profile"] = absolute_path(request.profile);
  for (const std::string &folder : request.plugin_path) log["plugin_path"].push_back(absolute_path(folder));
  return {"sources.json", "log", log.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n"};
}

// Everything a compile read, with what the plugins and their Python were.
std::vector<InputFile> files_read(const Start &start, const Setup &setup) {
  std::vector<InputFile> files = start.files;
  for (size_t k = 0; k < setup.plugins.size(); ++k) {
    const LoadedPlugin &plugin = setup.plugins[k];
    if (!plugin.manifest().library.value.empty())
      files.push_back(
          {join_path(plugin.manifest().folder, plugin.manifest().library.value), "library", plugin.library_sha256()});
    files.insert(files.end(), setup.python[k].files.begin(), setup.python[k].files.end());
  }
  return files;
}

CompileOutcome::Status status_of(const Diagnostics &diagnostics, const volatile std::sig_atomic_t *cancel) {
  if (cancel && *cancel) return CompileOutcome::Status::cancelled;
  return diagnostics.faults() ? CompileOutcome::Status::failed : CompileOutcome::Status::refused;
}

// What the plugins' code has a part in: all between the inputs and the package.
std::optional<Made> make(const CompileRequest &request, const Inputs &inputs, Cache &cache, Diagnostics &diagnostics,
                         Seconds &seconds) {
  Timer timer(request.clock, seconds);
  Store store;
  const auto start = parse_start(request, inputs, store, diagnostics);
  if (!start) return std::nullopt;
  timer.lap("parse");
  if (start->resumed && start->resumed->target != inputs.profile.target.value)
    diagnostics.report(diag::pipeline_other_stage_target, {}, start->resumed->target, inputs.profile.target.value);

  Setup setup = set_up(request, inputs, *start, store);
  if (!choose(inputs, *start, store, setup, cache, diagnostics)) return std::nullopt;
  timer.lap("resolve and load");

  StageRun run;
  std::optional<Diagnostics> attempt;
  const auto give_up = [&] {
    diagnostics.append(*attempt);
    return std::nullopt;
  };
  const bool ran = run_rounds(inputs, *start, setup, store, cache, request, run, attempt, [&] { timer.lap("plan"); });
  if (!ran) return give_up();
  for (const auto &[name, spent] : run.seconds) seconds.emplace_back("pass " + name, spent);
  timer.lap("passes");

  if (!emit(*setup.ctx, setup, run.stages.back(), *attempt) || (request.cancel && *request.cancel)) {
    blame_passes(*setup.ctx, run);
    return give_up();
  }
  diagnostics.append(*attempt);
  timer.lap("emit");

  std::vector<InputFile> described = inputs.files;
  described.insert(described.end(), start->files.begin(), start->files.end());
  Made made{draft_package(inputs, setup, run, described), files_read(*start, setup), setup.ctx->recorded.empty()};
  timer.lap("describe");
  return made;
}

} // namespace

CompileOutcome compile(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics) {
  CompileOutcome outcome;
  LogRecord record;
  const auto compile_log = [&] { return PackageFile{"compile.log", "log", record.text()}; };
  Timer timer(request.clock, outcome.seconds);
  const auto stop = [&] {
    outcome.status = status_of(diagnostics, request.cancel);
    return outcome;
  };

  const auto inputs = gather(request, true, diagnostics);
  if (!inputs) return stop();
  outcome.package = without_slash(request.out.empty() ? default_out(*inputs, request) : request.out);
  timer.lap("manifests");

  // Nothing to do when nothing that was read has changed.
  std::string key;
  const std::string program_path =
      request.from_stage.empty() ? inputs->program.value : without_slash(request.from_stage) + "/program.py";
  if (auto text = read_file(program_path); text && cache.enabled() && diagnostics.empty() && request.unsaved.empty()) {
    key = compile_key(request, *inputs, *text);
    if (auto known = recall(cache, key)) {
      known->logs.push_back(sources_log(request, *inputs));
      known->logs.push_back(compile_log());
      auto published = write_package(std::move(*known), outcome.package, diagnostics);
      if (!published) return stop();
      timer.lap("cache");
      outcome.status = CompileOutcome::Status::done;
      outcome.digest = published->digest;
      outcome.changed = published->changed;
      outcome.cached = true;
      return outcome;
    }
  }

  Seconds within;
  auto made = inputs->isolate ? isolated(request, *inputs, diagnostics, within, record,
                                         [&](const CompileRequest &asked, Diagnostics &said, Seconds &seconds) {
                                           return make(asked, *inputs, cache, said, seconds);
                                         })
                              : make(request, *inputs, cache, diagnostics, within);
  outcome.seconds.insert(outcome.seconds.end(), within.begin(), within.end());
  if (!made) return stop();
  const std::vector<PackageFile> files = made->draft.files;
  timer.skip();
  made->draft.logs.push_back({"times.json", "log", times_json(outcome.seconds)});
  made->draft.logs.push_back(sources_log(request, *inputs));
  made->draft.logs.push_back(compile_log());
  const auto published = write_package(std::move(made->draft), outcome.package, diagnostics);
  if (!published) return stop();
  timer.lap("package");
  // What an isolated compile says that it read is not taken for all that it read.
  if (!key.empty() && diagnostics.empty() && made->repeatable && !inputs->isolate)
    remember(cache, key, made->read, files, published->manifest);
  outcome.status = CompileOutcome::Status::done;
  outcome.digest = published->digest;
  outcome.changed = published->changed;
  return outcome;
}

Planned plan(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics, bool json) {
  const auto inputs = gather(request, true, diagnostics);
  if (!inputs) return {};
  Store store;
  const auto start = parse_start(request, *inputs, store, diagnostics);
  if (!start) return {};
  Setup setup = set_up(request, *inputs, *start, store);
  setup.tells = true;
  if (!choose(*inputs, *start, store, setup, cache, diagnostics) ||
      !prepare(*inputs, *start, setup, store, cache, request, diagnostics))
    return {false, json ? explain_json(setup.refusal) : ""};
  std::vector<const Unit *> passes;
  for (const PlannedPass &planned : setup.plan.passes) passes.push_back(planned.unit);
  report_unhandled(start->root, inputs->profile.target.value, inputs->all(), passes, store, diagnostics);
  const std::vector<PassedOver> &passed = setup.resolution->passed_over;
  return {true, json ? explain_json(*setup.resolution, passed, setup.request, &setup.plan)
                     : explain_text(*setup.resolution, passed, setup.request, &setup.plan)};
}

std::optional<Resolved> resolve_profile(const CompileRequest &request, Diagnostics &diagnostics) {
  auto inputs = gather(request, false, diagnostics);
  if (!inputs) return std::nullopt;
  report_refused(*inputs, {}, diagnostics);
  Resolved resolved{std::move(*inputs), {}, {}};
  Store store;
  Start start;
  if (!resolved.inputs.program.value.empty()) {
    auto parsed = parse_start(request, resolved.inputs, store, diagnostics);
    if (!parsed) return std::nullopt;
    start = std::move(*parsed);
  }
  resolved.request = make_request(request, resolved.inputs, start, store);
  auto resolution = resolve(resolved.inputs.universe(), resolved.request);
  if (!resolution) {
    report(resolution.error(), resolved.request, diagnostics);
    return std::nullopt;
  }
  resolved.resolution = std::move(*resolution);
  return resolved;
}

std::optional<LoadedSet> load_set(const CompileRequest &request, Cache &cache, Diagnostics &diagnostics) {
  auto inputs = gather(request, false, diagnostics);
  if (!inputs) return std::nullopt;
  report_refused(*inputs, {}, diagnostics);
  LoadedSet set{std::move(*inputs), {}};
  std::vector<const Manifest *> manifests;
  for (const Manifest &manifest : set.inputs.manifests) manifests.push_back(&manifest);
  set.plugins = load_chosen(set.inputs, manifests, cache, diagnostics);
  return set;
}

} // namespace htp
