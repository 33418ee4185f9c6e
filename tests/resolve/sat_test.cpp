// The preferred model against every assignment, over random clauses; some of them open to propagation alone, some not.
#include "host/resolve/sat.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace htp {
namespace {

using Clauses = std::vector<std::vector<int>>;

bool holds(const Clauses &clauses, uint32_t assignment) {
  return std::all_of(clauses.begin(), clauses.end(), [&](const std::vector<int> &clause) {
    return std::any_of(clause.begin(), clause.end(), [&](int literal) {
      bool const value = assignment >> (std::abs(literal) - 1) & 1;
      return literal > 0 ? value : !value;
    });
  });
}

// The assignment whose variables, in `order`, come first when false is before true.
std::optional<uint32_t> least(const Clauses &clauses, int variables, const std::vector<int> &order) {
  std::optional<uint32_t> best;
  auto before = [&](uint32_t a, uint32_t b) {
    for (int v : order)
      if ((a >> (v - 1) & 1) != (b >> (v - 1) & 1)) return (b >> (v - 1) & 1) == 1;
    return false;
  };
  for (uint32_t a = 0; a < 1U << variables; ++a)
    if (holds(clauses, a) && (!best || before(a, *best))) best = a;
  return best;
}

TEST(Sat, LeastModelAndCore) {
  int solver_was_needed = 0, without_solver = 0, unsolvable = 0;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 engine(seed);
    auto random = [&] { return static_cast<uint32_t>(engine()); };
    int const variables = 3 + static_cast<int>(random() % 6);
    Sat sat;
    std::vector<int> order, assumptions;
    for (int v = 0; v < variables; ++v) order.push_back(sat.fresh());
    std::shuffle(order.begin(), order.end(), engine);
    auto literal = [&] {
      return static_cast<int>(1 + random() % static_cast<uint32_t>(variables)) * (random() % 2 ? 1 : -1);
    };
    Clauses clauses;
    for (uint32_t c = 2 + random() % static_cast<uint32_t>(4 * variables); c > 0; --c) {
      clauses.emplace_back();
      for (uint32_t n = 2 + random() % 2; n > 0; --n) clauses.back().push_back(literal());
      sat.add(clauses.back());
    }
    Clauses all = clauses;
    for (uint32_t n = random() % 3; n > 0; --n) assumptions.push_back(literal());
    for (int assumption : assumptions) all.push_back({assumption});

    auto const expected = least(all, variables, order);
    auto const model = sat.least(assumptions, order);
    ASSERT_EQ(model.has_value(), expected.has_value());
    ++(sat.used_solver() ? solver_was_needed : without_solver);
    if (model) {
      std::vector<int> none;
      ASSERT_TRUE(sat.any(assumptions, none));
      for (int v : order) ASSERT_EQ((*model)[static_cast<size_t>(v)], (*expected >> (v - 1) & 1) == 1) << v;
      continue;
    }
    ++unsolvable;
    all = clauses;
    std::vector<int> core;
    ASSERT_FALSE(sat.any(assumptions, core));
    for (int part : core) {
      ASSERT_NE(std::find(assumptions.begin(), assumptions.end(), part), assumptions.end());
      all.push_back({part});
    }
    EXPECT_FALSE(least(all, variables, order));
  }
  EXPECT_GT(solver_was_needed, 100);
  EXPECT_GT(without_solver, 1000);
  EXPECT_GT(unsolvable, 100);
}

} // namespace
} // namespace htp
