// host/base/clock.h — what phases and passes are measured by.
#pragma once

#include <chrono>
#include <functional>

namespace htp {

using Clock = std::function<double()>;

// Seconds by the clock, of a time that does not go back.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

} // namespace htp
