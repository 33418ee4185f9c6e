// A network ends at all sizes when there is a time for each operation at which everything that it waits for
// has been: the item it gets was put, the slot it puts into is free, the operations before it in its process are done.
// Each is a relation between the iterations of two operations, affine in them and in the sizes; isl looks for the
// times, and what it finds is held against the relations once more.
#include "components.h"
#include "lockstep.h"
#include "relations.h"

#include <algorithm>
#include <optional>

namespace htp::sdk::dataflow {

namespace {

bool has_sizes(const std::vector<Step> &steps) {
  return std::any_of(steps.begin(), steps.end(), [](const Step &step) {
    return is_loop(step) && (has_sizes(step.body) || std::any_of(step.times.least_of.begin(), step.times.least_of.end(),
                                                                 [](const IntExpr &one) { return !one.constant(); }));
  });
}

// With another int for a variable: 0, or one that has no factor either, so that all numbers stay as they are or less.
void replace(std::vector<Step> &steps, const std::string &variable, const IntExpr &by) {
  for (Step &step : steps) {
    for (IntExpr &one : step.times.least_of) one = one.with({{variable, by}}).value_or(one);
    replace(step.body, variable, by);
  }
}

} // namespace

std::vector<Step> straight(const std::vector<Step> &steps) {
  std::vector<Step> found;
  for (const Step &step : steps) {
    if (!is_loop(step)) {
      found.push_back(step);
      continue;
    }
    Step loop = step;
    loop.body = straight(step.body);
    const bool once = !has_sizes({Step{.kind = StepKind::loop, .times = step.times}}) && value(step.times, {}) == 1;
    if (!once) {
      found.push_back(std::move(loop));
      continue;
    }
    replace(loop.body, step.variable, 0);
    found.insert(found.end(), loop.body.begin(), loop.body.end());
  }
  return found;
}

namespace {

// When all processes are one loop each, of the same number of iterations: what they do in one, under one name.
std::optional<Network> iteration(const Network &network, const std::string &name) {
  Network inner{network.channels, {}};
  const TripCount *times = nullptr;
  for (const Process &process : network.processes) {
    if (process.steps.size() != 1 || !is_loop(process.steps[0])) return std::nullopt;
    const Step &loop = process.steps[0];
    if (times && !(loop.times == *times)) return std::nullopt;
    times = &loop.times;
    inner.processes.push_back({process.name, loop.body});
    replace(inner.processes.back().steps, loop.variable, IntExpr::symbol(name));
  }
  return inner;
}

constexpr int64_t most_moves = 1'000'000;

bool is_fixed(const Network &network) {
  return std::ranges::none_of(network.processes, [](const Process &process) { return has_sizes(process.steps); });
}
bool ends_as_it_is(const Network &network) {
  const Run ran = run(network, {}, {.limit = most_moves, .keeps_order = false});
  return ran.ends() && !ran.leaves_items();
}

// What ends in each iteration and leaves its channels empty ends in all of them.
bool ends(const Network &network, std::set<std::string> &counters) {
  if (is_fixed(network)) return ends_as_it_is(network);
  const std::string name = say("t{}", counters.size());
  if (const auto inner = iteration(network, name)) {
    counters.insert(name);
    if (ends(*inner, counters)) return true;
    counters.erase(name);
  }
  if (ends_in_lockstep(network, counters)) return true;
  Prover prover(network, counters);
  Proof unused;
  return prover.balanced(unused) && prover.ends();
}

bool puts_and_gets(const std::vector<Step> &steps) {
  return std::ranges::all_of(steps, [](const Step &step) {
    return is_loop(step) ? puts_and_gets(step.body) : step.kind == StepKind::put || step.kind == StepKind::get;
  });
}

} // namespace

Proof prove(const Network &network) {
  Proof proof;
  const std::set<std::string> none;
  if (!std::ranges::all_of(network.processes, puts_and_gets, &Process::steps)) {
    if (is_fixed(network) && ends_as_it_is(network)) proof.verdict = Verdict::ends;
    return proof;
  }
  Network plain = network;
  for (Process &process : plain.processes) process.steps = straight(process.steps);
  if (!Prover(plain, none).balanced(proof)) {
    // All together may be shown where a channel by itself is not.
    if (proof.verdict == Verdict::unknown && ends_in_lockstep(plain, none)) return {.verdict = Verdict::ends};
    return proof;
  }
  for (const Network &component : components(plain)) {
    std::set<std::string> counters;
    if (!ends(component, counters)) return proof;
  }
  proof.verdict = Verdict::ends;
  return proof;
}

} // namespace htp::sdk::dataflow
