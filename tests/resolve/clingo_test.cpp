// Universes too large to look at every set, against clingo and an encoding of its own: is there an answer, is ours one,
// and is no part of it one. Skipped where clingo is not installed (Debian: gringo).
#include "bench/resolve/asp.h"
#include "host/base/process.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

enum class Says { nothing, answer, none };
Says ask_clingo(const std::string &program) {
  ProcessRequest request;
  request.argv = {"clingo", "-"};
  request.input = program;
  auto const result = run_process(request);
  if (!result) return Says::nothing;
  int const status = result->exit_status; // 10: there is one, and perhaps more; 30: and no more
  return status == 10 || status == 30 ? Says::answer : status == 20 ? Says::none : Says::nothing;
}

TEST(Clingo, Agrees) {
  if (ask_clingo("a.") == Says::nothing) GTEST_SKIP() << "clingo is not installed";
  uint32_t solved = 0, refused = 0;
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    bench::World world;
    bench::make({30 + 3 * (seed % 20), 1 + seed % 5, seed % 4 == 0, seed}, world);
    std::string const program = bench::asp_of(world);
    auto const answer = resolve(world.universe, world.request);
    ASSERT_EQ(ask_clingo(program), answer ? Says::answer : Says::none);
    if (!answer) {
      ++refused;
      continue;
    }
    ++solved;
    std::string ours, part = ":- ";
    for (size_t p = 0; p < world.universe.plugins.size(); ++p) {
      bool chosen = false;
      for (const ChosenPlugin &plugin : answer->plugins)
        chosen = chosen || plugin.manifest == world.universe.plugins[p].manifest;
      ours += std::string(":- ") + (chosen ? "not " : "") + "in(" + std::to_string(p) + ").\n";
      if (!chosen) part = ":- in(" + std::to_string(p) + ").\n" + part;
      if (chosen) part += "in(" + std::to_string(p) + "), ";
    }
    EXPECT_EQ(ask_clingo(program + ours), Says::answer) << "ours is no answer";
    EXPECT_EQ(ask_clingo(program + part + "0 = 0.\n"), Says::none) << "a part of ours is an answer";
  }
  EXPECT_GT(solved, 10U);
  EXPECT_GT(refused, 10U);
}

} // namespace
} // namespace htp
