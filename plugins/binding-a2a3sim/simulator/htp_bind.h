// htp_bind.h — the simulator that a compiled kernel or orchestration talks to: one a thread, bound before it is called.
// Each is a library of its own, opened apart from the others.
#pragma once

#include "htp_orchestra.h"
#include "htp_sim.h"

namespace htp_sim {
inline thread_local const Machine *machine = nullptr;
inline thread_local const Orchestra *orchestra = nullptr;
} // namespace htp_sim

extern "C" __attribute__((used, visibility("default"))) inline void htp_sim_bind(const htp_sim::Machine *machine,
                                                                                 const htp_sim::Orchestra *orchestra) {
  htp_sim::machine = machine;
  htp_sim::orchestra = orchestra;
}
