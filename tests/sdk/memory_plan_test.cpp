// Plans of random requests against what they promise: no byte that two need at once, capacity, alignment, and how much
// more than the least possible they take.
#include "htp_cpp/memory_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

namespace {

using namespace htp::sdk;

// By every branch of one and every branch of the other.
bool in_other_ways(const MemoryRequest &a, const MemoryRequest &b) {
  for (const BranchWay &x : a.ways)
    for (const BranchWay &y : b.ways)
      if (x.branch == y.branch && x.way != y.way) return true;
  return false;
}

// Asked of each byte in turn, and of each position: nothing of the library's arithmetic.
bool overlap(const std::vector<MemoryRequest> &requests, const MemoryPlan &plan, int64_t alignment) {
  std::vector<std::pair<int64_t, int64_t>> bytes;
  for (size_t r = 0; r < requests.size(); ++r) {
    const int64_t one = (requests[r].bytes + alignment - 1) / alignment * alignment;
    bytes.emplace_back(plan.offsets[r], plan.offsets[r] + one * (requests[r].copies - 1) + requests[r].bytes);
  }
  for (size_t a = 0; a < requests.size(); ++a)
    for (size_t b = 0; b < a; ++b)
      for (size_t at = requests[a].begin; at <= requests[a].end; ++at)
        if (requests[b].begin <= at && at <= requests[b].end && !in_other_ways(requests[a], requests[b]) &&
            bytes[a].first < bytes[b].second && bytes[b].first < bytes[a].second)
          return true;
  return false;
}

// As `most_live` says, position by position.
int64_t needed(const std::vector<MemoryRequest> &requests, int64_t alignment) {
  int64_t most = 0;
  for (size_t at = 0; at < 200; ++at) {
    int64_t now = 0;
    for (const MemoryRequest &r : requests)
      if (r.begin <= at && at <= r.end) now += (r.bytes + alignment - 1) / alignment * alignment * r.copies;
    most = std::max(most, now);
  }
  return most;
}

TEST(MemoryPlan, KeepsApartWhatIsLive) {
  std::mt19937 random(1);
  const auto between = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  double sum = 0;
  for (int k = 0; k < 1500; ++k) {
    const int64_t alignment = int64_t{1} << between(0, 6), largest = between(1, 4000);
    std::vector<MemoryRequest> requests(static_cast<size_t>(between(0, 40)));
    for (MemoryRequest &r : requests) {
      r.bytes = between(0, largest);
      r.begin = static_cast<size_t>(between(0, 60));
      r.end = r.begin + static_cast<size_t>(between(0, between(0, 1) ? 5 : 60));
      r.copies = between(0, 5) ? 1 : 2;
    }
    const auto plan = plan_memory(requests, {std::numeric_limits<int64_t>::max(), alignment});
    ASSERT_TRUE(plan);
    ASSERT_EQ(plan->offsets.size(), requests.size());
    ASSERT_FALSE(overlap(requests, *plan, alignment)) << k;
    const int64_t least = needed(requests, alignment);
    ASSERT_EQ(most_live(requests, alignment), least);
    ASSERT_LE(least, plan->bytes);
    ASSERT_LE(2 * plan->bytes, 3 * least) << k; // what the header promises
    sum += least ? static_cast<double>(plan->bytes) / static_cast<double>(least) : 1;
    for (size_t r = 0; r < requests.size(); ++r) {
      ASSERT_EQ(plan->offsets[r] % alignment, 0);
      ASSERT_LE(plan->offsets[r] + requests[r].bytes * requests[r].copies, plan->bytes);
    }
    // As much as it takes is enough, and less is not what it was given.
    EXPECT_EQ(plan_memory(requests, {plan->bytes, alignment})->offsets, plan->offsets);
    ASSERT_TRUE(plan->bytes == 0 || !plan_memory(requests, {plan->bytes - 1, alignment}));
  }
  EXPECT_LE(sum / 1500, 1.1);
}

// Of runs in each of which every one of six branches goes one way: what is needed in the worst of them, position by
// position.
int64_t needed_in_a_run(const std::vector<MemoryRequest> &requests) {
  int64_t most = 0;
  for (size_t run = 0; run < 64; ++run) {
    std::vector<MemoryRequest> come_to;
    for (const MemoryRequest &r : requests)
      if (std::ranges::all_of(r.ways, [&](const BranchWay &w) { return ((run >> w.branch) & 1) == w.way; }))
        come_to.push_back(r);
    most = std::max(most, needed(come_to, 1));
  }
  return most;
}

TEST(MemoryPlan, SharesBetweenWaysOfABranch) {
  std::mt19937 random(2);
  const auto below = [&](size_t n) { return std::uniform_int_distribution<size_t>(0, n - 1)(random); };
  double sum = 0;
  size_t less = 0;
  for (int k = 0; k < 400; ++k) {
    std::vector<MemoryRequest> requests(below(25));
    for (MemoryRequest &r : requests) {
      r.bytes = static_cast<int64_t>(below(100));
      r.begin = below(60);
      r.end = r.begin + below(60);
      if (below(3) == 0) r.begin = 0, r.end = MemoryRequest::everywhere;
      // Branches 0 and 1 stand in none; 2 and 3 in the ways of 0; 4 and 5 in those of 1.
      if (const size_t depth = below(3)) {
        const size_t branch = below(2), way = below(2);
        r.ways = {{branch, way}};
        if (depth == 2) r.ways.push_back({2 + 2 * branch + way, below(2)});
      }
    }
    const auto plan = plan_memory(requests, {std::numeric_limits<int64_t>::max(), 1});
    ASSERT_TRUE(plan);
    std::vector<MemoryRequest> finite = requests; // whose positions can be gone through
    for (MemoryRequest &r : finite) r.end = std::min<size_t>(r.end, 120);
    ASSERT_FALSE(overlap(finite, *plan, 1)) << k;
    const int64_t least = needed_in_a_run(finite);
    ASSERT_EQ(most_live(requests, 1), least) << k;
    ASSERT_LE(least, plan->bytes);
    sum += least ? static_cast<double>(plan->bytes) / static_cast<double>(least) : 1;
    less += least < needed(finite, 1);
  }
  EXPECT_LE(sum / 400, 1.1);
  EXPECT_GE(less, 100U); // the ways count
}

TEST(MemoryPlan, ReusesWhatIsFree) {
  const auto plan = plan_memory({{100, 0, 3}, {100, 2, 5}, {200, 6, 7}}, {256, 32});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->offsets, (std::vector<int64_t>{0, 128, 0}));
  EXPECT_EQ(plan->bytes, 256);
  EXPECT_FALSE(plan_memory({{100, 0, 3}, {100, 2, 5}}, {255, 32}));
}

TEST(MemoryPlan, GivesOffsetsInOrderWhereThatIsAsGood) {
  EXPECT_EQ(plan_memory({{32, 0, 3}, {64, 1, 2}, {96, 2, 5}}, {256, 32})->offsets, (std::vector<int64_t>{0, 32, 96}));
  EXPECT_EQ(plan_memory({{32, 4, 9}, {64, 0, MemoryRequest::everywhere}}, {256, 32})->offsets,
            (std::vector<int64_t>{64, 0}));
}

TEST(MemoryPlan, StopsAtWhatIsEnough) {
  // By where they begin, the third lies behind the second; the largest first, it lies in the first one's bytes.
  const std::vector<MemoryRequest> requests = {{32, 0, 1}, {32, 1, 9}, {64, 2, 9}};
  EXPECT_EQ(plan_memory(requests, {256, 32})->bytes, 96);
  EXPECT_EQ(plan_memory(requests, {256, 32, 127})->bytes, 96);
  EXPECT_EQ(plan_memory(requests, {256, 32, 128})->offsets, (std::vector<int64_t>{0, 32, 64}));
}

TEST(MemoryPlan, CountsWithoutWrappingAround) {
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  EXPECT_FALSE(plan_memory({{most, 0, 1}}, {most, 64}));
  EXPECT_FALSE(plan_memory({{most / 2, 0, 1, 3}}, {most, 1}));
  EXPECT_FALSE(plan_memory({{most - 1, 0, 1}, {most - 1, 0, 1}}, {most, 1}));
  EXPECT_FALSE(plan_memory({{-1, 0, 1}}, {64, 1}));
  EXPECT_FALSE(most_live({{most - 1, 0, 1}, {most - 1, 0, 1}}, 1));
}

} // namespace
