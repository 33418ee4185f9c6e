// How much more capacity breaks a deadlock. A network that ends also ends with larger capacities, so each search here
// is between too small and large enough.
#include "htp_cpp/dataflow.h"

#include <algorithm>
#include <numeric>
#include <queue>
#include <set>

namespace htp::sdk::dataflow {

namespace {

using Capacities = std::vector<int64_t>;

constexpr size_t few = 12;     // channels among which the smallest total is looked for
constexpr size_t tries = 4096; // vectors of capacities that are run for it
constexpr int64_t plenty = INT64_MAX / 4;

class Search {
public:
  Search(const Network &network, const Values &sizes, int64_t limit)
      : network_(network), sizes_(sizes), limit_(limit), own_(capacities(network)), least_(own_.size(), 0) {}

  Capacities find() {
    if (!ends(unlimited())) return {};
    auto found = smallest();
    return found.empty() ? irreducible() : found;
  }

private:
  // By total, each cycle being broken by each channel that is full in it: whatever ends has more capacity in one of
  // these.
  Capacities smallest() {
    const auto more = [](const Capacities &a, const Capacities &b) {
      const auto total = [](const Capacities &c) { return std::accumulate(c.begin(), c.end(), int64_t{0}); };
      return std::pair(total(a), a) > std::pair(total(b), b);
    };
    std::priority_queue<Capacities, std::vector<Capacities>, decltype(more)> open(more);
    std::set<Capacities> seen;
    std::set<size_t> grown;
    open.push(own_);
    while (!open.empty() && seen.size() < tries && grown.size() <= few) {
      const Capacities tried = open.top();
      open.pop();
      if (!seen.insert(tried).second) continue;
      const Run run = this->run(tried);
      if (run.ends()) return tried;
      for (const size_t channel : full(run)) {
        grown.insert(channel);
        Capacities grows = tried;
        grows[channel] = std::max(tried[channel] + 1, least(channel));
        open.push(std::move(grows));
      }
    }
    return {};
  }

  // The smallest of those in the way grows, and what was not needed is taken back.
  Capacities irreducible() {
    Capacities found = own_;
    for (Run run = this->run(found); !run.ends(); run = this->run(found)) {
      const auto in_the_way = full(run);
      if (in_the_way.empty()) return {};
      const size_t channel = *std::min_element(in_the_way.begin(), in_the_way.end(), [&](size_t a, size_t b) {
        return std::pair(found[a], a) < std::pair(found[b], b);
      });
      found[channel] = std::max(2 * found[channel], found[channel] + 1);
    }
    for (size_t channel = 0; channel < found.size(); ++channel)
      if (found[channel] > own_[channel]) found[channel] = enough(found, channel, own_[channel], found[channel]);
    return found;
  }

  // The channels of the cycle that are full.
  std::vector<size_t> full(const Run &run) const {
    std::vector<size_t> found;
    for (const size_t w : cycle(run))
      if (const Step &step = *run.blocked[w].at; writes(step)) found.push_back(step.channel);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
  }

  // What a channel needs even if all others have plenty.
  int64_t least(size_t channel) {
    int64_t &known = least_[channel];
    if (known == 0) {
      Capacities others = unlimited();
      int64_t high = std::max<int64_t>(own_[channel], 1);
      for (;; high *= 2) {
        others[channel] = high;
        if (ends(others)) break;
      }
      known = enough(others, channel, own_[channel], high);
    }
    return known;
  }

  // The least capacity of one channel, from `low` to `high`, at which a network ends that does at `high`.
  int64_t enough(Capacities capacities, size_t channel, int64_t low, int64_t high) {
    while (low < high) {
      const int64_t middle = low + (high - low) / 2;
      capacities[channel] = middle;
      if (ends(capacities))
        high = middle;
      else
        low = middle + 1;
    }
    return high;
  }

  Capacities unlimited() const { return Capacities(own_.size(), plenty); }
  bool ends(const Capacities &capacities) const { return run(capacities).ends(); }
  Run run(const Capacities &capacities) const { return dataflow::run(network_, sizes_, {limit_, capacities, false}); }

  const Network &network_;
  const Values &sizes_;
  int64_t limit_;
  Capacities own_, least_;
};

} // namespace

std::vector<int64_t> sufficient_capacities(const Network &network, const Values &sizes, int64_t limit) {
  return Search(network, sizes, limit).find();
}

} // namespace htp::sdk::dataflow
