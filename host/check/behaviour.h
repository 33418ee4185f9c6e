// host/check/behaviour.h — what a plugin's units do on example programs.
#pragma once

#include "host/check/bench.h"

namespace htp {

// A group of checks that one child process answers together.
struct BehaviourGroup {
  std::vector<CheckId> checks; // the first is blamed when the child dies
  void (*ask)(Bench &, Findings &);
};
std::span<const BehaviourGroup> behaviour_groups();

// Units whose faults show in the passes that ask them.
inline bool is_asked_by_passes(UnitKind kind) {
  return kind == UnitKind::handlers || kind == UnitKind::intrinsics || kind == UnitKind::analysis;
}

// How they conduct themselves (conduct.cpp); when this fails, the rest is not asked.
void check_conduct(Bench &, Findings &);
void check_memory(Bench &, Findings &);
void check_stateless(Bench &, Findings &);

// What comes of them (results.cpp, exchange.cpp).
void check_same_everywhere(Bench &, Findings &);
void check_agreement(Bench &bench, Findings &findings);
void check_passes(Bench &, Findings &);
void check_analyses(Bench &, Findings &);
void check_verifiers(Bench &, Findings &);
void check_handlers(Bench &, Findings &);
void check_inference(Bench &, Findings &);
void check_layouts(Bench &, Findings &);
void check_emitted(Bench &, Findings &);
void check_binding(Bench &, Findings &);
void check_reached(Bench &, Findings &);

// How they stand trouble (trouble.cpp).
void check_cancel(Bench &, Findings &);
void check_empty(Bench &, Findings &);
void check_unknown(Bench &, Findings &);
void check_failures(Bench &, Findings &);
void check_made_up(Bench &, Findings &);
void check_changes(Bench &, Findings &);

// Whether an answer is honest: failed exactly when an error was reported, and not cancelled without being asked.
// Reports `check` otherwise.
bool check_honest(const Bench &, const Call &, const Answer &, bool cancelled, CheckId check, Findings &);

} // namespace htp
