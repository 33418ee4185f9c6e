#include "host/pipeline/in_unit.h"

#include "host/base/confined.h"
#include "host/base/working_folder.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cfenv>
#include <cstring>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace htp {

namespace {

// How floating point is done: how it rounds, what traps, whether denormals are flushed.
struct Arithmetic {
  int rounding = std::fegetround(), traps = ::fegetexcept();
#if defined(__x86_64__)
  unsigned vectors = _mm_getcsr() & ~0x3fu; // without what happened so far
#endif
  bool operator==(const Arithmetic &) const = default;

  std::string difference(const Arithmetic &now) const {
    if (now.traps != traps) return now.traps ? "trapping exceptions" : "without the traps that were set";
    return now.rounding != rounding ? "rounding another way" : "flushing what is very small";
  }
};

// The mode of this thread as it was before any unit ran in it.
const std::fenv_t &usual_arithmetic() {
  static thread_local const std::fenv_t usual = [] {
    std::fenv_t now;
    std::fegetenv(&now);
    return now;
  }();
  return usual;
}
const Arithmetic &usual_mode() {
  static thread_local const Arithmetic usual;
  return usual;
}

} // namespace

UnitCall::UnitCall(htp_ctx &ctx, const std::string &plugin, const Unit &unit, bool closely)
    : ctx_(ctx), running_(plugin, unit.name.value), unit_(unit), closely_(closely) {
  usual_arithmetic();
  usual_mode();
  if (closely_) processes_ = processes_beside();
}

bool UnitCall::ended() {
  if (running_.is_copy()) ::_exit(1);
  const std::string &unit = unit_.name.value, &plugin = running_.plugin();
  bool good = true;
  if (const Arithmetic now; now != usual_mode()) {
    std::fesetenv(&usual_arithmetic());
    const auto &told = ctx_.diagnostics.list();
    Diagnostics own;
    const Diagnostic &d =
        own.report(diag::pipeline_changed_arithmetic, unit_.name.span, unit, plugin, usual_mode().difference(now));
    if (std::none_of(told.begin(), told.end(), [&](const Diagnostic &t) { return t.message == d.message; }))
      ctx_.diagnostics.append(own);
  }
  if (return_to_working_folder()) ctx_.diagnostics.report(diag::pipeline_changed_folder, unit_.name.span, unit, plugin);
  if (restore_host_table()) {
    ctx_.diagnostics.report(diag::pipeline_changed_host, unit_.name.span, unit, plugin, "the table of functions");
    good = false;
  }
  if (ctx_.store.restore()) {
    ctx_.diagnostics.report(diag::pipeline_changed_host, unit_.name.span, unit, plugin, "the tree's head");
    good = false;
  }
  if (closely_ && processes_beside() > processes_) {
    ctx_.diagnostics.report(diag::pipeline_left_process, unit_.name.span, unit, plugin);
    good = false;
  }
  return good;
}

void UnitCall::threw() {
  const auto told = [&](std::string_view what) {
    ctx_.diagnostics.report(diag::pipeline_threw, unit_.name.span, unit_.name.value, running_.plugin(), what);
  };
  try {
    throw;
  } catch (const std::exception &e) {
    told(e.what());
  } catch (...) {
    told("it is no std::exception");
  }
}

} // namespace htp
