// plugins/backend-aie/analyses/network.h — whether cores with streams between them come to their end: what they acquire
// and release, and nothing else of them.
#pragma once

#include "analyses/program.h"

namespace htp::aie {

// What is wrong: at a statement or a stream where what one end gives is not what the other takes; else at none, and
// larger capacities may help.
struct Deadlock {
  Node where = HTP_NONE;
  Refusal why{};        // none where nothing is
  std::string others{}; // that are blocked too
  explicit operator bool() const { return static_cast<bool>(why); }
};

// Runs the cores of a program and what moves blocks between them and the host, as a dataflow network: whether they end
// and leave nothing behind. The transfers of the host come in so many turns, of which two are under way at a time.
Deadlock deadlock_of(const Program &program, int64_t turns);

} // namespace htp::aie
