// Times worked out by hand, and networks at random against a simulation that goes tick by tick; capacities against
// trying them all.
#include "htp_cpp/simulate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace htp::sdk::simulation {
namespace {

using Kind = Move::Kind;

// A process as it is written: works, puts and gets.
class Writing {
public:
  explicit Writing(std::string name) { process_.name = std::move(name); }
  Writing &work(double seconds) {
    process_.rest += seconds;
    return *this;
  }
  Writing &put(size_t channel, bool rendezvous = false) {
    move(Kind::claim, channel);
    move(Kind::publish, channel);
    if (rendezvous) move(Kind::taken, channel);
    return *this;
  }
  Writing &get(size_t channel) {
    move(Kind::front, channel);
    move(Kind::release, channel);
    return *this;
  }
  Writing &move(Kind kind, size_t channel) {
    process_.moves.push_back({kind, channel, std::exchange(process_.rest, 0)});
    return *this;
  }
  template <class F> Writing &times(int count, F &&body) {
    for (int k = 0; k < count; ++k) body(*this);
    return *this;
  }
  operator Process() const { return process_; }

private:
  Process process_;
};

Network network(const Capacities &capacities, std::vector<Process> processes) {
  Network made;
  made.processes = std::move(processes);
  for (size_t c = 0; c < capacities.size(); ++c) {
    const std::string name(1, static_cast<char>('a' + c));
    made.declarations.push_back({name, capacities[c], 64});
    made.channels.push_back({name, c});
  }
  return made;
}

// ── by hand ─────────────────────────────────────────────────────────────────────────────────────────────────────────

TEST(Simulate, PipelineIsAsFastAsItsSlowestStage) {
  const std::vector<double> works{2, 1, 5, 3};
  const int items = 20;
  std::vector<Process> stages;
  for (size_t k = 0; k < works.size(); ++k)
    stages.push_back(Writing("s" + std::to_string(k)).times(items, [&](Writing &w) {
      if (k > 0) w.get(k - 1);
      w.work(works[k]);
      if (k + 1 < works.size()) w.put(k);
    }));
  const Ran run = simulation::run(network({1, 1, 1}, stages));
  EXPECT_EQ(run.seconds, 2 + 1 + 5 + 3 + (items - 1) * 5);
  EXPECT_EQ(run.process, 2u);
  EXPECT_EQ(run.channel, std::nullopt); // more room would not help
  EXPECT_EQ(run.processes[2].critical, items * 5);
  EXPECT_EQ(run.processes[2].work, items * 5);
  EXPECT_EQ(run.processes[2].empty, 3);          // until the first item came
  EXPECT_EQ(run.processes[3].empty, 8 + 19 * 2); // each time
  EXPECT_EQ(run.channels[1].most, 1);
}

TEST(Simulate, WaitsForRoomWhereTheReaderIsSlow) {
  const Process writer = Writing("writer").times(4, [](Writing &w) { w.work(1).put(0); });
  const Process reader = Writing("reader").times(4, [](Writing &w) { w.get(0).work(3); });
  const Ran run = simulation::run(network({1}, {writer, reader}));
  // Puts at 1, 2, 4, 7; gets at 1, 4, 7, 10.
  EXPECT_EQ(run.seconds, 13);
  EXPECT_EQ(run.processes[0].end, 7);
  EXPECT_EQ(run.processes[0].full, 1 + 2);
  EXPECT_EQ(run.processes[1].empty, 1);
  EXPECT_EQ(run.channels[0].full, 3);
  EXPECT_DOUBLE_EQ(run.channels[0].mean, (0.0 + 2 + 3 + 3) / 13);
}

TEST(Simulate, TwoForThree) {
  // Two items each time after 4 s, three each time for 9 s.
  const Process writer = Writing("writer").times(6, [](Writing &w) { w.work(4).put(0).put(0); });
  const Process reader = Writing("reader").times(4, [](Writing &w) { w.get(0).get(0).get(0).work(9); });
  // Three items are there at 8; from then on the reader always has some.
  EXPECT_EQ(simulation::run(network({3}, {writer, reader})).seconds, 8 + 4 * 9);
  // With one slot the fifth item waits from 12 to 17, the eighth from 21 to 26; the ninth comes at 30, and the reader
  // waits 4 s.
  const Ran tight = simulation::run(network({1}, {writer, reader}));
  EXPECT_EQ(tight.seconds, 48);
  EXPECT_EQ(tight.processes[0].full, (17 - 12) + (26 - 21) + (39 - 34));
  EXPECT_EQ(tight.processes[1].empty, 8 + 4);
  EXPECT_EQ(tight.channel, 0u);
  const auto choice = choose(network({1}, {writer, reader}));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->capacities, (Capacities{2}));
  EXPECT_EQ(choice->smaller[0], 48);
}

TEST(Simulate, RendezvousWaitsForBoth) {
  const Process writer = Writing("writer").times(3, [](Writing &w) { w.work(1).put(0, true); });
  const Process reader = Writing("reader").times(3, [](Writing &w) { w.work(2).get(0); });
  const Ran run = simulation::run(network({0}, {writer, reader}));
  EXPECT_EQ(run.seconds, 6);
  EXPECT_EQ(run.processes[0].full, 3);
  EXPECT_EQ(run.processes[0].end, 6);
  EXPECT_EQ(run.processes[1].empty, 0);
  EXPECT_EQ(run.process, 1u);
}

TEST(Simulate, BroadcastWaitsForItsSlowestReader) {
  const Process writer = Writing("writer").times(5, [](Writing &w) { w.put(0); });
  const auto reader = [](const char *name, double work) -> Process {
    return Writing(name).times(5, [&](Writing &w) { w.get(0).work(work); });
  };
  const Ran run = simulation::run(network({1}, {writer, reader("fast", 1), reader("slow", 3)}));
  EXPECT_EQ(run.seconds, 15);
  EXPECT_EQ(run.processes[0].end, 9);           // its fifth item finds room when the slow one has taken the fourth
  EXPECT_EQ(run.processes[1].empty, 1 + 2 + 2); // the items are there at 0, 0, 3, 6, 9
  EXPECT_EQ(run.channels[0].readers, (std::vector<size_t>{1, 2}));
}

TEST(Simulate, ASlotIsFilledInPlace) {
  // Two slots: one is read while the other is filled. With one slot these take turns.
  const auto writer =
      Writing("writer").times(6, [](Writing &w) { w.move(Kind::claim, 0).work(2).move(Kind::publish, 0); });
  const auto reader =
      Writing("reader").times(6, [](Writing &w) { w.move(Kind::front, 0).work(2).move(Kind::release, 0); });
  EXPECT_EQ(simulation::run(network({2}, {writer, reader})).seconds, 2 + 6 * 2);
  const Ran one = simulation::run(network({1}, {writer, reader}));
  EXPECT_EQ(one.seconds, 6 * 4);
  EXPECT_EQ(one.channel, 0u);
}

TEST(Simulate, TellsWhoIsStuck) {
  const Process one = Writing("one").get(1).put(0), other = Writing("other").get(0).put(1);
  const Ran run = simulation::run(network({1, 1}, {one, other, Writing("free").work(1)}));
  EXPECT_TRUE(run.stuck);
  EXPECT_EQ(run.blocked, (std::vector<size_t>{0, 1}));
}

TEST(Simulate, ChoosesForAnArrayOfChannelsAtOnce) {
  // A burst of four items on one lane, of one item on the other; both lanes have the capacity of their array.
  Network made;
  made.declarations.push_back({"lanes", 1, 64});
  made.channels = {{"lanes[0]", 0}, {"lanes[1]", 0}};
  made.processes.push_back(
      Writing("writer").times(3, [](Writing &w) { w.put(0).put(0).put(0).put(0).put(1).work(8); }));
  made.processes.push_back(Writing("first").times(12, [](Writing &w) { w.get(0).work(2); }));
  made.processes.push_back(Writing("second").times(3, [](Writing &w) { w.get(1).work(8); }));
  const auto choice = choose(made);
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->best, simulation::run(made, {12}).seconds);
  EXPECT_EQ(choice->bytes, 2 * 64.0 * static_cast<double>(choice->capacities[0]));
  EXPECT_TRUE(choice->least);
  EXPECT_LE(choice->seconds, choice->best * 1.001);
  EXPECT_GT(choice->smaller[0], choice->best * 1.001);
}

TEST(Simulate, ChoosesWhenTheLeastGetsStuck) {
  // Two items have to be put before the first is got.
  const Process writer = Writing("writer").put(0).put(0).put(1), reader = Writing("reader").get(1).get(0).get(0);
  const auto choice = choose(network({1, 1}, {writer, reader}));
  ASSERT_TRUE(choice);
  EXPECT_EQ(choice->capacities, (Capacities{2, 1}));
  EXPECT_TRUE(std::isinf(choice->smaller[0]));
  EXPECT_LT(choice->smaller[1], 0);
  EXPECT_FALSE(choose(network({1, 1}, {writer, reader}), 128));
  EXPECT_TRUE(choose(network({1, 1}, {writer, reader}), 192));
}

TEST(Simulate, ChoosesForLongBursts) {
  // More slots than can be tried one by one: 3000 items at once, then work, of which the reader needs all its time.
  const Process writer =
      Writing("writer").times(3, [](Writing &w) { w.times(3000, [](Writing &one) { one.put(0); }).work(6000); });
  const Process reader = Writing("reader").times(9000, [](Writing &w) { w.get(0).work(2); });
  const auto choice = choose(network({1}, {writer, reader}));
  ASSERT_TRUE(choice);
  EXPECT_LE(choice->seconds, choice->best * 1.001);
  Capacities less = choice->capacities;
  less[0] -= 100;
  EXPECT_GT(simulation::run(network({1}, {writer, reader}), less).seconds, choice->best * 1.001);
}

// ── at random ───────────────────────────────────────────────────────────────────────────────────────────────────────

struct Ticked {
  bool stuck = false;
  double seconds = 0;
  std::vector<double> work, full, empty, mean;
};

// Whoever can move moves; then a second passes.
Ticked tick(const Network &network, const Capacities &capacities) {
  const size_t count = network.processes.size(), channels = network.channels.size();
  struct At {
    size_t move = 0;
    double left = 0;
  };
  std::vector<At> at(count);
  std::vector<int64_t> published(channels);
  std::vector<std::map<size_t, int64_t>> released(channels); // by reader
  for (size_t p = 0; p < count; ++p)
    for (const Move &move : network.processes[p].moves)
      if (move.kind == Kind::front) released[move.channel][p];
  const auto all_released = [&](size_t channel) {
    int64_t least = published[channel];
    for (const auto &[reader, number] : released[channel]) least = std::min(least, number);
    return least;
  };
  const auto work_at = [&](size_t p) {
    return at[p].move < network.processes[p].moves.size()    ? network.processes[p].moves[at[p].move].work
           : at[p].move == network.processes[p].moves.size() ? network.processes[p].rest
                                                             : 0;
  };
  for (size_t p = 0; p < count; ++p) at[p].left = work_at(p);
  Ticked found;
  found.work = found.full = found.empty = std::vector<double>(count);
  found.mean = std::vector<double>(channels);
  for (;; ++found.seconds) {
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t p = 0; p < count; ++p) {
        const auto &moves = network.processes[p].moves;
        if (at[p].left > 0 || at[p].move >= moves.size()) continue;
        const Move &move = moves[at[p].move];
        const int64_t held = published[move.channel] - all_released(move.channel);
        const int64_t slots = std::max<int64_t>(1, capacities[network.channels[move.channel].declaration]);
        if (move.kind == Kind::claim && held >= slots) continue;
        if (move.kind == Kind::taken && held > 0) continue;
        if (move.kind == Kind::front && released[move.channel][p] == published[move.channel]) continue;
        if (move.kind == Kind::publish) ++published[move.channel];
        if (move.kind == Kind::release) ++released[move.channel][p];
        ++at[p].move;
        at[p].left = work_at(p);
        moved = true;
      }
    }
    bool works = false, waits = false;
    for (size_t p = 0; p < count; ++p) {
      works = works || at[p].left > 0;
      waits = waits || (at[p].left <= 0 && at[p].move < network.processes[p].moves.size());
    }
    if (!works) {
      found.stuck = waits;
      return found;
    }
    for (size_t p = 0; p < count; ++p) {
      if (at[p].left > 0)
        --at[p].left, ++found.work[p];
      else if (at[p].move < network.processes[p].moves.size())
        ++(network.processes[p].moves[at[p].move].kind == Kind::front ? found.empty : found.full)[p];
    }
    for (size_t c = 0; c < channels; ++c) found.mean[c] += static_cast<double>(published[c] - all_released(c));
  }
}

// Up to five processes; a channel's items are put by one and got by the same number of gets of one or two others. Puts
// and gets come in bursts at random places, so that some get stuck.
Network random_network(std::mt19937 &random, int64_t most_capacity) {
  const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  const int count = pick(2, 5), channels = pick(1, 4);
  Capacities capacities;
  struct Operation {
    bool put;
    size_t channel;
  };
  std::vector<std::vector<Operation>> of(static_cast<size_t>(count));
  for (int c = 0; c < channels; ++c) {
    capacities.push_back(pick(0, 5) == 0 ? 0 : pick(1, static_cast<int>(most_capacity)));
    const int items = pick(1, 6), writer = pick(0, count - 1);
    std::set<int> ends{writer};
    for (int reader = pick(1, count > 2 ? 2 : 1); reader > 0;)
      if (ends.insert(pick(0, count - 1)).second) --reader;
    for (const int p : ends)
      for (int k = 0; k < items; ++k) of[static_cast<size_t>(p)].push_back({p == writer, static_cast<size_t>(c)});
  }
  std::vector<Process> processes;
  for (size_t p = 0; p < of.size(); ++p) {
    if (pick(0, 2) > 0) std::shuffle(of[p].begin(), of[p].end(), random);
    Writing w("p" + std::to_string(p));
    for (const Operation &one : of[p]) {
      const bool in_place = pick(0, 1) == 0;
      w.work(pick(0, 4));
      w.move(one.put ? Kind::claim : Kind::front, one.channel);
      if (in_place) w.work(pick(0, 3));
      w.move(one.put ? Kind::publish : Kind::release, one.channel);
      if (one.put && capacities[one.channel] == 0) w.move(Kind::taken, one.channel);
    }
    processes.push_back(w.work(pick(0, 3)));
  }
  Network made = network(capacities, std::move(processes));
  for (Declaration &one : made.declarations) one.slot_bytes = 64 * pick(1, 3);
  return made;
}

TEST(Simulate, AgreesWithTicks) {
  int ended = 0, stuck = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    std::mt19937 random(seed);
    const Network made = random_network(random, 3);
    const Ticked expected = tick(made, capacities(made));
    const Ran run = simulation::run(made);
    ASSERT_EQ(run.stuck, expected.stuck) << seed;
    (run.stuck ? stuck : ended)++;
    if (run.stuck) continue;
    ASSERT_EQ(run.seconds, expected.seconds) << seed;
    double chain = 0;
    for (size_t p = 0; p < made.processes.size(); ++p) {
      ASSERT_EQ(run.processes[p].work, expected.work[p]) << seed;
      ASSERT_EQ(run.processes[p].full, expected.full[p]) << seed;
      ASSERT_EQ(run.processes[p].empty, expected.empty[p]) << seed;
      chain += run.processes[p].critical;
    }
    ASSERT_EQ(chain, run.seconds) << seed;
    for (size_t c = 0; c < made.channels.size(); ++c) {
      ASSERT_NEAR(run.channels[c].mean * run.seconds, expected.mean[c], 1e-9) << seed;
      ASSERT_LE(run.channels[c].most, std::max<int64_t>(1, made.declarations[c].capacity)) << seed;
    }
    // Where the chain waits nowhere for room, all the room there is does not help.
    if (run.channel) continue;
    ASSERT_EQ(simulation::run(made, Capacities(made.declarations.size(), 100)).seconds, run.seconds) << seed;
  }
  EXPECT_GT(ended, 500);
  EXPECT_GT(stuck, 500);
}

TEST(Simulate, ChoosesAsTryingAllDoes) {
  int limited = 0, chosen = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    Network made = random_network(random, 1);
    const double budget = seed % 2 ? 64.0 * std::uniform_int_distribution<int>(4, 14)(random) : 1e9;
    // Six items are in a channel at most.
    std::vector<std::pair<Capacities, double>> all;
    Capacities tried;
    for (const Declaration &one : made.declarations) tried.push_back(std::min<int64_t>(one.capacity, 1));
    const Capacities least = tried;
    for (bool more = true; more;) {
      if (bytes(made, tried) <= budget)
        if (const Ran run = simulation::run(made, tried); !run.stuck) all.emplace_back(tried, run.seconds);
      size_t d = 0;
      for (; d < tried.size(); ++d) {
        if (tried[d] > 0 && tried[d] < 6) {
          ++tried[d];
          break;
        }
        tried[d] = least[d];
      }
      more = d < tried.size();
    }
    const auto choice = choose(made, budget);
    ASSERT_EQ(choice.has_value(), !all.empty()) << seed;
    if (!choice) continue;
    double fastest = all[0].second, fewest = 1e18;
    for (const auto &[c, seconds] : all) fastest = std::min(fastest, seconds);
    for (const auto &[c, seconds] : all)
      if (seconds <= fastest * 1.001) fewest = std::min(fewest, bytes(made, c));
    ASSERT_EQ(choice->seconds, fastest) << seed;
    ASSERT_EQ(choice->bytes, fewest) << seed;
    ASSERT_TRUE(choice->least) << seed;
    ++chosen;
    limited += choice->seconds > choice->best;
  }
  EXPECT_GT(chosen, 50);
  EXPECT_GT(limited, 3);
}

} // namespace
} // namespace htp::sdk::simulation
