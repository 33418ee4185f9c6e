// How units conduct themselves while they are called as a compile calls them.
#include "host/check/behaviour.h"
#include "host/check/watch.h"
#include "host/python/units.h"

#include <htp/htp.h>

#include <algorithm>
#include <cstdio>
#include <set>

namespace htp {

namespace {

constexpr size_t bearable = size_t{512} << 20;

std::string first_line(std::string text) {
  text = text.substr(0, text.find('\n'));
  return text.size() > 200 ? text.substr(0, 200) + "…" : text;
}

std::string shown(htp_status status) {
  switch (status) {
  case HTP_OK: return "HTP_OK";
  case HTP_FAILED: return "HTP_FAILED";
  case HTP_CANCELLED: return "HTP_CANCELLED";
  case HTP_INTERNAL: return "HTP_INTERNAL";
  }
  return std::to_string(static_cast<int>(status));
}

// The codes that somebody explains.
std::set<std::string, std::less<>> known_codes(const Call &call) {
  std::set<std::string, std::less<>> codes;
  for (const DiagInfo &row : host_diagnostics()) codes.emplace(row.code);
  for (const UnitRef &ref : call.sample->made->registry().units())
    if (const htp_entry *entry = ref.plugin->entry())
      for (uint32_t i = 0; i < entry->diag_count; ++i) codes.emplace(entry->diagnostics[i].code);
  codes.emplace("plugin.exception"); // the SDK's
  return codes;
}

void check_codes(const Bench &bench, const Call &call, const Answer &answer, Findings &findings) {
  if (answer.said.empty()) return;
  const auto known = known_codes(call);
  for (const Diagnostic &d : answer.said.list())
    if (!known.contains(d.code))
      if (Finding *f = bench.fail(findings, CheckId::own_codes, call.ref->unit, call.sample,
                                  fmt::format("{} reported `{}`, which no table has", call.what, d.code))) {
        f->expected = "a code of its own diagnostics table";
        f->found = d.code + ": " + d.message;
      }
}

} // namespace

bool check_honest(const Bench &bench, const Call &call, const Answer &answer, bool cancelled, CheckId check,
                  Findings &findings) {
  const auto fail = [&](std::string message, std::string expected) {
    if (Finding *f = bench.fail(findings, check, call.ref->unit, call.sample, std::move(message))) {
      f->expected = std::move(expected);
      f->found = shown(answer.status) + (answer.said.empty() ? ", no diagnostic" : ", " + lines_of(answer.said));
      while (f->found.ends_with('\n')) f->found.pop_back();
    }
    return false;
  };
  if (answer.threw) {
    if (Finding *f = bench.fail(findings, CheckId::contains_exceptions, call.ref->unit, call.sample,
                                fmt::format("an exception came out of {}", call.what)))
      f->found = answer.text;
    return false;
  }
  if (answer.status == HTP_CANCELLED && !cancelled)
    return fail(fmt::format("{} says that it was cancelled, and nobody asked it to stop", call.what), "HTP_OK");
  if (answer.status < HTP_OK || answer.status > HTP_INTERNAL)
    return fail(fmt::format("{} answered what is no status", call.what), "an htp_status");
  if (answer.status == HTP_OK && answer.said.errors())
    return fail(fmt::format("{} says that all is well, and reported an error", call.what), "HTP_FAILED");
  const bool answers_no = call.ref->unit->kind == UnitKind::verifier && answer.status == HTP_FAILED;
  if (answer.status != HTP_OK && answer.status != HTP_CANCELLED && !answer.said.errors() && !answers_no)
    return fail(fmt::format("{} failed, and reported no error", call.what), "a diagnostic that says why");
  return true;
}

void check_conduct(Bench &bench, Findings &findings) {
  std::string written = bench.voice->output();
  for (const Call &call : bench.calls()) {
    const Unit *unit = call.ref->unit;
    const Store &store = call.sample->made->store();
    const std::string before = image_of(store, call.root);
    const size_t peak = peak_memory();
    bench.baseline.restore();
    const Watch watch;
    const Answer answer = bench.run(call);
    for (Watch::Change &change : watch.changes())
      if (Finding *f = bench.fail(findings, change.check, unit, call.sample,
                                  fmt::format("after {} {}", call.what, change.what))) {
        f->expected = std::move(change.expected);
        f->found = std::move(change.found);
      }
    std::fflush(stdout);
    std::string now = bench.voice->output();
    if (now.size() > written.size())
      if (Finding *f = bench.fail(findings, CheckId::quiet, unit, call.sample,
                                  fmt::format("{} wrote to standard output or error", call.what)))
        f->found = first_line(now.substr(written.size()));
    written = std::move(now);
    if (peak_memory() > peak + bearable)
      if (Finding *f = bench.fail(findings, CheckId::bearable_memory, unit, call.sample,
                                  fmt::format("{} took {} MiB", call.what, (peak_memory() - peak) >> 20)))
        f->expected = fmt::format("at most {} MiB", bearable >> 20);
    if (image_of(store, call.root) != before)
      bench.fail(findings, CheckId::keeps_program, unit, call.sample,
                 fmt::format("{} changed nodes of the program it was given", call.what));
    const bool table = restore_host_table(), head = call.sample->made->store().restore();
    if (table || head)
      bench.fail(findings, CheckId::keeps_host, unit, call.sample,
                 fmt::format("{} wrote into the host: into {}", call.what,
                             table ? "the table of functions" : "the tree's head"));
    check_honest(bench, call, answer, false, CheckId::honest_status, findings);
    check_codes(bench, call, answer, findings);
  }
}

// A call that keeps something takes more memory in every round, however many. What fills once does not, and what grows
// by steps does in a few: the embedded Python's table of interned names takes 52 kB at once, after some ten calls that
// have it parse. The tree's store grows too, but not by the allocator. Python itself keeps some small objects of a
// call.
void check_memory(Bench &bench, Findings &findings) {
  constexpr int warm = 4, rounds = 8, calls = 6;
  constexpr size_t piece = 16, of_python = 512; // bytes of a call
  for (const Call *one : bench.one_each()) {
    const Call &call = *one;
    const size_t least = call.ref->unit->code.value.empty() ? piece : of_python;
    const auto after = [&](int times) {
      for (int i = 0; i < times; ++i) {
        bench.run(call);
        if (!call.ref->unit->code.value.empty()) release_unit_memory();
      }
      return allocated_bytes();
    };
    const size_t first = after(warm);
    size_t last = first;
    int grown = 0;
    for (; grown < rounds; ++grown) {
      const size_t now = after(calls);
      if (now < last + calls * least) break;
      last = now;
    }
    if (grown < rounds) continue;
    if (Finding *f = bench.fail(findings, CheckId::frees_memory, call.ref->unit, call.sample,
                                fmt::format("{} keeps memory from call to call", call.what))) {
      f->expected = "as much memory after a call as before it";
      f->found = fmt::format("{} bytes more after {} calls", last - first, rounds * calls);
    }
  }
}

void check_stateless(Bench &bench, Findings &findings) {
  for (const Call &call : bench.calls()) {
    const Answer first = bench.run(call), second = bench.run(call);
    if (first.status == second.status && first.text == second.text && lines_of(first.said) == lines_of(second.said))
      continue;
    if (Finding *f = bench.fail(findings, CheckId::stateless, call.ref->unit, call.sample,
                                fmt::format("a second call of {} answered something else", call.what))) {
      const auto [a, b] = first_difference_of(first.text + lines_of(first.said), second.text + lines_of(second.said));
      f->expected = a;
      f->found = b;
    }
  }
}

} // namespace htp
