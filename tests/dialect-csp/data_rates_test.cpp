// Rates that depend on data: what is taken never gets stuck, whichever way each condition goes.
#include "htp_cpp/dataflow.h"
#include "tests/support/dialect_host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

namespace htp::test {
namespace {

using namespace sdk::dataflow;

constexpr const char *head = R"(import htp
from htp import In, Out, f32
from htp_csp import channel, pipeline, process
from htp_tile import Tensor, holds, tiles, zeros

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:
)";

// Operations, and those of which data says one way or the other.
struct Part {
  std::vector<Step> then, other;
  int condition = -1; // always: `then`
};

struct Drawn {
  std::vector<Channel> channels;
  std::vector<std::vector<Part>> processes;
  std::vector<int> iterations;
  int conditions = 0;
};

class Draw {
public:
  explicit Draw(unsigned seed) : random_(seed) {}

  Drawn drawn() {
    Drawn all;
    const int processes = between(2, 3), channels = between(1, 3), turns = between(1, 2);
    std::vector<std::vector<Step>> steps(static_cast<size_t>(processes));
    for (int c = 0; c < channels; ++c) {
      all.channels.push_back({"c" + std::to_string(c), between(0, 2)});
      const auto writer = static_cast<size_t>(between(0, processes - 1));
      const auto reader = (writer + static_cast<size_t>(between(1, processes - 1))) % steps.size();
      for (int k = between(1, 2); k > 0; --k) {
        steps[writer].push_back({.kind = StepKind::put, .channel = static_cast<size_t>(c)});
        steps[reader].push_back({.kind = StepKind::get, .channel = static_cast<size_t>(c)});
      }
    }
    for (auto &one : steps) {
      std::shuffle(one.begin(), one.end(), random_);
      all.processes.emplace_back();
      all.iterations.push_back(turns);
      for (size_t k = 0; k < one.size();) {
        const size_t length = std::min(one.size() - k, static_cast<size_t>(between(1, 3)));
        const auto begin = one.begin() + static_cast<std::ptrdiff_t>(k);
        Part part{{begin, begin + static_cast<std::ptrdiff_t>(length)}, {}};
        if (between(0, 1)) {
          part.condition = all.conditions++;
          part.other = part.then;
          const int change = between(0, 5); // seldom another order, or fewer
          if (change == 0) std::reverse(part.other.begin(), part.other.end());
          if (change == 1) part.other.pop_back();
        }
        all.processes.back().push_back(std::move(part));
        k += length;
      }
    }
    return all;
  }

private:
  int between(int low, int high) { return std::uniform_int_distribution(low, high)(random_); }
  std::mt19937 random_;
};

void write(const std::vector<Step> &steps, const std::string &indent, std::string &into) {
  for (const Step &step : steps)
    into += indent + (step.kind == StepKind::put ? "c" + std::to_string(step.channel) + ".put(zeros(f32, 1))\n"
                                                 : "_ = c" + std::to_string(step.channel) + ".get()\n");
  if (steps.empty()) into += indent + "pass\n";
}

std::string text(const Drawn &drawn) {
  std::string all = head;
  for (const Channel &channel : drawn.channels)
    all += "    " + channel.name + " = channel(f32, 1, capacity=" + std::to_string(channel.capacity) + ")\n";
  for (size_t p = 0; p < drawn.processes.size(); ++p) {
    all += "\n    @process\n    def p" + std::to_string(p) + "() -> None:\n        for _i in range(" +
           std::to_string(drawn.iterations[p]) + "):\n            pass\n";
    for (const Part &part : drawn.processes[p]) {
      if (part.condition < 0) {
        write(part.then, "            ", all);
        continue;
      }
      all += "            if holds(x[0, " + std::to_string(part.condition) + "] > 0.0):\n";
      write(part.then, "                ", all);
      all += "            else:\n";
      write(part.other, "                ", all);
    }
  }
  return all +
         "\n    @process\n    def last() -> None:\n        for i in tiles(M, 8):\n            y[i, :] = x[i, :]\n";
}

Network network(const Drawn &drawn, unsigned ways) {
  Network network{drawn.channels, {}};
  for (size_t p = 0; p < drawn.processes.size(); ++p) {
    std::vector<Step> steps;
    for (const Part &part : drawn.processes[p]) {
      const auto &way = part.condition < 0 || (ways >> part.condition & 1U) ? part.then : part.other;
      steps.insert(steps.end(), way.begin(), way.end());
    }
    network.processes.push_back(
        {"p" + std::to_string(p),
         {{.kind = StepKind::loop, .variable = "i", .times = {{drawn.iterations[p]}}, .body = std::move(steps)}}});
  }
  return network;
}

TEST(DataRates, WhatIsTakenNeverGetsStuck) {
  const unsigned programs = std::getenv("HTP_LONG") ? 2'000 : 500;
  unsigned taken = 0, of_data = 0, refused = 0, bad = 0;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const Drawn drawn = Draw(seed).drawn();
    bool ends = true;
    for (unsigned ways = 0; ways < 1U << drawn.conditions && ends; ++ways) {
      const auto ran = sdk::dataflow::run(network(drawn, ways), {}, {.limit = 10'000});
      ends = ran.ends() && !ran.leaves_items();
    }
    DialectHost host({"dialect-tile", "dialect-wsp", "dialect-csp"}, text(drawn), "w");
    const bool is_taken = host.check();
    ASSERT_TRUE(ends || !is_taken) << seed << "\n" << text(drawn);
    taken += is_taken;
    of_data += is_taken && drawn.conditions > 0;
    refused += !is_taken && ends;
    bad += !ends;
  }
  EXPECT_GT(taken, programs / 8);
  EXPECT_GT(of_data, programs / 20);
  EXPECT_GT(bad, programs / 8);
  EXPECT_LT(refused, programs / 4); // what is the same both ways is no matter of data
}

} // namespace
} // namespace htp::test
