#include "host/check/worker.h"

#include "host/check/behaviour.h"
#include "host/check/python.h"
#include "host/check/units.h"
#include "host/load/audit.h"
#include "host/load/library.h"
#include "host/load/loader.h"
#include "host/log/log.h"
#include "host/parse/interpreter.h"

#include <htp/entry.h>

#include <dlfcn.h>

#include <algorithm>
#include <set>

namespace htp {

namespace {

bool any_error(const Findings &findings) {
  return std::any_of(findings.failed.begin(), findings.failed.end(),
                     [](const Finding &f) { return is_error(f.diagnostic.severity); });
}

// What a child's end says beside what it answered. `instead`: the check that stands for those of behaviour.
void take_end(const Subject &subject, const ConfinedEnd &end, std::optional<CheckId> instead, Findings &findings) {
  const auto failed = failed_by(end);
  if (!failed) return;
  const Unit *const unit = named_in(end.place, subject.manifest);
  const bool late = end.outcome == ConfinedEnd::Outcome::hung, done = end.outcome == ConfinedEnd::Outcome::done;
  const std::string reason =
      late   ? fmt::format("no sign of life for {} ms", subject.options.time.count())
      : done ? fmt::format("{} that it started is still there when it ends",
                           end.left == 1 ? "a process" : fmt::format("one of {} processes", end.left))
             : end.reason;
  Finding &f = findings.fail(instead && !end.greedy ? *instead : *failed, subject.manifest, unit,
                             fmt::format("{}: {}", reason, end.place));
  f.expected = late ? "an answer" : done ? "no process left behind" : "an answer, and the process alive";
  f.found = late ? "none" : reason;
  f.late = late;
  if (!end.output.empty()) f.diagnostic.note("it wrote: " + end.output);
}

class Worker {
public:
  // `fit`: nothing is wrong with the manifest.
  Worker(const Subject &subject, bool fit, ConfinedVoice &voice) : subject_(subject), fit_(fit), voice_(voice) {}

  void run() {
    const bool python = ask_python();
    Diagnostics diagnostics;
    voice_.at("loading");
    const Manifest *const one[] = {&subject_.manifest};
    auto loaded = PluginLoader::run(one, subject_.options.load, diagnostics);
    Findings loading;
    for (const Diagnostic &d : diagnostics.list()) loading.take(d);
    for (const CheckPhase phase : {CheckPhase::file, CheckPhase::elf, CheckPhase::abi, CheckPhase::entry})
      loading.answer(phase);
    audit(loading);
    tell(loading);
    const bool units_or_more = fit_ && (subject_.asked(CheckPhase::units) || subject_.asked(CheckPhase::behaviour));
    if (!loaded.front().plugin || !python || !units_or_more) return;
    const bool fit = ask_units(*loaded.front().plugin);
    loaded.clear();
    ask_unload();
    if (!fit) return;
    if (subject_.asked(CheckPhase::behaviour)) ask_behaviour();
  }

private:
  // Hands over what was found, so that nothing is lost when it dies over the next.
  bool tell(const Findings &findings) {
    voice_.answer(line_of(findings));
    return !any_error(findings);
  }

  // Loading refuses what it must; what else is remarkable is the author's to know.
  void audit(Findings &findings) const {
    const Manifest &m = subject_.manifest;
    Diagnostics said;
    LoadStep failed{};
    FileDigests none(nullptr);
    const auto library =
        m.library.value.empty() ? std::nullopt : Library::check(m, subject_.options.load, none, said, failed);
    if (!library) return;
    Diagnostics remarks;
    Auditor auditor;
    for (const AuditFinding &finding : auditor.audit(library->folder(), m.library.value, library->facts()))
      if (!finding.refuses()) report(finding, m.library.span, remarks);
    for (const Diagnostic &d : remarks.list()) findings.take(d);
  }

  ConfinedEnd in_child(const std::function<void(ConfinedVoice &)> &work) const {
    ConfinedLimits limits;
    limits.time = subject_.options.time;
    return run_confined(limits, work);
  }

  bool ask_python() {
    if (!subject_.asked(CheckPhase::python) && !subject_.asked(CheckPhase::units) &&
        !subject_.asked(CheckPhase::behaviour))
      return true;
    Findings findings;
    voice_.at("reading its Python");
    const ConfinedEnd read = in_child([&](ConfinedVoice &own_voice) {
      Findings own;
      check_python_files(subject_, own);
      own_voice.answer(line_of(own));
    });
    take_lines(read.answer, findings);
    if (any_error(findings) || subject_.manifest.python_module.value.empty()) return tell(findings);
    voice_.at("importing its Python");
    const ConfinedEnd end = in_child([&](ConfinedVoice &own_voice) {
      own_voice.at(fmt::format("importing `{}`", subject_.manifest.python_module.value));
      Findings own;
      check_python_import(subject_, own);
      own_voice.answer(line_of(own));
    });
    take_lines(end.answer, findings);
    take_end(subject_, end, CheckId::python_imports, findings);
    if (end.outcome == ConfinedEnd::Outcome::done && !end.output.empty() && !any_error(findings)) {
      Finding &f = findings.fail(CheckId::python_quiet, subject_.manifest, nullptr,
                                 fmt::format("importing `{}` prints", subject_.manifest.python_module.value));
      f.diagnostic.span = subject_.manifest.python_module.span;
      f.expected = "nothing";
      f.found = end.output;
    }
    return tell(findings);
  }

  bool ask_units(const LoadedPlugin &plugin) {
    Findings findings;
    voice_.at("reading its units");
    const ConfinedEnd end = in_child([&](ConfinedVoice &own_voice) {
      Findings own;
      check_units(subject_, plugin, own);
      own.answer(CheckPhase::units);
      own.answered.erase(CheckId::unloads);
      own_voice.answer(line_of(own));
    });
    take_lines(end.answer, findings);
    take_end(subject_, end, CheckId::members, findings);
    return tell(findings);
  }

  // Opened and closed, by a process that has it not otherwise.
  void ask_unload() {
    Findings findings;
    if (subject_.manifest.library.value.empty()) {
      findings.not_asked(CheckId::unloads, "it has no library");
      tell(findings);
      return;
    }
    const std::string path = join_path(subject_.manifest.folder, subject_.manifest.library.value);
    const ConfinedEnd end = in_child([&](ConfinedVoice &own_voice) {
      // The loader keeps what might have left something running; here nothing has run.
      for (int times = 0; times < 4; ++times) { // one that cannot be closed says it was, however often
        void *const kept = ::dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
        if (!kept || ::dlclose(kept) != 0 || ::dlclose(kept) != 0) break;
      }
      void *const handle = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (!handle) return;
      const bool had = ::dlsym(handle, HTP_ENTRY_SYMBOL) != nullptr;
      ::dlclose(handle);
      own_voice.answer(had && ::dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD) ? "stays" : "goes");
    });
    if (end.outcome == ConfinedEnd::Outcome::done) findings.answer({CheckId::unloads});
    if (end.answer != "stays") {
      tell(findings);
      return;
    }
    Finding &f = findings.fail(CheckId::unloads, subject_.manifest, nullptr, "its library stays when it is closed");
    f.diagnostic.span = subject_.manifest.library.span;
    f.expected = "no mapping after dlclose";
    f.found = "it is still loaded";
    tell(findings);
  }

  void ask_behaviour() {
    Bench bench(subject_, voice_);
    Findings findings;
    bench.prepare(findings);
    const bool fit = std::none_of(findings.failed.begin(), findings.failed.end(), [](const Finding &f) {
      return is_error(f.diagnostic.severity) && f.check != CheckId::examples_compile;
    });
    if (!fit) { // one of its units took the process down, or the like: nothing else was asked
      tell(findings);
      return;
    }
    findings.answer({CheckId::examples_compile});
    if (bench.samples.empty()) {
      for (const CheckInfo &check : all_checks())
        if (check.phase == CheckPhase::behaviour && check.id != CheckId::examples_compile)
          findings.not_asked(check.id, "no example program that compiles has anything of it");
      tell(findings);
      return;
    }
    // The calls that passes make of other units are seen once, here; in a child first, which they may take down.
    const ConfinedEnd collected = in_child([&](ConfinedVoice &own_voice) {
      bench.voice = &own_voice;
      bench.calls();
    });
    take_end(subject_, collected, std::nullopt, findings);
    if (!tell(findings) && collected.outcome != ConfinedEnd::Outcome::done) return;
    bench.calls();
    size_t done = 0;
    for (const BehaviourGroup &group : behaviour_groups()) {
      const bool asked =
          std::any_of(group.checks.begin(), group.checks.end(), [&](CheckId id) { return subject_.asked(id); });
      ++done;
      if (!asked && done != 1) continue;
      Findings own;
      const ConfinedEnd end = in_child([&](ConfinedVoice &own_voice) {
        bench.voice = &own_voice;
        Findings found;
        group.ask(bench, found);
        found.answer(group.checks);
        own_voice.answer(line_of(found));
      });
      take_lines(end.answer, own);
      const bool conduct = done == 1;
      const CheckId blamed = group.checks.front();
      take_end(subject_, end, conduct ? std::nullopt : std::optional(blamed), own);
      if (!tell(own) && conduct && end.outcome != ConfinedEnd::Outcome::done) return;
      leave_out_failed(own, bench);
    }
  }

  // A unit that failed is not asked further, nor are passes that ask it: they would fail of the same.
  void leave_out_failed(const Findings &findings, Bench &bench) const {
    std::set<std::string> units;
    bool passes = false;
    for (const Finding &f : findings.failed) {
      if (!is_error(f.diagnostic.severity) || f.unit.empty()) continue;
      units.insert(f.unit);
      for (const Unit &u : subject_.manifest.units) passes |= u.name.value == f.unit && is_asked_by_passes(u.kind);
    }
    for (const Unit &u : subject_.manifest.units)
      if (passes && (u.kind == UnitKind::pass || u.kind == UnitKind::island)) units.insert(u.name.value);
    bench.leave_out(units);
  }

  const Subject &subject_;
  bool fit_;
  ConfinedVoice &voice_;
};

} // namespace

void examine(const Subject &subject, Findings &findings) {
  const bool fit = !any_error(findings);
  ConfinedLimits limits;
  // What it confines in turn ends before.
  limits.time = subject.options.time * 2;
  limits.memory *= 4;
  limits.processes *= 4;
  limits.nested = 3;
  const ConfinedEnd end = run_confined(
      limits,
      [&](ConfinedVoice &voice) {
        leave_log();                  // what is written here is taken for a plugin's
        Interpreter::count_objects(); // of units in Python too
        Worker(subject, fit, voice).run();
      },
      [&](std::string_view place) {
        if (subject.options.progress)
          subject.options.progress(0.5, subject.manifest.id.value + ": " + std::string(place));
      });
  take_lines(end.answer, findings);
  take_end(subject, end, std::nullopt, findings);
}

} // namespace htp
