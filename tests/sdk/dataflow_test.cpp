// What one run says of a network holds for all orders: against all states of small random networks, each order tried.
#include "htp_cpp/dataflow_proof.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <functional>
#include <random>
#include <set>

namespace htp::sdk::dataflow {
namespace {

constexpr int64_t limit = 100'000;

TripCount times(int64_t count) { return {{count}}; }
// ── all states ──────────────────────────────────────────────────────────────────────────────────────────────────────

// The operations of a process one after the other, loops gone.
void flatten(const std::vector<Step> &steps, Values &values, std::vector<Step> &into) {
  for (const Step &step : steps) {
    if (!is_loop(step)) {
      into.push_back(step);
      continue;
    }
    const int64_t count = value(step.times, values);
    for (int64_t i = 0; i < count; ++i) {
      values[step.variable] = i;
      flatten(step.body, values, into);
    }
  }
}

// How far each process is tells all of a state, but for an offer of a rendezvous.
struct State {
  std::vector<size_t> at;
  std::vector<bool> offered; // by process: it has put, and waits for the get
  auto operator<=>(const State &) const = default;
};

// Whether no order of the processes leads to a state in which somebody is left that cannot move.
bool never_stuck(const Network &network) {
  std::vector<std::vector<Step>> flat;
  for (const Process &process : network.processes) {
    Values values;
    flatten(process.steps, values, flat.emplace_back());
  }
  // Of the operations that a process has made on a channel, those of two kinds.
  const auto made = [&](const State &state, size_t p, size_t channel, StepKind one, StepKind other) {
    int64_t count = 0;
    for (size_t i = 0; i < state.at[p]; ++i)
      count += flat[p][i].channel == channel && (flat[p][i].kind == one || flat[p][i].kind == other);
    return count + (one == StepKind::put && state.offered[p] && flat[p][state.at[p]].channel == channel);
  };
  const auto reads = [&](size_t p, size_t channel) {
    return std::any_of(flat[p].begin(), flat[p].end(),
                       [&](const Step &s) { return s.channel == channel && !writes(s); });
  };
  std::set<State> seen;
  std::vector<State> open{{std::vector<size_t>(flat.size()), std::vector<bool>(flat.size())}};
  while (!open.empty()) {
    const State state = open.back();
    open.pop_back();
    if (!seen.insert(state).second) continue;
    bool moved = false, left = false;
    for (size_t p = 0; p < flat.size(); ++p) {
      if (state.at[p] == flat[p].size()) continue;
      left = true;
      const Step &step = flat[p][state.at[p]];
      int64_t claims = 0, puts = 0, free = INT64_MAX;
      for (size_t q = 0; q < flat.size(); ++q) {
        claims += made(state, q, step.channel, StepKind::put, StepKind::claim);
        puts += made(state, q, step.channel, StepKind::put, StepKind::publish);
        if (reads(q, step.channel))
          free = std::min(free, made(state, q, step.channel, StepKind::get, StepKind::release));
      }
      if (free == INT64_MAX) free = 0;
      const int64_t had = made(state, p, step.channel, StepKind::get, StepKind::front);
      const int64_t capacity = network.channels[step.channel].capacity;
      bool can = false;
      switch (step.kind) {
      case StepKind::get:
      case StepKind::front: can = had < puts; break;
      case StepKind::release: can = made(state, p, step.channel, StepKind::get, StepKind::release) < had; break;
      case StepKind::publish: can = puts < claims; break;
      default: can = capacity == 0 ? !state.offered[p] || free == puts : claims - free < capacity;
      }
      if (!can) continue;
      State next = state;
      if (step.kind == StepKind::put && capacity == 0) next.offered[p] = !state.offered[p];
      if (!next.offered[p]) ++next.at[p];
      moved = true;
      open.push_back(std::move(next));
    }
    if (left && !moved) return false;
  }
  return true;
}

// ── random networks ─────────────────────────────────────────────────────────────────────────────────────────────────

class Draw {
public:
  explicit Draw(unsigned seed) : random_(seed) {}

  // With `in_place`, some items are written and read in their slots.
  Network network(bool in_place = false) {
    Network network;
    const int processes = between(2, 4), channels = between(1, 4);
    network.processes.resize(static_cast<size_t>(processes));
    std::vector<std::vector<Step>> steps(network.processes.size());
    for (size_t c = 0; c < static_cast<size_t>(channels); ++c) {
      network.channels.push_back({"c" + std::to_string(c), between(0, 3)});
      const auto writer = static_cast<size_t>(between(0, processes - 1));
      const int count = between(1, 3);
      add(steps[writer], put(c), count);
      // Seldom a process gets what it put itself.
      const int away = between(0, 9) == 0 ? 0 : between(1, processes - 1);
      std::set<size_t> readers{(writer + static_cast<size_t>(away)) % static_cast<size_t>(processes)};
      if (between(0, 4) == 0) readers.insert((writer + 1) % static_cast<size_t>(processes));
      for (const size_t reader : readers) add(steps[reader], get(c), count + (between(0, 9) == 0));
    }
    const bool twice = between(0, 2) == 0;
    for (size_t p = 0; p < steps.size(); ++p) {
      std::shuffle(steps[p].begin(), steps[p].end(), random_);
      if (in_place) put_in_place(steps[p], network.channels);
      network.processes[p] = {"p" + std::to_string(p), std::move(steps[p])};
      if (twice) network.processes[p].steps = {loop("i", times(2), std::move(network.processes[p].steps))};
    }
    return network;
  }

private:
  int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  // Some puts become a claim and, a few steps later, a publish; gets a front and a release.
  void put_in_place(std::vector<Step> &steps, const std::vector<Channel> &channels) {
    for (size_t k = 0; k < steps.size(); ++k) {
      Step &step = steps[k];
      const bool puts = step.kind == StepKind::put;
      if ((!puts && step.kind != StepKind::get) || channels[step.channel].capacity == 0 || between(0, 1)) continue;
      step.kind = puts ? StepKind::claim : StepKind::front;
      const Step second{.kind = puts ? StepKind::publish : StepKind::release, .channel = step.channel};
      const size_t behind = std::min(steps.size(), k + 1 + static_cast<size_t>(between(0, 2)));
      steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(behind), second);
    }
  }
  // So many operations, as a loop or apart.
  void add(std::vector<Step> &steps, const Step &one, int count) {
    if (between(0, 1))
      steps.push_back(loop("k", times(count), {one}));
    else
      steps.insert(steps.end(), static_cast<size_t>(count), one);
  }

  std::mt19937 random_;
};

TEST(Dataflow, one_run_says_what_all_states_say) {
  for (const bool in_place : {false, true}) {
    int stuck = 0;
    for (unsigned seed = 0; seed < 5'000; ++seed) {
      const Network network = Draw(seed).network(in_place);
      const auto ran = dataflow::run(network, {}, {.limit = limit});
      ASSERT_FALSE(ran.too_long);
      ASSERT_EQ(ran.ends(), never_stuck(network)) << seed;
      ASSERT_EQ(static_cast<size_t>(ran.moves), ran.order.size());
      stuck += !ran.ends();
    }
    EXPECT_GT(stuck, 1'000);
    EXPECT_LT(stuck, 4'500);
  }
}

// ── rates ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// Loops in each other, of sizes and of the iterations of the loops around, with puts between them.
void draw_steps(std::mt19937 &random, size_t depth, const std::vector<std::string> &around, std::vector<Step> &into) {
  const auto between = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  for (int k = between(1, 3); k > 0; --k) {
    if (depth == 0 || between(0, 2) == 0) {
      into.push_back(put(static_cast<size_t>(between(0, 1))));
      continue;
    }
    const IntExpr m = IntExpr::symbol("M"), n = IntExpr::symbol("N");
    std::vector<IntExpr> counts{m, n, 2, *(m * n), *floor_div(n, 2), *ceil_div(m, 3), *(m - 2), *least({3, n})};
    if (!around.empty()) counts.push_back(IntExpr::symbol(around.back()));
    const std::string variable = "v" + std::to_string(around.size()) + (around.empty() ? "" : around.back());
    std::vector<std::string> inside = around;
    inside.push_back(variable);
    std::vector<Step> body;
    draw_steps(random, depth - 1, inside, body);
    into.push_back(
        loop(variable, {{counts[static_cast<size_t>(between(0, static_cast<int>(counts.size()) - 1))]}}, body));
  }
}

// How often each put of a channel comes, in the order in which they stand, and how many came before the first time in
// each iteration: by going through all iterations.
void walk(const std::vector<Step> &steps, Values &values, const std::function<void(const Step &)> &visit) {
  for (const Step &step : steps) {
    if (!is_loop(step)) {
      visit(step);
      continue;
    }
    const int64_t count = value(step.times, values);
    for (int64_t i = 0; i < count; ++i) {
      values[step.variable] = i;
      walk(step.body, values, visit);
    }
  }
}
void each_position(const std::vector<Step> &steps, Position &at,
                   const std::function<void(const Step &, const Position &)> &visit) {
  at.push_back(0);
  for (; at.back() < steps.size(); ++at.back()) {
    const Step &step = steps[at.back()];
    if (is_loop(step))
      each_position(step.body, at, visit);
    else
      visit(step, at);
  }
  at.pop_back();
}

TEST(Dataflow, rates_are_what_a_walk_counts) {
  int known = 0, unknown = 0;
  for (unsigned seed = 0; seed < 1'500; ++seed) {
    std::mt19937 random(seed);
    std::vector<Step> steps;
    draw_steps(random, 3, {}, steps);
    const Counted counted{0, StepKind::put};
    const MaybeInt all = rate(steps, counted);
    (all ? known : unknown)++;
    std::map<const Step *, MaybeInt> before;
    Position at;
    each_position(steps, at, [&](const Step &step, const Position &position) {
      before[&step] = count_before(steps, position, 0, counted);
    });
    for (const auto &[m, n] : {std::pair{1, 1}, {1, 4}, {3, 2}, {5, 3}, {2, 7}}) {
      Values values{{"M", m}, {"N", n}};
      int64_t count = 0;
      const auto value_of = [&](const std::string &name) { return std::optional(values.at(name)); };
      walk(steps, values, [&](const Step &step) {
        if (const MaybeInt &known_before = before.at(&step)) {
          EXPECT_EQ(known_before->value(value_of), count) << seed << ": " << known_before->text();
        }
        count += step.channel == 0;
      });
      if (all) {
        ASSERT_EQ(all->value(value_of), count) << seed << ": " << all->text();
      }
    }
  }
  EXPECT_GT(known, 1'000);
  EXPECT_GT(unknown, 50);
}

// ── capacities ──────────────────────────────────────────────────────────────────────────────────────────────────────

// Every vector of capacities up to a bound, smallest total first.
std::vector<int64_t> by_trying(const Network &network, int64_t bound) {
  const std::vector<int64_t> own = capacities(network);
  std::vector<int64_t> best;
  int64_t best_total = INT64_MAX;
  std::vector<int64_t> tried = own;
  const std::function<void(size_t, int64_t)> from = [&](size_t c, int64_t total) {
    if (total >= best_total) return;
    if (c == own.size()) {
      if (dataflow::run(network, {}, {.limit = limit, .capacities = tried}).ends()) best = tried, best_total = total;
      return;
    }
    for (tried[c] = own[c]; tried[c] <= own[c] + bound; ++tried[c]) from(c + 1, total + tried[c]);
    tried[c] = own[c];
  };
  from(0, 0);
  return best;
}

int64_t total(const std::vector<int64_t> &capacities) {
  int64_t sum = 0;
  for (const int64_t c : capacities) sum += c;
  return sum;
}

TEST(Dataflow, capacities_that_suffice_have_the_smallest_total) {
  int mended = 0, hopeless = 0;
  const unsigned networks = std::getenv("HTP_LONG") ? 5'000 : 600;
  for (unsigned seed = 0; seed < networks; ++seed) {
    const Network network = Draw(seed).network();
    const auto ran = dataflow::run(network, {}, {.limit = limit});
    if (ran.ends()) continue;
    const auto found = sufficient_capacities(network, {}, limit);
    const auto tried = by_trying(network, 7);
    ASSERT_EQ(found.empty(), tried.empty()) << seed;
    if (found.empty()) {
      ++hopeless;
      continue;
    }
    ASSERT_EQ(total(found), total(tried)) << seed;
    ASSERT_TRUE(dataflow::run(network, {}, {.limit = limit, .capacities = found}).ends()) << seed;
    ++mended;
  }
  EXPECT_GT(mended, 50);
  EXPECT_GT(hopeless, 50);
}

// ── for all sizes ───────────────────────────────────────────────────────────────────────────────────────────────────

TripCount size(const std::string &name) { return {{IntExpr::symbol(name)}}; }
TripCount blocks(const std::string &name, int64_t of) { return {{*ceil_div(IntExpr::symbol(name), of)}}; }

Network two(std::vector<int64_t> capacities, std::vector<Step> one, std::vector<Step> other) {
  Network network;
  for (const int64_t capacity : capacities)
    network.channels.push_back({"c" + std::to_string(network.channels.size()), capacity});
  network.processes = {{"one", std::move(one)}, {"other", std::move(other)}};
  return network;
}

TEST(DataflowProof, a_pipeline_ends) {
  const auto network = two({2}, {loop("i", blocks("N", 8), {put(0)})}, {loop("k", blocks("N", 8), {get(0)})});
  EXPECT_EQ(prove(network).verdict, Verdict::ends);
}

TEST(DataflowProof, unequal_counts_are_told_with_sizes) {
  const auto network = two({2}, {loop("i", blocks("N", 8), {put(0)})}, {loop("k", blocks("N", 4), {get(0)})});
  const Proof proof = prove(network);
  EXPECT_EQ(proof.verdict, Verdict::unequal);
  const Values at = proof.sizes;
  EXPECT_EQ(at, (Values{{"N", 5}}));
}

TEST(DataflowProof, an_answer_to_each_question_ends) {
  const auto network = two({1, 1}, {loop("i", size("N"), {put(0), get(1)})}, {loop("i", size("N"), {get(0), put(1)})});
  EXPECT_EQ(prove(network).verdict, Verdict::ends);
}

TEST(DataflowProof, who_waits_for_itself_is_not_shown_to_end) {
  const TripCount rows = size("M");
  Network alone{{{"c", 1}}, {{"a", {loop("i", rows, {put(0)}), loop("j", rows, {get(0)})}}}};
  EXPECT_NE(prove(alone).verdict, Verdict::ends);
  EXPECT_FALSE(dataflow::run(alone, {{"M", 2}}, {.limit = limit}).ends());
  alone.processes[0].steps = {loop("i", rows, {put(0), get(0)})};
  EXPECT_EQ(prove(alone).verdict, Verdict::ends);
  // Beside another channel, and as one of the readers of a broadcast.
  Network beside{{{"c", 1}, {"d", 1}}, {{"a", {put(1), get(0), put(0)}}, {"b", {get(1)}}}};
  EXPECT_NE(prove(beside).verdict, Verdict::ends);
  Network told{{{"c", 1}},
               {{"a", {loop("i", rows, {put(0)}), loop("j", rows, {get(0)})}}, {"b", {loop("k", rows, {get(0)})}}}};
  EXPECT_NE(prove(told).verdict, Verdict::ends);
}

TEST(DataflowProof, both_asking_first_is_not_shown_to_end) {
  const auto network = two({1, 1}, {loop("i", size("N"), {get(1), put(0)})}, {loop("i", size("N"), {get(0), put(1)})});
  EXPECT_EQ(prove(network).verdict, Verdict::unknown);
  EXPECT_FALSE(dataflow::run(network, {{"N", 1}}, {.limit = limit}).ends());
}

TEST(DataflowProof, a_first_item_makes_room_for_the_circle) {
  // The other is one item behind: no iteration is balanced by itself.
  const auto network =
      two({1, 1}, {put(0), loop("i", size("N"), {get(1), put(0)})}, {loop("i", size("N"), {get(0), put(1)}), get(0)});
  EXPECT_EQ(prove(network).verdict, Verdict::ends);
}

TEST(DataflowProof, rates_of_two_and_three_end) {
  const auto network = two({3, 3}, {loop("i", size("N"), {put(0), put(0), put(0), get(1), get(1)})},
                           {loop("j", size("N"), {get(0), get(0), put(1), get(0), put(1)})});
  EXPECT_EQ(prove(network).verdict, Verdict::ends);
}

TEST(DataflowProof, items_of_all_rows_by_columns) {
  const auto network = two({2, 1}, {loop("i", size("M"), {loop("j", size("N"), {put(0)}), put(1)})},
                           {loop("r", size("M"), {loop("c", size("N"), {get(0)}), get(1)})});
  EXPECT_EQ(prove(network).verdict, Verdict::ends);
}

TEST(DataflowProof, a_row_later_has_to_have_its_room) {
  // The second channel is read before the whole row was put.
  const auto network = two({2, 1}, {loop("i", size("M"), {loop("j", size("N"), {put(0)}), put(1)})},
                           {loop("r", size("M"), {get(1), loop("c", size("N"), {get(0)})})});
  EXPECT_EQ(prove(network).verdict, Verdict::unknown);
  EXPECT_TRUE(dataflow::run(network, {{"M", 3}, {"N", 2}}, {.limit = limit}).ends());
  EXPECT_FALSE(dataflow::run(network, {{"M", 3}, {"N", 3}}, {.limit = limit}).ends());
}

TEST(DataflowProof, as_many_as_the_row_is_long) {
  TripCount triangle{{*(IntExpr::symbol("i") + 1)}};
  TripCount other{{*(IntExpr::symbol("r") + 1)}};
  const auto network = two({1, 1}, {loop("i", size("M"), {loop("j", triangle, {put(0), get(1)})})},
                           {loop("r", size("M"), {loop("c", other, {get(0), put(1)})})});
  EXPECT_EQ(prove(network).verdict, Verdict::ends);
}

TEST(DataflowProof, a_rendezvous_in_order_ends) {
  EXPECT_EQ(
      prove(two({0, 0}, {loop("i", size("N"), {put(0), put(1)})}, {loop("i", size("N"), {get(0), get(1)})})).verdict,
      Verdict::ends);
  const auto crossed = two({0, 0}, {loop("i", size("N"), {put(0), put(1)})}, {loop("i", size("N"), {get(1), get(0)})});
  EXPECT_EQ(prove(crossed).verdict, Verdict::unknown);
}

// What a run at small sizes does not meet.
TEST(DataflowProof, what_gets_stuck_at_large_sizes_only_is_not_shown_to_end) {
  const IntExpr m = IntExpr::symbol("M");
  const auto above_twenty = [&](std::vector<Step> steps) {
    return std::vector<Step>{loop("#", {{1, *(m - 20)}}, std::move(steps))};
  };
  const auto odd = [&](std::vector<Step> steps) { return loop("k", {{*remainder(m, 2)}}, std::move(steps)); };
  const auto both_get_first = two({1, 1}, above_twenty({odd({get(1), put(0)})}), above_twenty({odd({get(0), put(1)})}));
  EXPECT_EQ(prove(both_get_first).verdict, Verdict::unknown);
  EXPECT_FALSE(dataflow::run(both_get_first, {{"M", 21}}).ends());
  // Three items before the first is got, in a channel for so many.
  const std::vector<Step> first{put(0), put(0), put(0), put(1)}, second{get(1), get(0), get(0), get(0)};
  EXPECT_EQ(prove(two({2, 1}, above_twenty(first), above_twenty(second))).verdict, Verdict::unknown);
  EXPECT_EQ(prove(two({3, 1}, above_twenty(first), above_twenty(second))).verdict, Verdict::ends);
}

// Never wrong: of random networks whose loops have a size, what is said to end ends at the sizes there is time to try.
TEST(DataflowProof, what_is_shown_to_end_ends) {
  int ends = 0, unequal = 0, unknown = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    Network network = Draw(seed).network();
    std::mt19937 random(seed);
    for (Process &process : network.processes)
      for (Step &step : process.steps)
        if (is_loop(step) && step.variable == "i") step.times = seed % 2 ? size("N") : blocks("N", 2);
    const Proof proof = prove(network);
    bool all = true;
    for (int64_t n = 1; n < 6 && all; ++n) {
      const auto ran = dataflow::run(network, {{"N", n}}, {.limit = limit});
      all = ran.ends();
      all = all && !ran.leaves_items();
    }
    if (proof.verdict == Verdict::ends) {
      ASSERT_TRUE(all) << seed;
    }
    if (proof.verdict == Verdict::unequal) {
      ASSERT_FALSE(all) << seed;
    }
    ends += proof.verdict == Verdict::ends;
    unequal += proof.verdict == Verdict::unequal;
    unknown += proof.verdict == Verdict::unknown && all;
  }
  EXPECT_GT(ends, 200);
  EXPECT_GT(unequal, 50);
  EXPECT_LT(unknown, 20);
}

// Each operation of a channel under the channel's condition: on the size, on the loop around, or on both.
void under_conditions(std::vector<Step> &steps, const std::vector<size_t> &conditions) {
  for (Step &step : steps) {
    if (is_loop(step) && step.variable == "i") {
      under_conditions(step.body, conditions);
      continue;
    }
    const std::vector<Step> &inner = is_loop(step) ? step.body : std::vector<Step>{step};
    const IntExpr one(1), n = IntExpr::symbol("N"), inside = IntExpr::symbol("i");
    const IntExpr more = *(n - 2), first = *(1 - inside), not_last = *(n - inside - 1);
    const std::vector<std::vector<IntExpr>> all{
        {one, more}, {one, first}, {one, inside}, {one, not_last}, {one, inside, not_last}};
    const size_t condition = conditions[inner[0].channel];
    if (condition < all.size()) step = loop("#" + std::to_string(condition), {all[condition]}, {step});
  }
}

TEST(DataflowProof, what_is_shown_to_end_under_conditions_ends) {
  int ends = 0, unequal = 0, unknown = 0;
  const int networks = std::getenv("HTP_LONG") ? 400 : 40;
  for (int seed = 0; seed < networks; ++seed) {
    Network network = Draw(static_cast<unsigned>(seed)).network();
    std::mt19937 random(static_cast<unsigned>(seed));
    std::vector<size_t> conditions;
    for (size_t c = 0; c < network.channels.size(); ++c) conditions.push_back(random() % 7);
    for (Process &process : network.processes) {
      if (process.steps.size() != 1 || process.steps[0].variable != "i")
        process.steps = {loop("i", size("N"), std::move(process.steps))};
      process.steps[0].times = size("N");
      if (random() % 8 == 0 && !conditions.empty())
        conditions[random() % conditions.size()] = random() % 7; // not alike
      under_conditions(process.steps, conditions);
    }
    const Proof proof = prove(network);
    bool all = true;
    for (int64_t n = 1; n < 6 && all; ++n) {
      const auto ran = dataflow::run(network, {{"N", n}}, {.limit = limit});
      all = ran.ends();
      all = all && !ran.leaves_items();
    }
    if (proof.verdict == Verdict::ends) {
      ASSERT_TRUE(all) << seed;
    }
    if (proof.verdict == Verdict::unequal) {
      ASSERT_FALSE(all) << seed;
    }
    ends += proof.verdict == Verdict::ends;
    unequal += proof.verdict == Verdict::unequal;
    unknown += proof.verdict == Verdict::unknown && all;
  }
  EXPECT_GT(ends, networks / 5);
  EXPECT_GT(unequal, networks / 25);
  EXPECT_LE(unknown, networks / 20);
}

// ── how long it takes ───────────────────────────────────────────────────────────────────────────────────────────────

// Seconds of this process that `work` takes, on a machine that may do other things beside.
template <class F> double seconds(F &&work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double longest = 20;
#else
constexpr double longest = 1;
#endif

// A grid of cells that pass on what comes from the left and from above, fed and drained at its rims.
Network systolic(size_t side) {
  Network network;
  const auto channel = [&](const std::string &name) {
    network.channels.push_back({name, 1});
    return network.channels.size() - 1;
  };
  std::vector<std::vector<size_t>> across(side), down(side + 1);
  for (size_t i = 0; i < side; ++i)
    for (size_t j = 0; j <= side; ++j)
      across[i].push_back(channel("across" + std::to_string(i) + "," + std::to_string(j)));
  for (size_t i = 0; i <= side; ++i)
    for (size_t j = 0; j < side; ++j) down[i].push_back(channel("down" + std::to_string(i) + "," + std::to_string(j)));
  const auto process = [&](const std::string &name, std::vector<Step> steps) {
    network.processes.push_back({name, {loop("k", blocks("K", 8), std::move(steps))}});
  };
  for (size_t i = 0; i < side; ++i) {
    process("left" + std::to_string(i), {put(across[i][0])});
    process("top" + std::to_string(i), {put(down[0][i])});
    process("right" + std::to_string(i), {get(across[i][side])});
    process("bottom" + std::to_string(i), {get(down[side][i])});
    for (size_t j = 0; j < side; ++j)
      process("cell" + std::to_string(i) + "," + std::to_string(j),
              {get(across[i][j]), get(down[i][j]), put(across[i][j + 1]), put(down[i + 1][j])});
  }
  return network;
}

TEST(DataflowSpeed, a_grid_of_a_thousand_is_proved_in_a_second) {
  const Network network = systolic(31);
  EXPECT_GT(network.processes.size(), 1'000U);
  Proof proof;
  EXPECT_LT(seconds([&] { proof = prove(network); }), longest);
  EXPECT_EQ(proof.verdict, Verdict::ends);
}

// Each stage tells the one before it that it is done: what goes forward and what comes back are circles.
Network chain(size_t stages, int64_t capacity) {
  Network network;
  for (size_t k = 0; k + 1 < stages; ++k) {
    network.channels.push_back({"forward" + std::to_string(k), capacity});
    network.channels.push_back({"back" + std::to_string(k), capacity});
  }
  for (size_t k = 0; k < stages; ++k) {
    std::vector<Step> steps;
    if (k > 0) steps.push_back(get(2 * k - 2));
    if (k + 1 < stages) steps.push_back(put(2 * k));
    if (k + 1 < stages) steps.push_back(get(2 * k + 1));
    if (k > 0) steps.push_back(put(2 * k - 1));
    network.processes.push_back({"stage" + std::to_string(k), {loop("m", size("M"), steps)}});
  }
  return network;
}

TEST(DataflowSpeed, a_chain_of_a_thousand_with_answers_is_proved_in_a_second) {
  Proof proof;
  EXPECT_LT(seconds([&] { proof = prove(chain(1'000, 1)); }), longest);
  EXPECT_EQ(proof.verdict, Verdict::ends);
}

TEST(DataflowSpeed, a_deadlock_of_a_thousand_is_found_in_a_second) {
  Network network = chain(1'000, 1);
  // Waits for the answer before it asks.
  std::swap(network.processes[998].steps[0].body[1], network.processes[998].steps[0].body[2]);
  Proof proof;
  dataflow::Run ran;
  EXPECT_LT(seconds([&] {
              proof = prove(network);
              ran = dataflow::run(network, {{"M", 3}}, {.limit = limit});
            }),
            longest);
  EXPECT_NE(proof.verdict, Verdict::ends);
  EXPECT_EQ(cycle(ran).size(), 2U);
}

} // namespace
} // namespace htp::sdk::dataflow
