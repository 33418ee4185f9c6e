// host/resolve/conflict.h — what leaves no solution, and the smallest changes after which there is one, in the terms of
// the model.
#pragma once

#include "host/resolve/search.h"

namespace htp {

struct FoundChange {
  Change::Kind kind{};
  uint32_t blame = kNone; // what is dropped or relaxed; of an install the one that asks for `term`
  TermId term = kNone;    // what is installed
  friend auto operator<=>(const FoundChange &, const FoundChange &) = default;
};

struct FoundConflict {
  std::vector<uint32_t> blames; // without any one of them there is a solution
  std::vector<std::vector<FoundChange>> fixes;
};

// Conflicts apart from each other; the first is one of the smallest that were met. May throw Undecided.
std::vector<FoundConflict> find_conflicts(const Model &model, Search &search);

} // namespace htp
