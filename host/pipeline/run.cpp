#include "host/pipeline/run.h"

#include "host/ast/compare.h"
#include "host/log/log.h"
#include "host/pipeline/in_unit.h"
#include "host/pipeline/island.h"
#include "host/pipeline/program.h"
#include "host/pipeline/tree.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> texts_of(const std::vector<Term> &terms) {
  std::vector<std::string> result;
  for (const Term &term : terms) result.push_back(term.text());
  std::sort(result.begin(), result.end());
  return result;
}

std::vector<std::string> names_after(const PassPlan &plan, size_t from) {
  std::vector<std::string> result;
  for (size_t i = from; i < plan.passes.size(); ++i) result.push_back(plan.passes[i].unit->name.value);
  return result;
}

// The new root, or 0 with a report.
htp_node run_one(htp_ctx &ctx, const Unit &unit, htp_node root, const std::string &folder, StageRun &run) {
  const size_t errors = ctx.diagnostics.errors();
  const UnitRef *ref = ctx.registry->find(unit.kind, unit.name.value);
  htp_node out = root;
  ctx.enter(unit, root);
  const htp_status status = in_unit(ctx, *ref, true, HTP_FAILED, [&] {
    return unit.kind == UnitKind::island
               ? run_island(ctx, *static_cast<const htp_island *>(ref->interface), root, folder, out, run.extra)
               : static_cast<const htp_pass *>(ref->interface)->run(ctx.host, &ctx, root, &out);
  });
  if (status == HTP_OK && ctx.diagnostics.errors() == errors) {
    if (ctx.store.is_node(out) && ctx.store.kind(out) == HTP_Module) return out;
    ctx.diagnostics.report(diag::pipeline_bad_result, {}, unit.name.value, "its root is no module");
    return HTP_NONE;
  }
  const bool cancelled = status == HTP_CANCELLED && ctx.cancel && *ctx.cancel;
  if (!cancelled && ctx.diagnostics.errors() == errors)
    ctx.diagnostics.report(diag::pipeline_pass_failed, {}, unit.name.value);
  return HTP_NONE;
}

// The stage's text must mean the stage's tree.
bool reads_back(htp_ctx &ctx, const Unit &unit, const Stage &stage) {
  Diagnostics found;
  const auto source = std::make_shared<SourceFile>(stage.folder() + "/program.py", stage.text);
  const htp_node again = parse_program(source, found, ctx.store);
  std::string why = found.list().empty() ? "" : found.list().front().message;
  if (again) {
    auto parsed = take_header(ctx.store, again, source, found);
    if (parsed && same_tree(*ctx.store.abi(), parsed->root, with_import(ctx.store, stage.root))) return true;
    why = "its text reads back as another tree";
  }
  ctx.diagnostics.report(diag::pipeline_bad_result, {}, unit.name.value, why);
  return false;
}

// Whether the pass made another program than it was given, its header aside. Equal trees may differ in comments.
bool differs(htp_ctx &ctx, const Stage &before, const Stage &after) {
  if (after.root == before.root) return false;
  if (!same_tree(*ctx.store.abi(), after.root, before.root)) return true;
  return render_stage(ctx.store, after.root, before.header) != before.text;
}

bool enters_language(htp_ctx &ctx, const Unit &unit) {
  return std::any_of(unit.provides.begin(), unit.provides.end(), [&](const Term &term) {
    const CapabilityDecl *decl = ctx.registry->capability(term.name);
    return decl && decl->state && decl->initial;
  });
}

// A verifier that gives no answer has told so itself: that is not the pass's fault.
bool verify_promises(htp_ctx &ctx, const PlannedPass &pass, htp_node root, Diagnostics &broken) {
  bool good = true;
  for (const Term &state : pass.holds) {
    Diagnostics why;
    const bool held = holds(ctx, state.text(), root, why);
    log(LogLevel::debug, "verified", {{"state", state.text()}, {"holds", held ? "yes" : "no"}});
    if (held) continue;
    good = false;
    if (why.faults()) continue;
    const bool provided = std::any_of(pass.unit->provides.begin(), pass.unit->provides.end(),
                                      [&](const Term &term) { return term.name == state.name; });
    broken.report(diag::pipeline_broken_promise, {}, pass.unit->name.value, provided ? "provides" : "leaves",
                  state.text());
    broken.append(why);
  }
  return good;
}

} // namespace

bool check_dialects(htp_ctx &ctx, htp_node root) {
  const size_t errors = ctx.diagnostics.errors();
  for (const UnitRef *ref : ctx.registry->of(UnitKind::dialect)) {
    const auto *dialect = static_cast<const htp_dialect *>(ref->interface);
    if (!dialect->check) continue;
    ctx.enter(*ref->unit, root);
    const htp_status status =
        in_unit(ctx, *ref, true, HTP_FAILED, [&] { return dialect->check(ctx.host, &ctx, root); });
    if (status != HTP_OK && ctx.diagnostics.errors() == errors)
      ctx.diagnostics.report(diag::pipeline_pass_failed, {}, ref->unit->name.value);
  }
  return ctx.diagnostics.errors() == errors;
}

bool holds(htp_ctx &ctx, const std::string &term, htp_node root, Diagnostics &why) {
  const UnitRef *ref = ctx.registry->verifier(term);
  if (!ref) {
    why.report(diag::pipeline_no_verifier, {}, term);
    return false;
  }
  htp_ctx own(ctx.store, why, ctx.cache, ctx.settings);
  own.registry = ctx.registry;
  own.host = ctx.host;
  own.cancel = ctx.cancel;
  own.progress = ctx.progress;
  own.done = ctx.done;
  own.enter(*ref->unit, root);
  const auto *interface = static_cast<const htp_verifier *>(ref->interface);
  const htp_status status = in_unit(own, *ref, true, HTP_FAILED, [&] {
    return interface->verify(own.host, &own, {term.data(), term.size()}, root);
  });
  ctx.recorded.insert(ctx.recorded.end(), own.recorded.begin(), own.recorded.end());
  if (why.faults()) ctx.diagnostics.append(why); // that is no answer
  return status == HTP_OK && !why.errors();
}

std::vector<const Stage *> StageRun::kept(const std::string &which) const {
  std::vector<const Stage *> found;
  for (const Stage &stage : stages)
    if (which != "last" || &stage == &stages.front() || &stage == &stages.back()) found.push_back(&stage);
  return found;
}

StageRun run_passes(htp_ctx &ctx, Stage first, const PassPlan &plan, bool verify_each) {
  StageRun run;
  first.header.holds = texts_of(plan.start);
  first.header.then = names_after(plan, 0);
  first.text = render_stage(ctx.store, first.root, first.header);
  first.held = first.header.holds;
  run.stages.push_back(std::move(first));
  for (size_t i = 0; i < plan.passes.size(); ++i) {
    const PlannedPass &pass = plan.passes[i];
    const Stage &before = run.stages.back();
    if (ctx.cancel && *ctx.cancel) return run;
    ctx.done = static_cast<double>(i) / static_cast<double>(plan.passes.size());
    LogPhase phase(pass.unit->name.value);
    const double begin = ctx.clock();
    const size_t reported = ctx.diagnostics.list().size();
    Stage after;
    after.header = {before.header.number + 1,
                    pass.unit->name.value,
                    texts_of(pass.holds),
                    names_after(plan, i + 1),
                    before.header.entry,
                    before.header.target,
                    {}};
    after.root = run_one(ctx, *pass.unit, before.root, after.folder(), run);
    if (!after.root) return run;
    const bool changed = pass.unit->kind == UnitKind::island || differs(ctx, before, after);
    UnparseFailure failure;
    if (changed) after.text = render_stage(ctx.store, after.root, after.header, &failure);
    if (failure.reason) {
      ctx.diagnostics.report(diag::pipeline_bad_result, location_of(ctx.store, failure.node), pass.unit->name.value,
                             failure.reason);
      return run;
    }
    run.seconds.emplace_back(pass.unit->name.value, ctx.clock() - begin);
    if (enters_language(ctx, *pass.unit) && !check_dialects(ctx, after.root)) return run;
    // What Python code made of `ast` objects is always read back: nothing else tells a name that is a keyword.
    if (changed && (verify_each || !pass.unit->code.value.empty()) && !reads_back(ctx, *pass.unit, after)) return run;
    if (verify_each) {
      Diagnostics broken;
      const bool good = verify_promises(ctx, pass, after.root, broken);
      ctx.diagnostics.append(broken);
      if (!good) return run;
    }
    PassEvent event{&pass, before.header.number, before.header.number, {}, {}};
    phase.add({"changed", changed ? "yes" : "no"});
    if (changed) phase.add({"stage", after.folder()});
    if (changed) {
      event.stage_after = after.header.number;
      event.change = change_between(ctx.store, before.root, after.root);
    }
    for (size_t k = reported; k < ctx.diagnostics.list().size(); ++k)
      event.diagnostics.push_back(ctx.diagnostics.list()[k].code);
    run.events.push_back(std::move(event));
    after.held = after.header.holds;
    if (changed)
      run.stages.push_back(std::move(after));
    else
      run.stages.back().held = std::move(after.held);
  }
  run.ok = true;
  return run;
}

void blame_passes(htp_ctx &ctx, const StageRun &run) {
  if (ctx.diagnostics.faults() || (ctx.cancel && *ctx.cancel)) return;
  const Diagnostics refused = ctx.diagnostics;
  Diagnostics broken;
  for (size_t i = 0; i < run.events.size() && broken.empty(); ++i)
    verify_promises(ctx, *run.events[i].pass, run.after(run.events[i]).root, broken);
  ctx.diagnostics = {}; // without what verifiers said that gave no answer
  for (Diagnostic d : broken.list()) {
    if (d.code == diag::pipeline_broken_promise.code)
      for (const Diagnostic &other : refused.list())
        if (is_error(other.severity)) d.note("so `" + other.code + "` is not the program's: " + other.message);
    ctx.diagnostics.add(std::move(d));
  }
  for (const Diagnostic &d : refused.list())
    if (broken.empty() || !is_error(d.severity)) ctx.diagnostics.add(d);
}

std::string trace_lines(const StageRun &run, const ContextSettings &settings) {
  std::string lines;
  for (const PassEvent &event : run.events) {
    const Unit &unit = *event.pass->unit;
    Json requirements = Json::array();
    for (const Requirement &requirement : unit.requires_) requirements.push_back(requirement.text());
    Json options = Json::object();
    if (const auto it = settings.options.find(unit.name.value); it != settings.options.end())
      for (const auto &[name, value] : it->second) options[name] = value;
    const Json line{
        {"pass", unit.name.value},
        {"options", options},
        {"requires", requirements},
        {"provides", texts_of(unit.provides)},
        {"invalidates", texts_of(unit.invalidates)},
        {"holds", texts_of(event.pass->holds)},
        {"stage_before", event.stage_before},
        {"stage_after", event.stage_after},
        {"nodes", {{"before", event.change.before}, {"after", event.change.after}, {"kept", event.change.kept}}},
        {"changed", event.change.functions},
        {"diagnostics", event.diagnostics}};
    lines += line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }
  return lines;
}

} // namespace htp
