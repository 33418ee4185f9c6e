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
    bool const own = seed % 2 == 0; // else CaDiCaL has to answer what meets a conflict
    uint32_t left = 200000;
    Sat sat(left, own ? 2000 : 0);
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
    using Kind = Sat::Answer::Kind;
    Sat::Answer const answer = sat.solve(assumptions, order);
    ASSERT_EQ(answer.kind, expected ? Kind::model : Kind::none);
    if (answer.kind == Kind::model) {
      for (int v : order) ASSERT_EQ(answer.model[static_cast<size_t>(v)], (*expected >> (v - 1) & 1) == 1) << v;
      // What was learned holds, and clauses may be added afterwards.
      clauses.push_back({literal(), literal()});
      sat.add(clauses.back());
      all.push_back(clauses.back());
      auto const next = least(all, variables, order);
      Sat::Answer const again = sat.solve(assumptions, order);
      ASSERT_EQ(again.kind, next ? Kind::model : Kind::none);
      if (next) {
        for (int v : order) ASSERT_EQ(again.model[static_cast<size_t>(v)], (*next >> (v - 1) & 1) == 1) << v;
      }
    }
    ++(sat.used_solver() ? solver_was_needed : without_solver);
    if (answer.kind == Kind::model) continue;
    ++unsolvable;
    all = clauses;
    for (int part : answer.core) {
      ASSERT_NE(std::find(assumptions.begin(), assumptions.end(), part), assumptions.end());
      all.push_back({part});
    }
    EXPECT_FALSE(least(all, variables, order));
  }
  EXPECT_GT(solver_was_needed, 150);
  EXPECT_GT(without_solver, 1000);
  EXPECT_GT(unsolvable, 100);
}

// Eight pigeons in seven holes: every search for it meets many conflicts.
TEST(Sat, StopsAtItsLimit) {
  auto ask = [](uint32_t own, uint32_t left) {
    Sat sat(left, own);
    constexpr int kHoles = 7;
    std::vector<std::vector<int>> in(kHoles + 1);
    for (auto &pigeon : in)
      for (int hole = 0; hole < kHoles; ++hole) pigeon.push_back(sat.fresh());
    for (const auto &pigeon : in) sat.add(pigeon);
    for (size_t hole = 0; hole < kHoles; ++hole)
      for (size_t a = 0; a < in.size(); ++a)
        for (size_t b = 0; b < a; ++b) sat.add({-in[a][hole], -in[b][hole]});
    return sat.solve({}, {}).kind;
  };
  EXPECT_EQ(ask(10, 20), Sat::Answer::Kind::undecided);
  EXPECT_EQ(ask(1000000, 1000000), Sat::Answer::Kind::none);
  EXPECT_EQ(ask(10, 1000000), Sat::Answer::Kind::none);
  // The limit is of all questions together.
  uint32_t left = 3;
  for (int question = 0; question < 4; ++question) {
    Sat sat(left);
    int const a = sat.fresh(), b = sat.fresh();
    for (int sign : {1, -1})
      for (int other : {1, -1}) sat.add({sign * a, other * b});
    EXPECT_EQ(sat.solve({}, {}).kind, question < 3 ? Sat::Answer::Kind::none : Sat::Answer::Kind::undecided);
  }
  EXPECT_EQ(left, 0U);
}

} // namespace
} // namespace htp
