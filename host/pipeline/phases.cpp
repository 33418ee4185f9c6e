#include "host/pipeline/phases.h"

#include "host/ast/walk.h"
#include "host/base/memory.h"
#include "host/log/log.h"
#include "host/package/reader.h"
#include "host/parse/parse.h"
#include "host/parse/read_back.h"
#include "host/pipeline/calls.h"
#include "host/pipeline/describe.h"
#include "host/pipeline/in_unit.h"
#include "host/pipeline/layouts.h"
#include "host/pipeline/lock.h"
#include "host/pipeline/names.h"
#include "host/pipeline/remake.h"
#include "host/pipeline/run.h"
#include "host/pipeline/texts.h"
#include "host/pipeline/tree.h"
#include "host/resolve/explain.h"
#include "host/resolve/no_order.h"

#include <htp/entry.h>

#include <algorithm>
#include <set>
#include <unordered_set>

namespace htp {

namespace {

// Passes may recurse. CPython's parser takes programs of somewhat more levels.
constexpr size_t deepest_program = 2500, deepest_at_least = 500, stack_for_a_level = 16u << 10;

std::string folder_of(const std::string &path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

} // namespace

std::string without_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

// ── parse ──

std::optional<Start> parse_start(const CompileRequest &request, const Inputs &inputs, Store &store,
                                 Diagnostics &diagnostics, std::vector<InputFile> *files) {
  LogPhase phase("parse");
  Start start;
  const size_t errors = diagnostics.errors();
  if (!request.from_stage.empty()) {
    const std::string folder = without_slash(request.from_stage);
    if (report_left_out(folder, diagnostics)) return std::nullopt;
    const htp_node module = read_program(folder + "/program.py", "stage", store, start.files, diagnostics);
    if (!module) return std::nullopt;
    auto parsed = take_header(store, module, store.span(module).file, diagnostics);
    if (!parsed) return std::nullopt;
    start.root = parsed->root;
    start.resumed = std::move(parsed->header);
  } else {
    htp_node module = read_program(inputs.program.value, "program", store, start.files, diagnostics,
                                   inputs.program.span, request.unsaved);
    if (module && request.only_entry) module = only_reached(module, request.entry, store);
    if (module)
      module =
          merge_siblings(module, folder_of(inputs.program.value), store, start.files, diagnostics, request.unsaved);
    if (module) module = take_texts(module, folder_of(inputs.program.value), store, start.files, diagnostics);
    if (module) module = set_constants(without_jit(module, store), inputs.set, store, diagnostics);
    start.root = module ? with_import(store, module) : module;
  }
  if (files) *files = start.files;
  if (start.root) check_bound(store, start.root, diagnostics);
  if (start.root) check_numbers(store, start.root, diagnostics);
  if (diagnostics.errors() != errors || !start.root) return std::nullopt;
  const size_t most = std::clamp(stack_left() / stack_for_a_level, deepest_at_least, deepest_program);
  if (const size_t depth = depth_of(store, start.root); depth > most) {
    diagnostics.report(diag::pipeline_too_deep, Span{store.span(start.root).file, 0, 0, 0, 0}, depth, most);
    return std::nullopt;
  }
  return start;
}

// ── needs, resolve, load ──

namespace {
// The plugin that knows whether a state holds; none where several do.
const Manifest *verifier_of(const std::string &state, const std::vector<const Manifest *> &manifests) {
  const Manifest *found = nullptr;
  for (const Manifest *manifest : manifests)
    for (const Unit &unit : manifest->units)
      for (const Term &term : unit.verifies) {
        if (term.name != state.substr(0, state.find('('))) continue;
        if (found && found != manifest) return nullptr;
        found = manifest;
      }
  return found;
}
} // namespace

Request make_request(const CompileRequest &asked, const Inputs &inputs, const Start &start, const Store &store) {
  Request request;
  request.target = inputs.profile.target;
  request.wishes = inputs.profile.plugins;
  request.pipeline = inputs.profile.pipeline;
  if (start.root) request.needs = needs_of(start.root, request.target.value, inputs.all(), store);
  const auto need = [&](const std::string &term, const std::string &phrase) {
    Diagnostics none;
    if (auto requirement = parse_requirement(term, {}, none))
      request.needs.push_back({std::move(*requirement), {}, phrase});
  };
  for (const std::string &term : asked.needs) need(term, "`" + term + "`");
  // A pass may have taken out the import that a plugin was chosen for, and what that one verifies holds still.
  if (start.resumed)
    for (const std::string &state : start.resumed->holds)
      if (const Manifest *by = verifier_of(state, inputs.all()); by && !by->python_module.value.empty())
        need("Python.Module(name=\"" + by->python_module.value + "\")", "`" + state + "`, which the stage holds");
  if (inputs.lock)
    for (const Lock::Plugin &plugin : inputs.lock->plugins) request.prefer[plugin.name.value] = plugin.version;
  return request;
}

Setup set_up(const CompileRequest &asked, const Inputs &inputs, const Start &start, const Store &store) {
  Setup setup;
  setup.request = make_request(asked, inputs, start, store);
  setup.locked = asked.locked;
  return setup;
}

std::vector<LoadedPlugin> load_chosen(const Inputs &inputs, const std::vector<const Manifest *> &manifests,
                                      Cache &cache, Diagnostics &diagnostics) {
  LoadOptions options = LoadOptions::from_environment();
  options.cache = &cache;
  options.admit = [&](const Manifest &manifest, const std::string &library_sha256, Diagnostics &said) {
    return inputs.admits(manifest, library_sha256, said);
  };
  return load_plugins(manifests, options, diagnostics);
}

namespace {

// The chosen manifests' terms must mean something. All that were found are read together, since one may speak of
// another's capabilities, but what is wrong with a plugin that takes no part is not this compile's business, unless it
// brings what a chosen one does, which nobody chose between: that is told, once for a plugin.
bool check_chosen(const Inputs &inputs, const std::vector<const Manifest *> &chosen, Diagnostics &diagnostics) {
  std::vector<const Manifest *> all = chosen; // these declare first
  const std::unordered_set<const Manifest *> takes_part(chosen.begin(), chosen.end());
  for (const Manifest &manifest : inputs.manifests)
    if (!takes_part.contains(&manifest)) all.push_back(&manifest);
  Diagnostics found;
  check_terms(all, found, chosen.size());
  const size_t errors = diagnostics.errors();
  const auto chosen_at = [&](const Span &span) {
    return std::find_if(chosen.begin(), chosen.end(), [&](const Manifest *m) { return m->source == span.file; });
  };
  std::set<const SourceFile *> told;
  for (const Diagnostic &d : found.list()) {
    if (!is_error(d.severity)) continue;
    if (chosen_at(d.span) != chosen.end()) {
      diagnostics.add(d);
      continue;
    }
    if (d.code != diag::manifest_declared_twice.code || d.labels.empty()) continue;
    const auto taken = chosen_at(d.labels.front().span);
    const auto &wishes = inputs.profile.plugins;
    if (taken == chosen.end() || !told.insert(d.span.file.get()).second ||
        std::any_of(wishes.begin(), wishes.end(), [&](const PluginWish &w) { return w.id == (*taken)->id.value; }))
      continue;
    Diagnostic twice = d;
    twice.severity = Severity::warning;
    twice.note("that of " + (*taken)->id.value + " is used");
    twice.hint("name the plugin that is meant under the profile's `plugins`");
    diagnostics.add(std::move(twice));
  }
  return diagnostics.errors() == errors;
}

// A pipeline that the profile names makes stages for the profile's target, not for another one.
bool check_pipeline(const Request &request, const Resolution &resolution, Diagnostics &diagnostics) {
  if (!resolution.pipeline) return true;
  for (const Text &name : resolution.pipeline->passes)
    for (const ChosenUnit &chosen : resolution.units) {
      if (chosen.unit->name.value != name.value) continue;
      for (const Term &term : chosen.unit->provides) {
        const auto target = term.arguments.find("target");
        if (term.name != "Codegen.Ready" || target == term.arguments.end() ||
            target->second.form != Argument::Form::values)
          continue;
        const std::vector<Value> &targets = target->second.values;
        if (std::any_of(targets.begin(), targets.end(),
                        [&](const Value &value) { return value.text == request.target.value; }))
          continue;
        const std::string other = targets.front().text;
        diagnostics
            .report(diag::pipeline_other_target, request.pipeline.span, request.pipeline.value, other,
                    request.target.value)
            .note(fmt::format("its pass `{}` provides `{}`", name.value, term.text()))
            .hint(fmt::format("write `target: {}`, or leave `pipeline` out, so that the passes are planned", other));
        return false;
      }
    }
  return true;
}

std::vector<const Manifest *> manifests_of(const Resolution &resolution) {
  std::vector<const Manifest *> manifests;
  for (const ChosenPlugin &plugin : resolution.plugins)
    if (plugin.manifest != &sdk_manifest()) manifests.push_back(plugin.manifest);
  return manifests;
}

} // namespace

namespace {
Expected<Resolution, Refusal> resolve_logged(const Universe &universe, const Request &request, bool tells) {
  LogPhase phase("resolve");
  auto resolved = resolve(universe, request, tells || logs(LogLevel::debug));
  phase.add({"candidates", universe.plugins.size()});
  for (const Need &need : request.needs)
    log(LogLevel::debug, "needed", {{"capability", need.requirement.text()}, {"by", need.phrase}});
  if (!resolved) return log(LogLevel::info, "no set of plugins fits"), resolved;
  for (const ChosenPlugin &chosen : resolved->plugins)
    log(LogLevel::info, "plugin chosen",
        {{"plugin", chosen.manifest->id.value}, {"version", chosen.manifest->version_text.value}});
  if (logs(LogLevel::debug))
    for (const PassedOver &over : resolved->passed_over)
      log(LogLevel::debug, "passed over",
          {{"plugin", over.manifest->id.value},
           {"unit", over.unit ? over.unit->name.value : std::string()},
           {"why", passed_text(over)}});
  return resolved;
}
} // namespace

std::string choice_key(const Request &request, bool locked) {
  std::string text = request.target.value + "\n" + request.pipeline.value + (locked ? "\nlocked" : "\n");
  for (const Need &need : request.needs) text += "\n" + need.requirement.text();
  for (const PluginWish &wish : request.wishes) text += "\nwish " + wish.id;
  for (const std::string &state : request.absent) text += "\nabsent " + state;
  for (const auto &[plugin, version] : request.prefer) text += "\nprefer " + plugin;
  return text;
}

bool choose(const Inputs &inputs, const Start &start, const Store &store, Setup &setup, Cache &cache,
            Diagnostics &diagnostics) {
  std::string chosen_for = choice_key(setup.request, setup.locked);
  if (setup.registry && setup.chosen_for == chosen_for) {
    setup.ctx.reset();
    check_imports(store, start.root, manifests_of(*setup.resolution), diagnostics);
    return !diagnostics.errors();
  }
  setup.chosen_for.clear();
  Universe universe = inputs.universe();
  if (setup.locked) hold_to(*inputs.lock, universe);
  auto resolved = resolve_logged(universe, setup.request, setup.tells);
  if (!resolved) {
    report_refused(inputs, {}, diagnostics);
    if (!setup.locked || check_versions(*inputs.lock, inputs.manifests, diagnostics))
      report(resolved.error(), setup.request, diagnostics);
    setup.refusal = std::move(resolved.error());
    return false;
  }
  setup.resolution = std::move(*resolved);
  if (!check_pipeline(setup.request, *setup.resolution, diagnostics)) return false;
  const std::vector<const Manifest *> chosen = manifests_of(*setup.resolution);
  if (!std::exchange(setup.told, true)) report_refused(inputs, chosen, diagnostics);
  if (diagnostics.errors() || !check_chosen(inputs, chosen, diagnostics)) return false;
  if (setup.locked && !check_locked(*inputs.lock, chosen, diagnostics)) return false;
  check_imports(store, start.root, chosen, diagnostics);
  if (diagnostics.errors()) return false;
  setup.ctx.reset();
  setup.registry.reset();
  setup.plugins = load_chosen(inputs, chosen, cache, diagnostics);
  if (setup.plugins.size() != chosen.size()) return false;
  setup.python.clear();
  for (const LoadedPlugin &plugin : setup.plugins) setup.python.push_back(python_files(plugin.manifest()));
  if (setup.locked && !check_loaded(*inputs.lock, setup.plugins, diagnostics)) return false;
  std::vector<std::string> units;
  for (const ChosenUnit &unit : setup.resolution->units) units.push_back(unit.unit->name.value);
  setup.registry.emplace(setup.plugins, units, inputs.profile.plugins);
  setup.chosen_for = std::move(chosen_for);
  return true;
}

// ── check, plan ──

namespace {

std::vector<Term> terms_of(const std::vector<std::string> &texts, Diagnostics &diagnostics) {
  std::vector<Term> result;
  for (const std::string &text : texts)
    if (auto term = parse_term(text, {}, diagnostics)) result.push_back(std::move(*term));
  return result;
}

// Says first what the verifier has against the stage, which is wrong with it whatever it is elsewhere, then what the
// header promised.
void report_not_held(const Start &start, const Term &term, const Diagnostics &why, Diagnostics &diagnostics) {
  if (why.empty()) {
    diagnostics.report(diag::pipeline_not_held, start.resumed->span, term.text());
    return;
  }
  Diagnostics frame;
  const Diagnostic promised = frame.report(diag::pipeline_not_held, {}, term.text());
  const auto &list = why.list();
  const auto headline =
      why.errors() ? std::find_if(list.begin(), list.end(), [](const Diagnostic &d) { return is_error(d.severity); })
                   : list.begin();
  for (auto d = list.begin(); d != list.end(); ++d) {
    Diagnostic told = *d;
    if (d == headline) {
      told.severity = Severity::error;
      told.note(promised.message + ": " + std::string(promised.usual_hint) + " [" + promised.code + "]");
    }
    diagnostics.add(std::move(told));
  }
}

// The states that hold of the source: initial ones by their verifiers; of a resumed stage those its header promises.
std::optional<std::vector<Term>> starting_states(htp_ctx &ctx, const Start &start, const Resolution &resolution) {
  std::vector<Term> states;
  if (start.resumed) {
    for (Term &term : terms_of(start.resumed->holds, ctx.diagnostics)) {
      Diagnostics why;
      if (!holds(ctx, term.text(), start.root, why)) {
        if (why.faults()) return std::nullopt;
        report_not_held(start, term, why, ctx.diagnostics);
        return std::nullopt;
      }
      states.push_back(std::move(term));
    }
    return states;
  }
  for (const Term &term : resolution.initial) {
    Diagnostics why;
    if (holds(ctx, term.text(), start.root, why)) states.push_back(term);
    if (why.faults()) return std::nullopt;
  }
  return states;
}

// Adds the initial states that do not hold to `absent`, and says whether there are any that were not known.
bool count_out(const Resolution &resolution, const std::vector<Term> &held, std::set<std::string> &absent) {
  const size_t before = absent.size();
  for (const Term &initial : resolution.initial)
    if (std::none_of(held.begin(), held.end(), [&](const Term &term) { return term.text() == initial.text(); }))
      absent.insert(initial.text());
  return absent.size() > before;
}

// Follows the passes the stage names while they fit; else plans anew and says why (R1).
Expected<PassPlan, PlanFailure> plan_from(const PlanRequest &request, const Start &start, Diagnostics &diagnostics) {
  if (!start.resumed) return plan_passes(request);
  Unit then;
  then.kind = UnitKind::pipeline;
  then.name.value = "the stage's `then`";
  for (const std::string &name : start.resumed->then) then.passes.push_back({name, {}});
  PlanRequest follow = request;
  follow.pipeline = &then;
  auto followed = plan_passes(follow);
  if (followed && followed->passes.size() == then.passes.size()) return followed;
  const PlannedPass *added = nullptr;
  if (followed)
    for (const PlannedPass &pass : followed->passes)
      if (!pass.from_pipeline && !added) added = &pass;
  if (added)
    diagnostics.report(diag::pipeline_passes_added, {}, added->unit->name.value);
  else
    diagnostics.report(diag::pipeline_passes_differ, {});
  return plan_passes(request);
}

} // namespace

bool open_context(const Inputs &inputs, const Start &start, Setup &setup, Store &store, Cache &cache,
                  const CompileRequest &request, Diagnostics &diagnostics) {
  Text entry = inputs.entry;
  if (start.resumed) entry = {start.resumed->entry, start.resumed->span};
  const std::string name = choose_entry(start.root, entry, *setup.registry, store, diagnostics);
  if (name.empty() || !check_dims(start.root, store, diagnostics)) return false;
  if (start.resumed && !check_layouts(store, start.root, diagnostics)) return false;
  setup.ctx.emplace(store, diagnostics, cache, settings_for(inputs, *setup.resolution, name, diagnostics));
  htp_ctx &ctx = *setup.ctx;
  ctx.registry = &*setup.registry;
  ctx.registry->report_shadowed(diagnostics);
  ctx.progress = request.progress;
  ctx.clock = request.clock;
  ctx.cancel = request.cancel;
  return !diagnostics.errors();
}

bool prepare(const Inputs &inputs, const Start &start, Setup &setup, Store &store, Cache &cache,
             const CompileRequest &request, Diagnostics &diagnostics) {
  if (!open_context(inputs, start, setup, store, cache, request, diagnostics)) return false;
  htp_ctx &ctx = *setup.ctx;
  if (!start.resumed && !check_dialects(ctx, start.root)) return false;
  auto states = starting_states(ctx, start, *setup.resolution);
  if (!states) return false;
  if (start.resumed && !check_calls(store, start.root, manifests_of(*setup.resolution), diagnostics)) return false;
  const bool counted_on = !start.resumed && count_out(*setup.resolution, *states, setup.request.absent);
  const PlanRequest order = plan_request(*setup.resolution, std::move(*states));
  auto planned = plan_from(order, start, diagnostics);
  // What was chosen counts on states that this source has not; perhaps another set of plugins does not.
  if (!planned && counted_on)
    return choose(inputs, start, store, setup, cache, diagnostics) &&
           prepare(inputs, start, setup, store, cache, request, diagnostics);
  if (!planned) {
    setup.refusal = no_order(order, planned.error(), *setup.resolution);
    report(setup.refusal, setup.request, diagnostics);
    return false;
  }
  setup.plan = std::move(*planned);
  if (logs(LogLevel::info)) {
    std::string names;
    for (const PlannedPass &pass : setup.plan.passes) names += (names.empty() ? "" : " ") + pass.unit->name.value;
    log(LogLevel::info, "passes planned", {{"passes", names}});
  }
  const auto left_out = [&] {
    Universe universe = inputs.universe();
    if (setup.locked) hold_to(*inputs.lock, universe);
    return passed_over(universe, setup.request);
  };
  if (!start.resumed) report_idle(*setup.resolution, setup.plan, left_out, diagnostics);
  return true;
}

namespace {

// Round two (R10): what passes asked for in vain becomes needs; resolve once more with what is loaded preferred.
// What no plugin provides the pass that asked has told already, but for a name that comes close; that, and any other
// conflict, is explained after what it said.
bool ask_again(const Inputs &inputs, const Start &start, const Store &store, Setup &setup, Cache &cache,
               Diagnostics &diagnostics) {
  const size_t before = setup.request.needs.size();
  for (const Missing &missing : setup.ctx->missing) {
    Diagnostics none;
    auto requirement = parse_requirement(missing.term, missing.span, none);
    const bool known = std::any_of(setup.request.needs.begin(), setup.request.needs.end(),
                                   [&](const Need &n) { return n.requirement.text() == missing.term; });
    if (requirement && !known)
      setup.request.needs.push_back(
          {std::move(*requirement), missing.span,
           missing.phrase.empty() ? "`" + missing.term + "`, asked for by `" + missing.by + "`" : missing.phrase});
  }
  if (setup.request.needs.size() == before) return false;
  for (size_t i = before; i < setup.request.needs.size(); ++i)
    log(LogLevel::info, "asked for by a pass: resolved again",
        {{"capability", setup.request.needs[i].requirement.text()}, {"by", setup.request.needs[i].phrase}});
  for (const ChosenPlugin &plugin : setup.resolution->plugins)
    setup.request.prefer[plugin.manifest->id.value] = plugin.manifest->version;
  Diagnostics conflict;
  if (choose(inputs, start, store, setup, cache, conflict)) return diagnostics.append(conflict), true;
  // Another intrinsic that has a handler is none that was meant.
  const auto comes_close = [](const std::string &hint) {
    return hint.starts_with("did you mean") && !hint.starts_with("did you mean `Intrinsic.Handler(");
  };
  for (const Diagnostic &d : conflict.list())
    if (d.code != diag::resolve_unmet_need.code || !diagnostics.errors() || std::ranges::any_of(d.hints, comes_close))
      diagnostics.add(d);
  return false;
}

} // namespace

bool run_rounds(const Inputs &inputs, const Start &start, Setup &setup, Store &store, Cache &cache,
                const CompileRequest &request, StageRun &run, std::optional<Diagnostics> &said,
                const std::function<void()> &planned) {
  for (int round = 1;; ++round) {
    said.emplace();
    if (!prepare(inputs, start, setup, store, cache, request, *said)) return false;
    planned();
    Stage first;
    first.header.number = start.resumed ? start.resumed->number : 0;
    first.root = start.root;
    first.header.after = start.resumed ? start.resumed->after : "source";
    first.header.entry = setup.ctx->settings.entry;
    first.header.target = setup.ctx->settings.target;
    run = run_passes(*setup.ctx, first, setup.plan, request.verify_each);
    const bool lacks = !run.ok && round == 1 && !setup.ctx->missing.empty();
    if (lacks && ask_again(inputs, start, store, setup, cache, *said)) continue;
    if (run.ok && !said->errors()) return true;
    if (!lacks) blame_passes(*setup.ctx, run);
    return false;
  }
}

// ── emit ──

htp_node read_again(Store &store, const Stage &last, Diagnostics &diagnostics) {
  const auto source = std::make_shared<SourceFile>(last.folder() + "/program.py", last.text);
  const htp_node printed = with_header(store, last.root, last.header);
  std::vector<LineSpan> spans;
  htp_node module = HTP_NONE;
  if (unparse(*store.abi(), printed, {.trivia = true, .spans = &spans}) == last.text)
    module = read_back(source, printed, spans, store);
  if (!module) module = parse_program(source, diagnostics, store);
  if (!module) return HTP_NONE;
  const auto parsed = take_header(store, module, source, diagnostics);
  if (!parsed) return HTP_NONE;
  // … while diagnostics lead back to the user's line.
  const auto read = preorder(*store.abi(), parsed->root), made = preorder(*store.abi(), last.root);
  if (read.size() == made.size())
    for (size_t n = 0; n < read.size(); ++n) store.set_origin(read[n], made[n]);
  return parsed->root;
}

bool emit(htp_ctx &ctx, const Setup &setup, const Stage &last, Diagnostics &diagnostics) {
  LogPhase phase("emit");
  const htp_node root = read_again(ctx.store, last, diagnostics);
  if (!root) return false;
  const UnitRef *ref = ctx.registry->find(UnitKind::backend, setup.resolution->backend->name.value);
  const size_t errors = diagnostics.errors();
  ctx.enter(*ref->unit, root);
  ctx.emitting = true;
  const htp_status status = in_unit(ctx, *ref, true, HTP_FAILED, [&] {
    return static_cast<const htp_backend *>(ref->interface)->emit(ctx.host, &ctx, root);
  });
  if (status != HTP_OK && diagnostics.errors() == errors)
    diagnostics.report(diag::pipeline_pass_failed, {}, ref->unit->name.value);
  phase.add({"backend", ref->unit->name.value});
  phase.add({"artifacts", ctx.artifacts.size()});
  for (const PackageFile &file : ctx.artifacts)
    log(LogLevel::debug, "artifact", {{"file", file.path}, {"role", file.role}, {"bytes", file.bytes.size()}});
  return status == HTP_OK && diagnostics.errors() == errors;
}

PackageDraft draft_package(const Inputs &inputs, const Setup &setup, const StageRun &run,
                           const std::vector<InputFile> &files) {
  PackageDraft draft;
  const htp_ctx &ctx = *setup.ctx;
  const Stage *previous = nullptr;
  for (const Stage *stage : run.kept(inputs.stages)) {
    for (PackageFile &file : stage_files(ctx.store, *stage, previous)) draft.files.push_back(std::move(file));
    for (const PackageFile &file : run.extra)
      if (file.path.starts_with(stage->folder() + "/")) draft.files.push_back(file);
    previous = stage;
  }
  draft.files.push_back({"ir/pass_trace.jsonl", "trace", trace_lines(run, ctx.settings)});
  for (const PackageFile &file : ctx.artifacts)
    draft.files.push_back(
        {file.path.starts_with("build/") ? file.path : "codegen/" + ctx.settings.target + "/" + file.path, file.role,
         file.bytes});
  draft.manifest =
      describe(inputs, *setup.resolution, setup.request, setup.plugins, setup.python, setup.plan, run, ctx, files);
  return draft;
}

} // namespace htp
