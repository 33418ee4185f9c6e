#include "stuck.h"

#include <algorithm>

namespace htp::csp {

namespace {

constexpr size_t most_sizes = 300; // vectors of small sizes that are tried
constexpr size_t most_large = 60;  // and of large ones

bool gets_stuck(const Network &network, const Values &sizes) {
  const Run ran = dataflow::run(network, sizes, {.limit = Trial::most_operations, .keeps_order = false});
  return !ran.too_long && !ran.blocked.empty();
}

} // namespace

Trial::Trial(const Network &network) : network_(network) {
  for (const Process &process : network.processes) read(process.steps);
}

void Trial::read(const std::vector<Step> &steps) {
  for (const Step &step : steps) {
    if (!is_loop(step)) continue;
    read(step.body);
    for (const IntExpr &one : step.times.least_of) collect(one, 1);
  }
}

// The sizes that a count names, and where a few more or less make a difference.
void Trial::collect(const IntExpr &one, int64_t divisor) {
  if (const auto number = one.constant()) numbers_.insert(std::abs(*number / divisor));
  for (const auto &[product, factor] : one.terms()) {
    if (product.empty()) continue;
    if (one.offset() != 0) numbers_.insert(std::abs(one.offset() / factor));
    for (const sdk::IntFactor &f : product)
      if (f->kind == sdk::IntAtom::Kind::symbol && f->text.find('#') == std::string::npos)
        steps_[f->text].insert(divisor);
      else
        for (const IntExpr &inner : f->of) collect(inner, f->by);
  }
}

std::optional<Stuck> Trial::stuck(const Proof &proof) const {
  if (proof.verdict == Verdict::ends) return std::nullopt;
  if (proof.verdict == Verdict::unequal)
    if (auto found = stuck_at(proof.sizes)) return found;
  for (const Values &sizes : small_sizes())
    if (auto found = stuck_at(sizes)) return found;
  for (Values sizes : large_sizes(network_)) {
    if (!gets_stuck(network_, sizes)) continue;
    least(sizes);
    return stuck_at(sizes);
  }
  return std::nullopt;
}

std::vector<Values> Trial::small_sizes() const {
  std::vector<Values> all{{}};
  for (const auto &[name, sizes] : steps_) {
    std::set<int64_t> tried{1, 2, 3, 5};
    for (const int64_t size : sizes)
      for (const int64_t blocks : {1, 2, 3, 9}) tried.insert({blocks * size, blocks * size + 1});
    std::vector<Values> more;
    for (const int64_t size : tried)
      for (const Values &one : all) {
        if (more.size() == most_sizes) break;
        more.push_back(one);
        more.back()[name] = size;
      }
    all = std::move(more);
  }
  return all;
}

// Those behind which something else may come: a channel is full, or a condition compares with a number. Each size
// with the other ones small, and all alike.
std::vector<Values> Trial::large_sizes(const Network &of) const {
  std::set<int64_t> limits = numbers_;
  int64_t capacity = 0;
  for (const Channel &channel : of.channels) {
    limits.insert(channel.capacity);
    capacity += std::min(channel.capacity, most_operations);
  }
  limits.insert(capacity);
  std::set<int64_t> tried;
  for (const int64_t limit : limits)
    for (const auto &[name, blocks] : steps_)
      for (const int64_t block : blocks)
        if (limit < most_operations / block) tried.insert({limit * block + 1, limit * block + 2});
  std::vector<Values> all;
  for (const int64_t size : tried) {
    if (all.size() >= most_large) break;
    Values alike;
    for (const auto &[name, blocks] : steps_) {
      Values &one = all.emplace_back();
      for (const auto &[other, unused] : steps_) one[other] = other == name ? size : 2;
      alike[name] = size;
    }
    if (steps_.size() > 1) all.push_back(std::move(alike));
  }
  return all;
}

// Makes sizes at which it gets stuck smaller, one after the other, as long as it does.
void Trial::least(Values &sizes) const {
  for (auto &[name, size] : sizes) {
    int64_t ends = 0;
    while (size - ends > 1) {
      const int64_t stuck = size, middle = ends + (stuck - ends) / 2;
      size = middle;
      if (gets_stuck(network_, sizes)) continue;
      ends = middle;
      size = stuck;
    }
  }
}

std::optional<Stuck> Trial::stuck_at(const Values &sizes) const {
  Run ran = dataflow::run(network_, sizes, {.limit = most_operations});
  if (ran.too_long || (ran.ends() && !ran.leaves_items())) return std::nullopt;
  auto circle = cycle(ran);
  return Stuck{sizes, std::move(ran), std::move(circle)};
}

bool Trial::ends_with(const std::vector<int64_t> &capacities) const {
  Network other = network_;
  for (size_t channel = 0; channel < capacities.size(); ++channel)
    other.channels[channel].capacity = capacities[channel];
  if (prove(other).verdict == Verdict::ends) return true;
  for (const auto &all : {small_sizes(), large_sizes(other)})
    if (std::any_of(all.begin(), all.end(), [&](const Values &sizes) { return gets_stuck(other, sizes); }))
      return false;
  return true;
}

} // namespace htp::csp
