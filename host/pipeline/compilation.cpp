#include "host/pipeline/compilation.h"

#include "host/pipeline/phases.h"
#include "host/pipeline/tree.h"

#include <algorithm>

namespace htp {

namespace {

// What an analysis can be of a target's last stages.
struct ModelKind {
  const char *capability, *values;
};
constexpr const char *task_graphs = "Task.Graph", *deadlock_graphs = "Deadlock.Graph";
constexpr ModelKind cost_model{"Cost.Model", "float"}, simulation_model{"Simulation.Model", "string"},
    report_views{"Report.Views", "string"};

std::string term_of(const ModelKind &kind, const std::string &target) {
  return std::string(kind.capability) + "(target=" + target + ")";
}

bool provides(const Unit &unit, const std::string &term) {
  return std::any_of(unit.provides.begin(), unit.provides.end(), [&](const Term &t) { return t.text() == term; });
}

bool is_model(const Unit &unit, const ModelKind &kind, const std::string &target) {
  return unit.kind == UnitKind::analysis && unit.values.value == kind.values && provides(unit, term_of(kind, target));
}

// What a table of strings gives: of the entry's function the JSON, of other nodes names or ids.
void read_rows(const Store &store, const htp_table &table, std::string &json, std::map<std::string, Span> &locations) {
  for (uint32_t k = 0; k < table.count; ++k) {
    const auto &[key, value] = table.rows[k];
    const std::string text(value.u.s.data, value.u.s.size);
    if (store.kind(key) == HTP_FunctionDef)
      json = text;
    else
      locations[text] = location_of(store, key);
  }
}

// A compile to the last stage, with the target's model loaded if there is one.
std::unique_ptr<Compilation> compile_for(const ModelKind &kind, CompileRequest request, Cache &cache,
                                         Diagnostics &diagnostics) {
  auto inputs = gather(request, true, diagnostics);
  if (!inputs) return nullptr;
  const std::string &target = inputs->profile.target.value;
  for (const Manifest &manifest : inputs->manifests)
    if (std::any_of(manifest.units.begin(), manifest.units.end(),
                    [&](const Unit &u) { return is_model(u, kind, target); })) {
      request.needs.push_back(term_of(kind, target));
      break;
    }
  auto compilation = Compilation::run(std::move(*inputs), request, cache, diagnostics);
  return diagnostics.errors() ? nullptr : std::move(compilation);
}

} // namespace

struct Compilation::State {
  Inputs inputs;
  Store store;
  std::optional<Start> start;
  Setup setup;
  StageRun run;
  std::optional<Diagnostics> said; // setup's context reports to it
  htp_node last = HTP_NONE;

  const UnitRef *model(const ModelKind &kind) const {
    const UnitRef *found = nullptr;
    for (const UnitRef *ref : setup.registry->of(UnitKind::analysis))
      if (is_model(*ref->unit, kind, setup.ctx->settings.target)) found = ref;
    return last ? found : nullptr;
  }
  const UnitRef *analysis(const char *term) const {
    const UnitRef *found = nullptr;
    for (const UnitRef *ref : setup.registry->of(UnitKind::analysis))
      if (provides(*ref->unit, term)) found = ref;
    return found;
  }
  // Its table of a tree; null after a report.
  const htp_table *ask(const UnitRef &unit, htp_node root, const std::map<std::string, std::string> &options,
                       Diagnostics &diagnostics) {
    const std::string &name = unit.unit->name.value;
    for (const auto &[option, value] : options) setup.ctx->settings.options[name][option] = value;
    said.emplace();
    setup.ctx->enter(*unit.unit, root);
    const htp_table *table = setup.ctx->host->analysis(&*setup.ctx, name.c_str(), root);
    diagnostics.append(*said);
    return table;
  }
};

Compilation::Compilation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Compilation::~Compilation() = default;

std::unique_ptr<Compilation> Compilation::run(Inputs inputs, const CompileRequest &request, Cache &cache,
                                              Diagnostics &diagnostics) {
  auto state = std::make_unique<State>();
  State &s = *state;
  s.inputs = std::move(inputs);
  s.start = parse_start(request, s.inputs, s.store, diagnostics);
  if (!s.start) return nullptr;
  s.setup.request = make_request(request, s.inputs, *s.start, s.store);
  s.setup.locked = request.locked;
  if (!choose(s.inputs, *s.start, s.store, s.setup, cache, diagnostics)) return nullptr;
  bool planned = false;
  if (run_rounds(s.inputs, *s.start, s.setup, s.store, cache, request, s.run, s.said, [&] { planned = true; }))
    s.last = read_again(s.store, s.run.stages.back(), *s.said);
  if (s.setup.ctx) s.setup.ctx->progress = {}; // of this call
  diagnostics.append(*s.said);
  return planned ? std::unique_ptr<Compilation>(new Compilation(std::move(state))) : nullptr;
}

Store &Compilation::store() const { return state_->store; }
const Resolution &Compilation::resolution() const { return *state_->setup.resolution; }
const Registry &Compilation::registry() const { return *state_->setup.registry; }
const ContextSettings &Compilation::settings() const { return state_->setup.ctx->settings; }
const StageRun &Compilation::ran() const { return state_->run; }
htp_node Compilation::last() const { return state_->last; }

std::optional<PackageDraft> Compilation::emit(Diagnostics &diagnostics) {
  State &s = *state_;
  s.said.emplace();
  s.setup.ctx->artifacts.clear();
  const bool good = htp::emit(*s.setup.ctx, s.setup, s.run.stages.back(), *s.said);
  diagnostics.append(*s.said);
  if (!good) return std::nullopt;
  std::vector<InputFile> described = s.inputs.files;
  described.insert(described.end(), s.start->files.begin(), s.start->files.end());
  return draft_package(s.inputs, s.setup, s.run, described);
}

std::optional<Estimate> Compilation::estimate(const std::map<std::string, int64_t> &sizes, Diagnostics &diagnostics) {
  const UnitRef *model = state_->model(cost_model);
  if (!model) return Estimate{};
  std::string said;
  for (const auto &[dim, size] : sizes) said += (said.empty() ? "" : " ") + dim + "=" + std::to_string(size);
  const htp_table *table = state_->ask(*model, state_->last, {{"sizes", said}}, diagnostics);
  if (!table) return std::nullopt;
  Estimate found{model->unit->name.value};
  for (uint32_t k = 0; k < table->count; ++k) {
    found.seconds += table->rows[k].value.u.f;
    found.lines[store().at(table->rows[k].key).line] += table->rows[k].value.u.f;
  }
  return found;
}

std::optional<Simulated> Compilation::simulate(const std::map<std::string, std::string> &options,
                                               Diagnostics &diagnostics) {
  const UnitRef *model = state_->model(simulation_model);
  if (!model) return Simulated{};
  // As the passes made it: its nodes know the user's lines.
  const htp_table *table = state_->ask(*model, state_->run.stages.back().root, options, diagnostics);
  if (!table) return std::nullopt;
  Simulated found{.by = model->unit->name.value};
  read_rows(store(), *table, found.json, found.declared);
  return found;
}

std::optional<TaskGraph> Compilation::task_graph(const std::string &stage, Diagnostics &diagnostics) {
  TaskGraph found;
  const UnitRef *unit = state_->analysis(task_graphs);
  const std::vector<Stage> &stages = state_->run.stages;
  const htp_table *table = nullptr;
  Diagnostics refused; // by the first stage, the user's program
  for (size_t k = stages.size(); k-- > 0 && !table;) {
    const StageHeader &header = stages[k].header;
    const std::string id = stages[k].id(), name = id + "-" + header.after;
    found.stages = name + (found.stages.empty() ? "" : ", ") + found.stages;
    if (!stage.empty() && stage != id && stage != std::to_string(header.number) && stage != header.after &&
        stage != name)
      continue;
    refused = {};
    table = state_->ask(*unit, stages[k].root, {}, refused);
    found.stage = name;
  }
  if (!table) {
    diagnostics.append(refused);
    return found.stage.empty() ? std::optional(found) : std::nullopt;
  }
  found.by = unit->unit->name.value;
  read_rows(store(), *table, found.json, found.locations);
  return found;
}

std::optional<Views::Drawn> Compilation::drawn(Diagnostics &diagnostics) {
  const UnitRef *unit = state_->model(report_views);
  const htp_table *table = unit ? state_->ask(*unit, state_->last, {}, diagnostics) : nullptr;
  if (!table) return std::nullopt;
  Views::Drawn found{.by = unit->unit->name.value};
  std::map<std::string, Span> none;
  read_rows(store(), *table, found.json, none);
  return found;
}

std::optional<DeadlockGraph> Compilation::deadlock(Inputs inputs, const CompileRequest &request, Cache &cache,
                                                   Diagnostics &diagnostics) {
  State s;
  s.inputs = std::move(inputs);
  s.start = parse_start(request, s.inputs, s.store, diagnostics);
  if (!s.start) return std::nullopt;
  s.setup.request = make_request(request, s.inputs, *s.start, s.store);
  s.said.emplace();
  const bool open = choose(s.inputs, *s.start, s.store, s.setup, cache, diagnostics) &&
                    open_context(s.inputs, *s.start, s.setup, s.store, cache, request, *s.said);
  diagnostics.append(*s.said);
  if (!open) return std::nullopt;
  const UnitRef &unit = *s.analysis(deadlock_graphs);
  const htp_table *table = s.ask(unit, s.start->root, {}, diagnostics);
  if (!table) return std::nullopt;
  DeadlockGraph found{.by = unit.unit->name.value};
  read_rows(s.store, *table, found.json, found.locations);
  return found;
}

std::optional<Estimate> estimate(CompileRequest request, const std::map<std::string, int64_t> &sizes, Cache &cache,
                                 Diagnostics &diagnostics) {
  const auto compilation = compile_for(cost_model, std::move(request), cache, diagnostics);
  return compilation ? compilation->estimate(sizes, diagnostics) : std::nullopt;
}

std::optional<Simulated> simulate(CompileRequest request, const std::map<std::string, std::string> &options,
                                  Cache &cache, Diagnostics &diagnostics) {
  const auto compilation = compile_for(simulation_model, std::move(request), cache, diagnostics);
  return compilation ? compilation->simulate(options, diagnostics) : std::nullopt;
}

std::optional<TaskGraph> task_graph(CompileRequest request, const std::string &stage, Cache &cache,
                                    Diagnostics &diagnostics) {
  auto inputs = gather(request, true, diagnostics);
  if (!inputs) return std::nullopt;
  request.needs.emplace_back(task_graphs);
  const auto compilation = Compilation::run(std::move(*inputs), request, cache, diagnostics);
  return compilation && !diagnostics.errors() ? compilation->task_graph(stage, diagnostics) : std::nullopt;
}

std::optional<Views> views(CompileRequest request, const std::map<std::string, int64_t> &sizes, Cache &cache,
                           Diagnostics &diagnostics) {
  auto inputs = gather(request, true, diagnostics);
  if (!inputs) return std::nullopt;
  const std::string target = inputs->profile.target.value;
  Views found;
  // What no plugin provides is not asked for.
  const auto want = [&](const std::string &term) {
    const bool there = std::any_of(inputs->manifests.begin(), inputs->manifests.end(), [&](const Manifest &manifest) {
      return std::any_of(manifest.units.begin(), manifest.units.end(),
                         [&](const Unit &unit) { return unit.kind == UnitKind::analysis && provides(unit, term); });
    });
    if (there)
      request.needs.push_back(term);
    else
      found.missing.emplace_back(term, "no plugin provides it");
    return there;
  };
  const bool tasks = want(task_graphs), simulates = want(term_of(simulation_model, target)),
             costs = want(term_of(cost_model, target)), draws = want(term_of(report_views, target));
  const auto compilation = Compilation::run(std::move(*inputs), request, cache, diagnostics);
  if (!compilation || diagnostics.errors()) return std::nullopt;
  std::string said;
  for (const auto &[dim, size] : sizes) said += (said.empty() ? "" : " ") + dim + "=" + std::to_string(size);
  const auto ask = [&](bool wanted, const std::string &term, auto &kept, auto call) {
    if (!wanted) return;
    Diagnostics why;
    kept = call(why);
    if (!why.errors()) return;
    kept.reset();
    for (const Diagnostic &d : why.list())
      if (is_error(d.severity)) return void(found.missing.emplace_back(term, d.message));
  };
  ask(tasks, task_graphs, found.tasks, [&](Diagnostics &why) { return compilation->task_graph("", why); });
  ask(simulates, term_of(simulation_model, target), found.simulated, [&](Diagnostics &why) {
    return compilation->simulate({{"sizes", said}, {"timeline", "true"}}, why);
  });
  ask(costs, term_of(cost_model, target), found.cost,
      [&](Diagnostics &why) { return compilation->estimate(sizes, why); });
  ask(draws, term_of(report_views, target), found.drawn, [&](Diagnostics &why) { return compilation->drawn(why); });
  return found;
}

std::optional<DeadlockGraph> deadlock(CompileRequest request, Cache &cache, Diagnostics &diagnostics) {
  auto inputs = gather(request, true, diagnostics);
  if (!inputs) return std::nullopt;
  request.needs.emplace_back(deadlock_graphs);
  return Compilation::deadlock(std::move(*inputs), request, cache, diagnostics);
}

} // namespace htp
