// host/resolve/pass_search.h — the shortest order of operators, of those the first by the operators' order; or a short
// one and by how much it may be longer.
#pragma once

#include "host/resolve/pass_task.h"

namespace htp {

struct Order {
  enum class Outcome : uint8_t { found, impossible, budget } outcome = Outcome::impossible;
  std::vector<uint32_t> operators;
  uint32_t within = 0; // longer than the shortest by at most this; 0: proven
};

// `budget`: expansions of each of the two searches (for some order; for the shortest).
Order find_order(const PassTask &task, uint32_t budget);
// Is there any order at all?
Order::Outcome find_any(const PassTask &task, uint32_t budget);

} // namespace htp
