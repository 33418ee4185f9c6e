// host/pipeline/in_unit.h — a call of a plugin's unit: what it does to the process is undone, where that can be, and
// told of it and of no one else.
#pragma once

#include "host/base/running.h"
#include "host/pipeline/context.h"

#include <exception>
#include <utility>

namespace htp {

// From its making to `ended` the unit runs.
class UnitCall {
public:
  // `closely`: also whether it leaves processes, which costs system calls; for calls that are not made by the thousand.
  UnitCall(htp_ctx &ctx, const std::string &plugin, const Unit &unit, bool closely);
  // False when it did what no unit may do and the process cannot go on as if it had not; reported. Does not return in
  // a copy of the process that the unit made.
  bool ended();
  // Reports the exception that is being handled.
  void threw();

private:
  htp_ctx &ctx_;
  const Running running_;
  const Unit &unit_;
  const bool closely_;
  unsigned processes_ = 0;
};

// Calls the unit; `failed` where it threw, or did what `ended` does not forgive.
template <class Result, class F>
Result in_unit(htp_ctx &ctx, const std::string &plugin, const Unit &unit, bool closely, Result failed, F call) {
  UnitCall scope(ctx, plugin, unit, closely);
  try {
    Result result = call();
    return scope.ended() ? std::move(result) : std::move(failed);
  } catch (...) {
    scope.threw();
    scope.ended();
    return failed;
  }
}

template <class Result, class F> Result in_unit(htp_ctx &ctx, const UnitRef &ref, bool closely, Result failed, F call) {
  return in_unit(ctx, ref.plugin->manifest().id.value, *ref.unit, closely, std::move(failed), std::move(call));
}

} // namespace htp
