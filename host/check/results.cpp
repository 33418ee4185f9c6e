// What comes of a plugin's passes, analyses, verifiers, handlers and typing rules on example programs.
#include "host/ast/compare.h"
#include "host/ast/unparse.h"
#include "host/ast/walk.h"
#include "host/base/fs.h"
#include "host/check/behaviour.h"
#include "host/check/made_up.h"
#include "host/pipeline/program.h"
#include "host/pipeline/stage.h"
#include "host/pipeline/tree.h"
#include "host/python/python.h"

#include <htp/htp.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace htp {

namespace {

// ── the same in every process ──

struct Deterministic {
  UnitKind kind;
  CheckId check;
};
constexpr Deterministic deterministic[] = {
    {UnitKind::pass, CheckId::pass_deterministic},         {UnitKind::island, CheckId::pass_deterministic},
    {UnitKind::analysis, CheckId::analysis_deterministic}, {UnitKind::verifier, CheckId::verifier_deterministic},
    {UnitKind::handlers, CheckId::handlers_deterministic}, {UnitKind::intrinsics, CheckId::intrinsics_deterministic},
    {UnitKind::backend, CheckId::emit_deterministic}};

// What every call answers, in a process of its own whose heap is laid out otherwise.
std::string answers(Bench &bench, uint64_t seed) {
  ConfinedLimits limits;
  limits.time = bench.subject.options.time;
  const ConfinedEnd end = run_confined(limits, [&](ConfinedVoice &voice) {
    bench.voice = &voice;
    Dice dice(seed);
    std::vector<void *> blocks;
    for (uint64_t i = 0; i < 200 * seed; ++i) blocks.push_back(std::malloc(1 + dice.below(5000)));
    for (size_t i = 0; i < blocks.size(); i += 2) std::free(blocks[i]);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Call &call : bench.calls()) {
      const Answer answer = bench.run(call);
      list.push_back(answer.text + lines_of(answer.said));
    }
    voice.answer(list.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  });
  return end.outcome == ConfinedEnd::Outcome::done ? end.answer : "";
}

// ── passes ──

// Why the tree is none that a stage can be; empty when it is one.
std::string malformed(Store &store, htp_node root, std::string &found) {
  if (!store.is_node(root) || store.kind(root) != HTP_Module) {
    found = store.is_node(root) ? "a node of another kind" : "no node";
    return "its result is no module";
  }
  UnparseFailure failure;
  UnparseOptions options;
  options.failure = &failure;
  const std::string text = unparse(*store.abi(), root, options);
  if (failure.reason) {
    found = failure.reason;
    return "its result cannot be written as Python";
  }
  Diagnostics said;
  const htp_node again = parse_program(std::make_shared<SourceFile>("program.py", text), said, store);
  if (!again) {
    found = said.empty() ? "no Python" : said.list().front().message;
    return "its result does not read as Python";
  }
  const Difference difference = first_difference(*store.abi(), again, *store.abi(), root);
  if (!difference) return "";
  found = difference.a ? text_of(store, difference.a) : "nothing";
  return "its result reads back as another tree";
}

// The first statement made by the pass that leads to no place.
htp_node without_origin(const Store &store, htp_node before, htp_node after) {
  std::set<htp_node> kept;
  for (const htp_node n : preorder(*store.abi(), before)) kept.insert(n);
  for (const htp_node n : preorder(*store.abi(), after))
    if (!kept.contains(n) && kind_info(store.kind(n)).group == HTP_GROUP_STMT && !location_of(store, n) &&
        store.kind(n) != HTP_Import && store.kind(n) != HTP_ImportFrom) // which stand for no line
      return n;
  return HTP_NONE;
}

std::string unknown_import(const Bench &bench, const Sample &sample, htp_node root, htp_node before) {
  std::set<std::string> known = {"htp", "__future__"};
  for (const Manifest *m : bench.subject.all) known.insert(m->python_module.value);
  for (const Imported &imported : imports_of(sample.made->store(), before))
    known.insert(imported.module.substr(0, imported.module.find('.')));
  const Store &store = sample.made->store();
  for (const htp_node n : preorder(*store.abi(), root)) {
    std::vector<std::string> modules;
    if (store.kind(n) == HTP_Import)
      for (const htp_node a : store.items(store.slot(n, HTP_FIELD(Import, names))))
        modules.emplace_back(store.text(store.slot(a, HTP_FIELD(alias, name))));
    if (store.kind(n) == HTP_ImportFrom && store.slot(n, HTP_FIELD(ImportFrom, module)))
      modules.emplace_back(store.text(store.slot(n, HTP_FIELD(ImportFrom, module))));
    for (const std::string &module : modules)
      if (const std::string top = module.substr(0, module.find('.')); !known.contains(top)) return top;
  }
  return "";
}

void check_pass(const Bench &bench, const Call &call, Findings &findings) {
  const Unit *unit = call.ref->unit;
  const Sample &sample = *call.sample;
  Store &store = sample.made->store();
  const Answer answer = bench.run(call);
  if (answer.threw || answer.status != HTP_OK) return; // that is another check's
  const auto fail = [&](CheckId check, std::string message, std::string expected, std::string found) {
    if (Finding *f = bench.fail(findings, check, unit, &sample, std::move(message))) {
      f->expected = std::move(expected);
      f->found = std::move(found);
    }
  };
  std::string found;
  if (const std::string why = malformed(store, answer.out, found); !why.empty())
    return fail(CheckId::pass_well_formed, fmt::format("{}: {}", call.what, why), "a module that reads back as it is",
                found);
  std::set<std::string> promised;
  for (const PassEvent &event : sample.made->ran().events)
    if (event.pass->unit->name.value == unit->name.value && event.pass->unit->kind == unit->kind)
      for (const Term &state : event.pass->holds) promised.insert(state.text());
  for (const std::string &state : promised) {
    htp_ctx ctx(store, const_cast<Diagnostics &>(answer.said), bench.cache, sample.made->settings());
    ctx.registry = &sample.made->registry();
    Diagnostics why;
    bench.voice->at(fmt::format("the verifier of `{}` on {} after `{}`", state, sample.program, unit->name.value));
    if (holds(ctx, state, answer.out, why)) continue;
    Diagnostics none;
    const bool provides = std::any_of(unit->provides.begin(), unit->provides.end(),
                                      [&](const Term &term) { return state.substr(0, state.find('(')) == term.name; });
    if (!provides && !holds(ctx, state, call.root, none)) continue; // nor did it before
    std::string reason = lines_of(why);
    while (reason.ends_with('\n')) reason.pop_back();
    fail(provides ? CheckId::pass_provides : CheckId::pass_keeps,
         fmt::format("{}: `{}`, which it {}, does not hold of what it made", call.what, state,
                     provides ? "provides" : "does not invalidate"),
         "`" + state + "` holds", reason.empty() ? "its verifier says no" : reason);
  }
  if (const htp_node n = without_origin(store, call.root, answer.out))
    fail(CheckId::pass_origins, fmt::format("{}: a statement that it made leads back to no line", call.what),
         "an origin with a place", text_of(store, n));
  if (const std::string module = unknown_import(bench, sample, answer.out, call.root); !module.empty())
    fail(CheckId::pass_imports, fmt::format("{}: its result imports `{}`", call.what, module),
         "htp and modules of plugins", module);
  if (!unit->idempotent) return;
  const Answer again = bench.run(call, answer.out);
  if (again.status != HTP_OK || !same_tree(*store.abi(), again.out, answer.out)) {
    const auto [a, b] = first_difference_of(answer.text, again.text);
    fail(CheckId::pass_idempotent, fmt::format("{}: run on what it made, it changes it", call.what), a, b);
  }
}

} // namespace

void check_same_everywhere(Bench &bench, Findings &findings) {
  using Json = nlohmann::ordered_json;
  const Json first = Json::parse(answers(bench, 1), nullptr, false),
             second = Json::parse(answers(bench, 7), nullptr, false);
  if (!first.is_array() || !second.is_array()) return; // it died: the conduct of its units is another check's
  const auto differs = [&](size_t i) { return i < first.size() && i < second.size() && first[i] != second[i]; };
  // A pass is not blamed for the units that it asks.
  bool asked_differ = false;
  for (size_t i = 0; i < bench.calls().size(); ++i)
    asked_differ |= differs(i) && is_asked_by_passes(bench.calls()[i].ref->unit->kind);
  for (size_t i = 0; i < bench.calls().size(); ++i) {
    const Call &call = bench.calls()[i];
    if (!differs(i) || (asked_differ && !is_asked_by_passes(call.ref->unit->kind))) continue;
    for (const Deterministic &row : deterministic)
      if (row.kind == call.ref->unit->kind)
        if (Finding *f = bench.fail(findings, row.check, call.ref->unit, call.sample,
                                    fmt::format("{} answers something else in another process", call.what))) {
          const auto [a, b] = first_difference_of(first[i].get<std::string>(), second[i].get<std::string>());
          f->expected = a;
          f->found = b;
        }
  }
}

void check_passes(Bench &bench, Findings &findings) {
  bool any = false;
  for (const UnitKind kind : {UnitKind::pass, UnitKind::island})
    for (const Call *call : bench.calls_of(kind)) {
      any |= call->ref->unit->idempotent;
      check_pass(bench, *call, findings);
    }
  if (!any) findings.not_asked(CheckId::pass_idempotent, "no pass says that it is idempotent");
}

void check_agreement(Bench &bench, Findings &findings) {
  std::vector<std::string> path;
  for (const Manifest *m : bench.subject.all)
    if (!m->python_module.value.empty()) path.push_back(join_path(m->folder, m->python_path.value));
  for (const std::string &folder : python_folders()) path.push_back(folder);
  std::string why;
  bool any = false;
  for (const UnitKind kind : {UnitKind::pass, UnitKind::island})
    for (const Call *call : bench.calls_of(kind)) {
      Store &store = call->sample->made->store();
      const Answer answer = bench.run(*call);
      std::string found;
      if (answer.threw || answer.status != HTP_OK || answer.out == call->root ||
          !malformed(store, answer.out, found).empty())
        continue;
      bench.voice->at(fmt::format("what {} made of {}, in plain Python", call->what, call->sample->program));
      const nlohmann::json request{{"before", text_of(store, with_import(store, call->root))},
                                   {"after", text_of(store, with_import(store, answer.out))},
                                   {"entry", call->sample->made->settings().entry}};
      Diagnostics said;
      const auto differs = call_python("htp.plugin_check", "agree", request.dump(), path, said);
      if (!differs || differs->starts_with('?')) {
        why = differs ? differs->substr(1) : said.list().empty() ? "no answer" : said.list().front().message;
        continue;
      }
      any = true;
      if (differs->empty()) continue;
      if (Finding *f = bench.fail(findings, CheckId::pass_agrees, call->ref->unit, call->sample,
                                  fmt::format("{}: what it made computes something else", call->what))) {
        f->expected = "the results of the program before it";
        f->found = *differs;
      }
    }
  if (!any)
    findings.not_asked(CheckId::pass_agrees,
                       why.empty() ? "no pass of it changed an example" : "no example runs in plain Python: " + why);
}

void check_analyses(Bench &bench, Findings &findings) {
  for (const Call *call : bench.calls_of(UnitKind::analysis)) {
    const Answer answer = bench.run(*call);
    if (answer.status != HTP_OK) continue;
    const bool foreign = answer.text.find("elsewhere: ") != std::string::npos;
    if (!answer.text.starts_with("no table: ") && !foreign) continue;
    if (Finding *f = bench.fail(findings, CheckId::analysis_typed, call->ref->unit, call->sample,
                                fmt::format("{}: its rows are no table", call->what))) {
      f->expected =
          fmt::format("values of type {}, one for each node of the program at most", call->ref->unit->values.value);
      f->found = foreign ? "a key that is no node of the program" : answer.text.substr(10);
    }
  }
}

// Programs it should say no to: stages where the state does not hold, an empty one, changed ones.
void check_verifiers(Bench &bench, Findings &findings) {
  std::map<std::string, std::vector<const Call *>> by_unit;
  for (const Call *call : bench.calls_of(UnitKind::verifier)) by_unit[call->ref->unit->name.value].push_back(call);
  for (const auto &[name, calls] : by_unit) {
    const Unit *const unit = calls.front()->ref->unit;
    bool rejected = false;
    const auto ask = [&](const Call &call, htp_node root) {
      const Answer answer = bench.run(call, root);
      if (answer.threw || answer.status == HTP_OK) return;
      rejected = true;
      if (answer.said.empty())
        if (Finding *f = bench.fail(findings, CheckId::verifier_explains, unit, call.sample,
                                    fmt::format("{} says no, and not why", call.what))) {
          f->expected = "a note at the first node that breaks the state";
          f->found = "no diagnostic";
        }
    };
    for (const Call *call : calls) {
      Store &store = call->sample->made->store();
      for (const Stage &stage : call->sample->made->ran().stages)
        if (std::none_of(stage.held.begin(), stage.held.end(),
                         [&](const std::string &t) { return t.starts_with(unit->verifies[0].name); }))
          ask(*call, stage.root);
      if (const htp_node empty = store.node(HTP_Module, {0, 0})) ask(*call, empty);
      for (uint64_t seed = 0; seed < 20 && !rejected; ++seed) {
        Dice dice(seed);
        if (const htp_node changed = changed_program(store, call->root, dice)) ask(*call, changed);
      }
    }
    if (!rejected)
      if (Finding *f = bench.fail(findings, CheckId::verifier_rejects, unit, calls.front()->sample,
                                  fmt::format("{} says yes to every program", calls.front()->what))) {
        f->expected = "no, of a program that is empty or changed at random";
        f->found = "yes";
      }
  }
  if (by_unit.empty())
    for (const CheckId id : {CheckId::verifier_rejects, CheckId::verifier_explains})
      findings.not_asked(id, "no example program reaches a verifier of it");
}

namespace {
// The call that a statement in canonical form is about; 0 for other statements.
htp_node subject_of(const Store &store, htp_node statement) {
  switch (store.kind(statement)) {
  case HTP_AnnAssign: return store.slot(statement, HTP_FIELD(AnnAssign, value));
  case HTP_Assign: return store.slot(statement, HTP_FIELD(Assign, value));
  case HTP_Expr: return store.slot(statement, HTP_FIELD(Expr, value));
  default: return HTP_NONE;
  }
}
} // namespace

void check_handlers(Bench &bench, Findings &findings) {
  for (const Call *call : bench.calls_of(UnitKind::handlers)) {
    const Compilation &made = *call->sample->made;
    Store &store = made.store();
    const Answer answer = bench.run(*call);
    if (answer.status != HTP_OK) continue;
    const auto fail = [&](CheckId check, std::string message, std::string expected, std::string found) {
      if (Finding *f = bench.fail(findings, check, call->ref->unit, call->sample, std::move(message))) {
        f->expected = std::move(expected);
        f->found = std::move(found);
      }
    };
    const std::string &target_name = made.settings().target;
    const htp_node given = call->given;
    const htp_node target =
        store.kind(given) == HTP_AnnAssign ? store.slot(given, HTP_FIELD(AnnAssign, target)) : HTP_NONE;
    const Slots list = store.is_list(answer.out) ? store.items(answer.out) : Slots();
    bool bound = false; // the target, by one of the statements
    for (const htp_node s : list) {
      if (!store.is_node(s) || kind_info(store.kind(s)).group != HTP_GROUP_STMT) {
        fail(CheckId::handlers_bind_target, fmt::format("{} gave what is no list of statements", call->what),
             "statements", answer.text);
        bound = true;
        break;
      }
      htp_node binds = store.kind(s) == HTP_AnnAssign ? store.slot(s, HTP_FIELD(AnnAssign, target)) : HTP_NONE;
      if (store.kind(s) == HTP_Assign) binds = store.items(store.slot(s, HTP_FIELD(Assign, targets)))[0];
      bound = bound || (target && binds && text_of(store, binds) == text_of(store, target));
      for (const htp_node n : preorder(*store.abi(), s)) {
        if (store.kind(n) != HTP_Call) continue;
        const std::string name = dotted_name(store, store.slot(n, HTP_FIELD(Call, func)));
        // By its own name, or by its Python path as the program before or the target's module has it.
        const Registry::Intrinsic *found = made.registry().intrinsic(name);
        if (!found)
          found = made.registry().intrinsic(
              qualified_name(store, imports_of(store, call->root), store.slot(n, HTP_FIELD(Call, func))));
        if (!found || made.registry().in_target_set(found->row().name, target_name)) continue;
        // What a statement is about is selected again, as `select_calls` does it.
        if (n == subject_of(store, s) && made.registry().handler(found->row().name, target_name)) continue;
        fail(CheckId::handlers_in_target_set,
             fmt::format("{} writes `{}`, which is not in the target set of `{}`{}", call->what, found->row().name,
                         target_name,
                         made.registry().handler(found->row().name, target_name)
                             ? ": it has a handler, which is asked only where the call is all of a statement's value"
                             : " and has no handler there"),
             "intrinsics of the target set, or calls that have a handler", text_of(store, n));
      }
    }
    if (target && !bound)
      fail(CheckId::handlers_bind_target, fmt::format("{} does not bind the name that the statement binds", call->what),
           "a statement that assigns to `" + text_of(store, target) + "`", answer.text);
  }
}

void check_inference(Bench &bench, Findings &findings) {
  for (const Call *call : bench.calls_of(UnitKind::intrinsics)) {
    const Store &store = call->sample->made->store();
    const Answer answer = bench.run(*call);
    if (answer.status != HTP_OK) continue;
    if (!store.is_node(answer.out) || kind_info(store.kind(answer.out)).group != HTP_GROUP_EXPR)
      if (Finding *f = bench.fail(findings, CheckId::intrinsics_type, call->ref->unit, call->sample,
                                  fmt::format("{} gave what is no expression", call->what))) {
        f->expected = "an annotation expression";
        f->found = store.is_node(answer.out) ? kind_info(store.kind(answer.out)).name : "no node";
      }
  }
}

void check_reached(Bench &bench, Findings &findings) {
  if (bench.samples.empty())
    return findings.not_asked(CheckId::units_reached, "no example program that compiles has anything of it");
  std::set<std::string> reached;
  for (const Call &call : bench.calls()) reached.insert(call.ref->unit->name.value);
  for (const Unit &unit : bench.subject.manifest.units) {
    switch (unit.kind) {
    case UnitKind::pass:
    case UnitKind::island:
    case UnitKind::handlers:
    case UnitKind::verifier:
    case UnitKind::backend:
      if (!reached.contains(unit.name.value) && !bench.was_left_out(unit.name.value))
        bench.fail(findings, CheckId::units_reached, &unit, nullptr,
                   fmt::format("no example program reaches the {} `{}`", unit_kind_name(unit.kind), unit.name.value));
      break;
    default: break;
    }
  }
}

} // namespace htp
