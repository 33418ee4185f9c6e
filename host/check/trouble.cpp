// How a plugin's units stand trouble: being cancelled, programs nobody wrote, a host whose functions fail.
#include "host/ast/walk.h"
#include "host/check/behaviour.h"
#include "host/check/made_up.h"
#include "host/check/recorder.h"

#include <htp/htp.h>

#include <algorithm>

namespace htp {

namespace {

constexpr uint64_t cases_made_up = 60, cases_changed = 40; // for each unit
constexpr uint64_t failures_tried = 60;                    // host calls of one unit's call

// The states that a call's unit requires of the program, as they are spelled on it.
std::vector<std::string> required(const Call &call) {
  const Unit &unit = *call.ref->unit;
  std::vector<std::string> result;
  const auto take = [&](const std::vector<Requirement> &requirements) {
    for (const Requirement &r : requirements)
      for (const Term &term : r.alternatives)
        for (const std::string &held : call.holds)
          if (held.substr(0, held.find('(')) == term.name) result.push_back(held);
  };
  take(unit.requires_);
  take(unit.contract);
  return result;
}

// Gives the call another program, where it may be given it, and judges the answer.
void give(const Bench &bench, const Call &call, htp_node root, CheckId check, const std::string &told,
          Findings &findings) {
  if (!call.any_tree && !bench.all_hold(*call.sample, required(call), root)) return;
  const size_t before = findings.failed.size();
  const Answer answer = bench.run(call, root, {.told = told});
  check_honest(bench, call, answer, false, check, findings);
  for (size_t i = before; i < findings.failed.size(); ++i) findings.failed[i].diagnostic.note(told);
}

uint64_t seed_of(const Bench &bench, const Call &call) {
  uint64_t state = 0xcbf29ce484222325ULL;
  for (const char c : bench.subject.manifest.id.value + call.ref->unit->name.value)
    state = (state ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL; // FNV-1a
  return state >> 16;
}

std::string reproduce(const Bench &bench, CheckId check, uint64_t seed) {
  return fmt::format("seed {}; `htp-host plugins check {} --only {} --reproduce {}` makes it again", seed,
                     bench.subject.manifest.folder, check_info(check).name, seed);
}

} // namespace

void check_cancel(Bench &bench, Findings &findings) {
  for (const Call *call : bench.one_each()) {
    const Answer answer = bench.run(*call, call->root, {.cancelled = true, .told = "while it is asked to stop"});
    const bool fine = answer.status == HTP_OK || answer.status == HTP_CANCELLED ||
                      (answer.said.errors() == 0 && call->ref->unit->kind != UnitKind::pass);
    if (fine && answer.said.errors() == 0) continue;
    if (Finding *f = bench.fail(findings, CheckId::answers_cancel, call->ref->unit, call->sample,
                                fmt::format("{}, asked to stop, fails", call->what))) {
      f->expected = "HTP_CANCELLED, or the work done";
      f->found = lines_of(answer.said).empty() ? "HTP_FAILED" : lines_of(answer.said);
      while (f->found.ends_with('\n')) f->found.pop_back();
    }
  }
}

void check_empty(Bench &bench, Findings &findings) {
  for (const Call *call : bench.one_each()) {
    const UnitKind kind = call->ref->unit->kind;
    if (kind == UnitKind::intrinsics || kind == UnitKind::handlers) continue;
    give(bench, *call, call->sample->made->store().node(HTP_Module, {0, 0}), CheckId::survives_empty,
         "on an empty program", findings);
  }
}

void check_unknown(Bench &bench, Findings &findings) {
  for (const Call *call : bench.one_each()) {
    if (!call->any_tree) continue;
    Store &store = call->sample->made->store();
    const UnknownKinds unknown = with_unknown_kinds(store, call->root);
    const htp_kind_info *const kinds = store.abi()->kinds;
    const uint32_t count = store.abi()->kind_count;
    store.show_kinds(unknown.kinds.data(), static_cast<uint32_t>(unknown.kinds.size()));
    give(bench, *call, unknown.root, CheckId::survives_unknown, "on a program with node kinds of a newer Python",
         findings);
    store.show_kinds(kinds, count);
  }
}

void check_failures(Bench &bench, Findings &findings) {
  for (const Call *call : bench.one_each()) {
    for (uint64_t k = 1; k <= failures_tried; ++k) {
      FailingHost host(k);
      const Answer answer =
          bench.run(*call, call->root,
                    {.host = host.table(), .told = fmt::format("while host call {} of those that may fail does", k)});
      if (!host.failed()) break; // it makes no more
      if (answer.threw)
        if (Finding *f =
                bench.fail(findings, CheckId::contains_exceptions, call->ref->unit, call->sample,
                           fmt::format("an exception came out of {} when `{}` failed", call->what, host.failed())))
          f->found = answer.text;
    }
  }
}

void check_made_up(Bench &bench, Findings &findings) {
  for (const Call *call : bench.one_each()) {
    if (!call->any_tree) continue;
    const uint64_t first = bench.subject.options.seed.value_or(seed_of(bench, *call));
    for (uint64_t i = 0; i < (bench.subject.options.seed ? 1 : cases_made_up); ++i) {
      Dice dice(first + i);
      const htp_node root = made_up_module(call->sample->made->store(), dice);
      if (root)
        give(bench, *call, root, CheckId::survives_made_up, reproduce(bench, CheckId::survives_made_up, first + i),
             findings);
    }
  }
}

void check_changes(Bench &bench, Findings &findings) {
  for (const Call *call : bench.one_each()) {
    const UnitKind kind = call->ref->unit->kind;
    if (kind == UnitKind::handlers) continue; // their calls come from passes
    const uint64_t first = bench.subject.options.seed.value_or(seed_of(bench, *call));
    for (uint64_t i = 0; i < (bench.subject.options.seed ? 1 : cases_changed); ++i) {
      Dice dice(first + i);
      const std::string told = reproduce(bench, CheckId::survives_changes, first + i);
      if (kind == UnitKind::intrinsics) {
        const Answer answer = bench.run(*call, call->root, {.told = told, .dice = &dice});
        if (!check_honest(bench, *call, answer, false, CheckId::survives_changes, findings) &&
            !findings.failed.empty() && findings.failed.back().diagnostic.notes.empty())
          findings.failed.back().diagnostic.note(told);
        continue;
      }
      const htp_node root = changed_program(call->sample->made->store(), call->root, dice);
      if (root && root != call->root) give(bench, *call, root, CheckId::survives_changes, told, findings);
    }
  }
}

} // namespace htp
