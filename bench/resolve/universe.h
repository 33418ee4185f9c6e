// bench/resolve/universe.h — made-up universes and pass sets, from a seed: the shapes that the resolver is measured on.
#pragma once

#include "host/resolve/planner.h"
#include "host/resolve/resolve.h"

#include <deque>

namespace htp::bench {

// `extensions` plugins: a third as many names in three versions each. Each provides its own capability (so that its
// version counts), a kind, and the kind in a variant; it requires another's capability in a range, a kind in a
// variant, and any of a kind; every variant of a kind is there. Every tenth conflicts with a version of another. Ten
// needs.
struct Shape {
  uint32_t extensions = 1000;
  uint32_t names_of_a_kind = 10;
  bool conflict = false; // two chains of needs, five deep, that end in two versions of one plugin
  uint32_t seed = 1;
};

struct World {
  std::deque<Manifest> manifests;
  Manifest sdk;
  Universe universe;
  Request request;
};
void make(const Shape &shape, World &world);

// `passes` in layers of five; each requires two states of the layer before and provides one of its own, which another
// may provide too; `invalidating` of a hundred take away a state of an earlier layer.
struct PassShape {
  uint32_t passes = 50;
  uint32_t invalidating = 40;
  uint32_t seed = 1;
};
struct Passes {
  std::deque<Unit> units;
  PlanRequest request;
};
void make(const PassShape &shape, Passes &passes);

} // namespace htp::bench
