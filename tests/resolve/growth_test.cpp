// What answers and explanations cost grows as the universe: allocations are counted, which are as many at every run.
// Plugins in two versions each, whose units require two others each, often in a range of one version only: with few
// ranges there is a solution, with many none, and what is at fault are many lines.
#include "tests/resolve/build.h"
#include "tests/support/allocations.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

namespace htp::test {
namespace {

struct Work {
  size_t allocations = 0;
  bool served = false;
  size_t causes = 0;
};

// `percent` of the requirements are of one version.
Work resolved(uint32_t plugins, uint32_t percent, uint32_t seed) {
  std::mt19937 random(seed);
  auto below = [&](uint32_t limit) { return static_cast<uint32_t>(random() % limit); };
  auto name = [](uint32_t k) { return "Acme.P" + std::to_string(k); };
  Manifest sdk;
  sdk.id = text("htp.sdk");
  sdk.version = version("1.0");
  std::deque<Manifest> manifests;
  for (uint32_t k = 0; k < plugins; ++k)
    for (const char *which : {"1.0", "2.0"}) {
      Manifest &manifest = manifests.emplace_back();
      manifest.id = text("acme.p" + std::to_string(k));
      manifest.version = version(which);
      manifest.declares.push_back(capability(name(k)));
      Unit &one = manifest.units.emplace_back(unit(UnitKind::dialect, "acme.p" + std::to_string(k) + ".unit"));
      one.provides.push_back(term(name(k)));
      for (int i = 0; i < 2; ++i) {
        uint32_t const other = (k + 1 + below(plugins - 1)) % plugins;
        one.requires_.push_back(requirement(name(other) + (below(100) >= percent ? "" : below(2) ? "@>=2" : "@<2")));
      }
    }
  Universe universe;
  for (const Manifest &manifest : manifests) universe.plugins.push_back({&manifest, 0, ""});
  universe.sdk = &sdk;
  Request request;
  for (uint32_t k = 0; k < 20; ++k) request.needs.push_back({requirement(name(below(plugins))), {}, "the test"});
  size_t const before = allocations();
  auto const found = resolve(universe, request);
  Work work{allocations() - before, bool(found), 0};
  if (!found)
    for (const Conflict &conflict : found.error().conflicts) work.causes += conflict.causes.size();
  return work;
}

// An answer takes work as the universe is large. What is told of a refusal is bounded: `kExplained` is about what many
// small conflicts take, each with all of its fixes; a few large ones, which are what large universes have, take no
// more.
TEST(Growth, AnswersAndExplanationsGrowAsTheUniverse) {
  constexpr size_t kExplained = 1'000'000;
  size_t served = 0, refused = 0;
  for (uint32_t percent : {0U, 30U, 40U, 60U})
    for (uint32_t seed = 1; seed <= 3; ++seed) {
      Work const few = resolved(200, percent, seed), many = resolved(800, percent, seed);
      EXPECT_GE(few.allocations, 200U); // they are counted
      ++(many.served ? served : refused);
      if (many.served) {
        EXPECT_LE(many.allocations, 5 * few.allocations) << percent << " " << seed;
      } else {
        EXPECT_LE(many.allocations, kExplained) << percent << " " << seed;
        EXPECT_GE(many.causes, 20U) << percent << " " << seed;
      }
    }
  EXPECT_GE(served, 3U);
  EXPECT_GE(refused, 3U);
}

} // namespace
} // namespace htp::test
