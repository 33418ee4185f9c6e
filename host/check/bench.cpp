#include "host/check/bench.h"

#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/check/recorder.h"
#include "host/parse/parse.h"
#include "host/pipeline/analysed.h"
#include "host/pipeline/island.h"
#include "host/pipeline/tree.h"

#include <htp/htp.h>

#include <unistd.h>

#include <algorithm>
#include <set>

namespace htp {

namespace {

constexpr size_t foreign_samples = 6; // of other plugins' examples

struct Example {
  std::string path;
  bool own;
};

std::vector<Example> examples_of(const Subject &subject) {
  std::vector<Example> result;
  for (const Manifest *m : subject.all)
    for (const Text &example : m->examples)
      if (const std::string path = join_path(m->folder, example.value); exists(path))
        result.push_back({path, m == &subject.manifest});
  std::stable_sort(result.begin(), result.end(), [](const Example &a, const Example &b) { return a.own && !b.own; });
  return result;
}

// Backends to compile for: its own first.
std::vector<std::string> targets_of(const Subject &subject) {
  std::vector<std::string> own, others;
  for (const Manifest *m : subject.all)
    for (const Unit &u : m->units)
      if (u.kind == UnitKind::backend) (m == &subject.manifest ? own : others).push_back(u.name.value);
  std::sort(others.begin(), others.end());
  if (!own.empty()) return own;
  return others;
}

bool takes_part(const Compilation &made, const Subject &subject) {
  const auto &plugins = made.resolution().plugins;
  return std::any_of(plugins.begin(), plugins.end(),
                     [&](const ChosenPlugin &p) { return p.manifest->id.value == subject.manifest.id.value; });
}

bool is_own_pass(const Manifest &manifest, std::string_view name) {
  return std::any_of(manifest.units.begin(), manifest.units.end(), [&](const Unit &u) {
    return (u.kind == UnitKind::pass || u.kind == UnitKind::island) && u.name.value == name;
  });
}

// A pipeline of one pass, which the planner fills up; its name.
std::string alone(const Unit &pass) { return pass.name.value + ".alone"; }
Unit pipeline_of(const Unit &pass) {
  Unit pipeline;
  pipeline.kind = UnitKind::pipeline;
  pipeline.name = {alone(pass), pass.name.span};
  pipeline.passes.push_back(pass.name);
  pipeline.span = pass.span;
  return pipeline;
}

std::string first_error(const Diagnostics &said) {
  for (const Diagnostic &d : said.list())
    if (is_error(d.severity)) return d.code + ": " + d.message;
  return "";
}

// What the host saw a unit of the plugin do that no unit may.
Findings broken_by(const Subject &subject, const Diagnostics &said, const std::string &program) {
  const std::pair<std::string_view, CheckId> told[] = {{diag::pipeline_threw.code, CheckId::contains_exceptions},
                                                       {diag::pipeline_left_process.code, CheckId::ends_threads},
                                                       {diag::pipeline_changed_host.code, CheckId::keeps_host}};
  Findings broken;
  for (const Diagnostic &d : said.list())
    for (const auto &[code, check] : told)
      if (const Unit *const unit = named_in(d.message, subject.manifest); unit && d.code == code) {
        Finding &f = broken.fail(check, subject.manifest, unit, d.message);
        f.program = program;
        f.found = d.message;
      }
  return broken;
}

std::string value_text(const Store &store, const htp_value &value) {
  switch (value.type) {
  case HTP_VALUE_INT: return std::to_string(value.u.i);
  case HTP_VALUE_FLOAT: return fmt::format("{:a}", value.u.f);
  case HTP_VALUE_STR: return "'" + std::string(value.u.s.data, value.u.s.size) + "'";
  case HTP_VALUE_NODE: return store.is_node(value.u.n) ? text_of(store, value.u.n) : "no node";
  case HTP_VALUE_LIST: {
    std::string text = "[";
    for (uint32_t i = 0; i < value.count; ++i) text += value_text(store, value.u.items[i]) + ", ";
    return text + "]";
  }
  default: return "?";
  }
}

// A node by its place in the tree, since ids differ from run to run.
std::string table_text(const Store &store, htp_node root, const htp_table &table) {
  std::map<htp_node, size_t> order;
  for (const htp_node n : preorder(*store.abi(), root)) order.emplace(n, order.size());
  std::string text;
  for (size_t i = 0; i < table.count; ++i) {
    const auto at = order.find(table.rows[i].key);
    text += fmt::format("{}: {}\n", at == order.end() ? "elsewhere" : std::to_string(at->second),
                        value_text(store, table.rows[i].value));
  }
  return text;
}

Call call_of(const UnitRef &ref, const Sample &sample, std::string_view function, htp_node root) {
  Call call;
  call.ref = &ref;
  call.sample = &sample;
  call.what = fmt::format("`{}` of {} `{}`", function, unit_kind_name(ref.unit->kind), ref.unit->name.value);
  call.root = root;
  return call;
}

Call pass_call(const UnitRef &ref, const Sample &sample, const Stage &before, const Stage &after) {
  Call call = call_of(ref, sample, "run", before.root);
  call.holds = before.held;
  call.after = after.root;
  call.go = [&ref](htp_ctx &ctx, htp_node root, const CallOptions &, Answer &answer) {
    answer.out = root;
    std::vector<PackageFile> files;
    answer.status = ref.unit->kind == UnitKind::island
                        ? run_island(ctx, *static_cast<const htp_island *>(ref.interface), root, "", answer.out, files)
                        : static_cast<const htp_pass *>(ref.interface)->run(ctx.host, &ctx, root, &answer.out);
    const bool module = ctx.store.is_node(answer.out) && ctx.store.kind(answer.out) == HTP_Module;
    if (answer.status == HTP_OK) answer.text = module ? text_of(ctx.store, answer.out) : "no module";
  };
  return call;
}

Call verifier_call(const UnitRef &ref, const Sample &sample, const Stage &stage, const std::string &term) {
  Call call = call_of(ref, sample, "verify", stage.root);
  call.any_tree = true;
  call.go = [&ref, term](htp_ctx &ctx, htp_node root, const CallOptions &, Answer &answer) {
    answer.status =
        static_cast<const htp_verifier *>(ref.interface)->verify(ctx.host, &ctx, {term.data(), term.size()}, root);
    answer.text = answer.status == HTP_OK ? term + " holds" : term + " does not hold";
  };
  return call;
}

void add_row(void *to, htp_node key, const htp_value *value) { static_cast<Analysed *>(to)->add(key, *value); }

Call analysis_call(const UnitRef &ref, const Sample &sample, const Stage &stage) {
  Call call = call_of(ref, sample, "run", stage.root);
  call.any_tree = true;
  call.go = [&ref](htp_ctx &ctx, htp_node root, const CallOptions &, Answer &answer) {
    Analysed analysed;
    const htp_sink sink{&analysed, add_row};
    answer.status = static_cast<const htp_analysis *>(ref.interface)->run(ctx.host, &ctx, root, &sink);
    const auto table = analysed.finish(ref.unit->values.value);
    answer.text = table ? table_text(ctx.store, root, **table) : "no table: " + table.error();
  };
  return call;
}

Call dialect_call(const UnitRef &ref, const Sample &sample, const Stage &stage) {
  Call call = call_of(ref, sample, "check", stage.root);
  call.any_tree = true;
  call.go = [&ref](htp_ctx &ctx, htp_node root, const CallOptions &, Answer &answer) {
    answer.status = static_cast<const htp_dialect *>(ref.interface)->check(ctx.host, &ctx, root);
  };
  return call;
}

Call emit_call(const UnitRef &ref, const Sample &sample) {
  Call call = call_of(ref, sample, "emit", sample.made->last());
  call.holds = sample.made->ran().stages.back().held;
  call.go = [&ref](htp_ctx &ctx, htp_node root, const CallOptions &, Answer &answer) {
    ctx.emitting = true;
    answer.status = static_cast<const htp_backend *>(ref.interface)->emit(ctx.host, &ctx, root);
    for (const PackageFile &file : ctx.artifacts)
      answer.text += fmt::format("--- {} ({})\n{}\n", file.path, file.role, file.bytes);
  };
  return call;
}

Call infer_call(const UnitRef &ref, const Sample &sample, const RecordedInfer &asked) {
  Call call = call_of(ref, sample, "infer", asked.root);
  call.given = asked.call_node;
  call.row = asked.index;
  call.go = [&ref, asked](htp_ctx &ctx, htp_node, const CallOptions &options, Answer &answer) {
    std::vector<htp_node> types = asked.types;
    if (options.dice) { // fewer, none, or exchanged
      for (htp_node &type : types)
        if (!options.dice->below(3)) type = options.dice->below(2) ? HTP_NONE : asked.call_node;
      if (!types.empty() && options.dice->below(2)) std::swap(types.front(), types.back());
      if (!types.empty() && !options.dice->below(3)) types.pop_back();
    }
    answer.out =
        static_cast<const htp_intrinsics *>(ref.interface)
            ->infer(ctx.host, &ctx, asked.index, asked.call_node, types.data(), static_cast<uint32_t>(types.size()));
    answer.status = answer.out ? HTP_OK : HTP_FAILED;
    answer.text = !answer.out ? "no type" : !ctx.store.is_node(answer.out) ? "no node" : text_of(ctx.store, answer.out);
  };
  return call;
}

Call rewrite_call(const UnitRef &ref, const Sample &sample, const RecordedRewrite &asked) {
  Call call = call_of(ref, sample, "rewrite", asked.root);
  call.given = asked.statement;
  call.row = asked.index;
  call.go = [&ref, asked](htp_ctx &ctx, htp_node, const CallOptions &, Answer &answer) {
    const htp_handler_call given = asked.call();
    answer.out = static_cast<const htp_handlers *>(ref.interface)->rewrite(ctx.host, &ctx, asked.index, &given);
    answer.status = answer.out ? HTP_OK : HTP_FAILED;
    if (!answer.out) return;
    if (!ctx.store.is_list(answer.out)) {
      answer.text = "no list";
      return;
    }
    for (const htp_node s : ctx.store.items(answer.out))
      answer.text += ctx.store.is_node(s) ? text_of(ctx.store, s) + "\n" : "no node\n";
  };
  return call;
}

} // namespace

std::string text_of(const Store &store, htp_node root) {
  UnparseFailure failure;
  UnparseOptions options;
  options.failure = &failure;
  std::string text = unparse(*store.abi(), root, options);
  return failure.reason ? fmt::format("cannot be written as Python: {}", failure.reason) : text;
}

std::string image_of(const Store &store, htp_node root) {
  std::string image;
  for (const htp_node n : preorder(*store.abi(), root)) {
    const htp_record &r = store.at(n);
    image.append(reinterpret_cast<const char *>(&r), sizeof r);
    const Slots slots = store.slots(n);
    image.append(reinterpret_cast<const char *>(slots.data()), slots.size_bytes());
  }
  return image + text_of(store, root);
}

std::string lines_of(const Diagnostics &said) {
  std::string text;
  for (const Diagnostic &d : said.list()) text += d.code + ": " + d.message + "\n";
  return text;
}

std::pair<std::string, std::string> first_difference_of(const std::string &a, const std::string &b) {
  const size_t same = static_cast<size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin()).first -
      a.begin());
  const size_t line = same == 0 ? 0 : a.rfind('\n', same - 1) + 1;
  const auto from = [&](const std::string &text) {
    const std::string found = text.substr(std::min(line, text.size()), text.find('\n', same) - line);
    return found.empty() ? std::string("nothing") : found.substr(0, 300);
  };
  return {from(a), from(b)};
}

namespace {
// Starts the interpreter, which sets up the process in its own way.
const Subject &warm(const Subject &subject) {
  Store store;
  Diagnostics said;
  parse_statements("pass", HTP_NONE, said, store);
  return subject;
}
} // namespace

Bench::Bench(const Subject &checked, ConfinedVoice &own) : subject(warm(checked)), voice(&own), cache(Cache::off()) {}

void Bench::leave_out(const std::set<std::string> &units) {
  left_out_.insert(units.begin(), units.end());
  std::erase_if(calls_, [&](const Call &call) { return units.contains(call.ref->unit->name.value); });
}

std::unique_ptr<Compilation> Bench::compile(const std::string &program, const std::string &target, const Way &way,
                                            Diagnostics &said) const {
  CompileRequest request;
  request.program = program;
  if (!way.need.empty()) request.needs.push_back(way.need);
  request.progress = [&](double, std::string_view what) {
    voice->at(fmt::format("compiling {}: `{}`", program, what));
  };
  Inputs inputs;
  inputs.profile.target.value = target;
  inputs.profile.pipeline.value = way.pipeline;
  inputs.program.value = program;
  inputs.read_folder = program.substr(0, program.rfind('/'));
  for (const Manifest *m : subject.all) {
    inputs.manifests.push_back(*m);
    if (m == &subject.manifest)
      for (const Unit &unit : m->units)
        if (alone(unit) == way.pipeline) inputs.manifests.back().units.push_back(pipeline_of(unit));
    inputs.search.push_back(m->folder);
  }
  Cache none = Cache::off();
  return Compilation::run(std::move(inputs), request, subject.options.cache ? *subject.options.cache : none, said);
}

// Passes that nothing wants of a plain compile run when a pipeline names them: the plugin's own, or one made for the
// purpose. Analyses take part when they are wanted.
void Bench::prepare(Findings &findings) {
  const std::vector<Example> examples = examples_of(subject);
  size_t foreign = 0;
  for (const Example &example : examples)
    if ((example.own || foreign < foreign_samples) && !attempt(example.path, example.own, {}, foreign, findings))
      return;
  std::set<std::string> ran;
  const auto note_what_ran = [&] {
    for (const Sample &sample : samples)
      for (const auto &event : sample.made->ran().events) ran.insert(event.pass->unit->name.value);
  };
  note_what_ran();
  const auto try_each = [&](const Way &way) {
    for (const Example &example : examples)
      if (example.own && !attempt(example.path, true, way, foreign, findings)) return false;
    note_what_ran();
    return true;
  };
  for (const Unit &unit : subject.manifest.units) {
    const bool unseen = std::any_of(unit.passes.begin(), unit.passes.end(), [&](const Text &pass) {
      return !ran.contains(pass.value) && is_own_pass(subject.manifest, pass.value);
    });
    if (unit.kind == UnitKind::pipeline && unseen && !try_each({.pipeline = unit.name.value})) return;
  }
  for (const Unit &unit : subject.manifest.units)
    if ((unit.kind == UnitKind::pass || unit.kind == UnitKind::island) && !ran.contains(unit.name.value) &&
        !try_each({.pipeline = alone(unit)}))
      return;
  for (const Unit &unit : subject.manifest.units) {
    const bool asked = std::any_of(samples.begin(), samples.end(), [&](const Sample &sample) {
      return sample.made->registry().find(UnitKind::analysis, unit.name.value);
    });
    if (unit.kind == UnitKind::analysis && !asked && !unit.provides.empty() &&
        !try_each({.need = unit.provides.front().text()}))
      return;
  }
}

// False when it misbehaved, which was told.
bool Bench::attempt(const std::string &path, bool own, const Way &way, size_t &foreign, Findings &findings) {
  const std::vector<std::string> targets = targets_of(subject);
  const size_t before = samples.size();
  std::string why = targets.empty() ? "there is no backend to compile for" : "";
  bool made = false;
  for (const std::string &target : targets) {
    // Once in a child, which it may take down.
    ConfinedLimits limits;
    limits.time = subject.options.time;
    const ConfinedEnd end = run_confined(limits, [&](ConfinedVoice &own_voice) {
      Bench bench(subject, own_voice);
      Diagnostics said;
      own_voice.at(fmt::format("compiling {}", path));
      try {
        const auto compiled = bench.compile(path, target, way, said);
        own_voice.at(fmt::format("compiling {}: the emitter of `{}`", path, target));
        if (compiled && compiled->last()) compiled->emit(said);
        if (const Findings broken = broken_by(subject, said, path); !broken.failed.empty())
          own_voice.answer("!" + line_of(broken));
        else
          own_voice.answer(!compiled                         ? "-" + first_error(said)
                           : !takes_part(*compiled, subject) ? "absent"
                           : said.errors()                   ? "=" + first_error(said)
                                                             : "+");
      } catch (const std::exception &e) {
        own_voice.answer(std::string("-") + e.what());
      }
    });
    if (end.outcome == ConfinedEnd::Outcome::done && end.answer.starts_with('!')) {
      take_lines(std::string_view(end.answer).substr(1), findings);
      return false;
    }
    if (const auto failed = failed_by(end)) {
      const Unit *const unit = named_in(end.place, subject.manifest);
      if (!own && !unit && targets.size() > 1) continue;
      const bool late = end.outcome == ConfinedEnd::Outcome::hung, done = end.outcome == ConfinedEnd::Outcome::done;
      const std::string reason = late   ? fmt::format("no sign of life for {} ms", limits.time.count())
                                 : done ? fmt::format("{} of its processes are still there when it ends", end.left)
                                        : end.reason;
      if (Finding *f = fail(findings, *failed, unit, nullptr, fmt::format("{}: {}", reason, end.place))) {
        f->program = path;
        f->found = reason;
        f->late = late;
        if (!end.output.empty()) f->diagnostic.note("it wrote: " + end.output);
      }
      return false;
    }
    if (end.answer == "absent") {
      made = true; // it compiles; nothing of this plugin is in it
      break;
    }
    // Refused, or refused on the way while there is another target to try.
    if (end.answer.starts_with('-') || (end.answer.starts_with('=') && &target != &targets.back())) {
      if (why.empty()) why = end.answer.substr(1);
      continue;
    }
    // It survives: the same again in this process, to be kept.
    Diagnostics said;
    Sample sample{path, target, compile(path, target, way, said)};
    if (!sample.made) continue;
    samples.push_back(std::move(sample));
    foreign += !own;
    made = end.answer == "+";
    if (!made) why = end.answer.substr(1);
    break;
  }
  // Without a plan the pipeline, or the analysis, does not fit this example; that is not the example's fault.
  const bool plain = way.pipeline.empty() && way.need.empty();
  if (made || !own || (!plain && samples.size() == before)) return true;
  const Manifest &m = subject.manifest;
  if (Finding *f = fail(findings, CheckId::examples_compile, nullptr, nullptr,
                        fmt::format("the example `{}` does not compile: {}", path, why))) {
    f->program = path;
    f->found = why;
    if (!way.pipeline.empty()) f->diagnostic.note("by the pipeline `" + way.pipeline + "`");
    for (const Text &text : m.examples)
      if (path == join_path(m.folder, text.value)) f->diagnostic.span = text.span;
  }
  return true;
}

namespace {
// What held of a stage: from its header on, after each pass that left it as it was.
std::set<std::string> held_of(const StageRun &run, const Stage &stage) {
  std::set<std::string> held(stage.header.holds.begin(), stage.header.holds.end());
  for (const PassEvent &event : run.events)
    if (&run.after(event) == &stage)
      for (const Term &state : event.pass->holds) held.insert(state.text());
  return held;
}

// Whether the states held of a stage that the unit requires.
bool fits(const Unit &unit, const std::set<std::string> &held, const Registry &registry) {
  return std::all_of(unit.requires_.begin(), unit.requires_.end(), [&](const Requirement &requirement) {
    return std::any_of(requirement.alternatives.begin(), requirement.alternatives.end(),
                       [&](const Term &term) { return !registry.verifier(term.text()) || held.contains(term.text()); });
  });
}
} // namespace

void Bench::collect(const Sample &sample) {
  const Compilation &made = *sample.made;
  const Registry &registry = made.registry();
  const StageRun &run = made.ran();
  for (const PassEvent &event : run.events) {
    const Unit &unit = *event.pass->unit;
    const UnitRef *ref = registry.find(unit.kind, unit.name.value);
    if (ref && own(*ref)) calls_.push_back(pass_call(*ref, sample, run.before(event), run.after(event)));
  }
  for (const Stage &stage : run.stages) {
    const std::set<std::string> held = held_of(run, stage);
    for (const std::string &term : held)
      if (const UnitRef *ref = registry.verifier(term); ref && own(*ref))
        calls_.push_back(verifier_call(*ref, sample, stage, term));
    for (const UnitRef *ref : registry.of(UnitKind::analysis))
      if (own(*ref) && fits(*ref->unit, held, registry)) calls_.push_back(analysis_call(*ref, sample, stage));
  }
  for (const UnitRef *ref : registry.of(UnitKind::dialect))
    if (own(*ref) && static_cast<const htp_dialect *>(ref->interface)->check)
      calls_.push_back(dialect_call(*ref, sample, run.stages.front()));
  const UnitRef *backend = registry.find(UnitKind::backend, sample.target);
  if (backend && own(*backend) && made.last()) calls_.push_back(emit_call(*backend, sample));
  // What passes ask of intrinsic sets and handlers is seen on the way.
  Recorder recorder;
  for (const PassEvent &event : run.events) {
    const Unit &unit = *event.pass->unit;
    const UnitRef *ref = registry.find(unit.kind, unit.name.value);
    voice->at(fmt::format("`run` of pass `{}` on {}", unit.name.value, sample.program));
    Call call = pass_call(*ref, sample, run.before(event), run.after(event));
    recorder.begin(registry, run.before(event).root);
    this->run(call, call.root, {.host = recorder.table()});
  }
  std::map<const UnitRef *, std::set<uint32_t>> seen; // a few of each row
  for (const RecordedInfer &asked : recorder.infers())
    if (own(*asked.ref) && seen[asked.ref].insert(asked.index).second)
      calls_.push_back(infer_call(*asked.ref, sample, asked));
  for (const RecordedRewrite &asked : recorder.rewrites())
    if (own(*asked.ref) && seen[asked.ref].insert(asked.index).second)
      calls_.push_back(rewrite_call(*asked.ref, sample, asked));
}

const std::vector<Call> &Bench::calls() {
  if (!collected_)
    for (const Sample &sample : samples) collect(sample);
  collected_ = true;
  return calls_;
}

std::vector<const Call *> Bench::calls_of(UnitKind kind) {
  std::vector<const Call *> result;
  for (const Call &call : calls())
    if (call.ref->unit->kind == kind) result.push_back(&call);
  return result;
}

std::vector<const Call *> Bench::one_each() {
  std::set<std::pair<std::string, uint32_t>> seen;
  std::vector<const Call *> result;
  for (const Call &call : calls())
    if (seen.emplace(call.ref->unit->name.value, call.row).second) result.push_back(&call);
  return result;
}

Answer Bench::run(const Call &call, htp_node root, const CallOptions &options) const {
  static const volatile std::sig_atomic_t stop = 1;
  Answer answer;
  const Compilation &made = *call.sample->made;
  htp_ctx ctx(made.store(), answer.said, cache, made.settings());
  ctx.registry = &made.registry();
  if (options.host) ctx.host = options.host;
  if (options.cancelled) ctx.cancel = &stop;
  ctx.enter(*call.ref->unit, root);
  voice->at(
      fmt::format("{} on {}{}{}", call.what, call.sample->program, options.told.empty() ? "" : ", ", options.told));
  const pid_t process = ::getpid();
  try {
    call.go(ctx, root, options, answer);
  } catch (const std::exception &e) {
    answer.threw = true;
    answer.text = e.what();
  } catch (...) {
    answer.threw = true;
    answer.text = "not a std::exception";
  }
  if (::getpid() != process) ::_exit(1); // a copy that the unit made of it
  return answer;
}

bool Bench::all_hold(const Sample &sample, const std::vector<std::string> &states, htp_node root) const {
  Diagnostics said;
  htp_ctx ctx(sample.made->store(), said, cache, sample.made->settings());
  ctx.registry = &sample.made->registry();
  return std::all_of(states.begin(), states.end(), [&](const std::string &state) {
    Diagnostics why;
    voice->at(fmt::format("the verifier of `{}` on {}", state, sample.program));
    return holds(ctx, state, root, why);
  });
}

Finding *Bench::fail(Findings &findings, CheckId check, const Unit *unit, const Sample *sample,
                     std::string message) const {
  for (const Finding &f : findings.failed)
    if (f.check == check && f.unit == (unit ? unit->name.value : "")) return nullptr;
  // The unit of the manifest that is checked: a sample has a copy of its own.
  const Unit *shown = nullptr;
  for (const Unit &u : subject.manifest.units)
    if (unit && u.name.value == unit->name.value) shown = &u;
  Finding &f = findings.fail(check, subject.manifest, shown, std::move(message));
  if (sample) f.program = sample->program;
  return &f;
}

} // namespace htp
