// CPU time of resolve() and plan_passes(), from typed manifests in memory, preferences and explanations included.
//   bench_resolve --benchmark_filter='answer|explanation'        see plot.py for the picture
#include "bench/resolve/peers.h"

#include <benchmark/benchmark.h>

#include <ctime>
#include <memory>

namespace htp::bench {
namespace {

// Made once a shape; the second argument is the number of names of a kind.
const World &world(int64_t extensions, int64_t names, bool conflict) {
  static std::map<std::tuple<int64_t, int64_t, bool>, std::unique_ptr<World>> made;
  std::unique_ptr<World> &known = made[{extensions, names, conflict}];
  for (uint32_t seed = 1; !known; ++seed) { // the first that has an answer, or has none
    auto fresh = std::make_unique<World>();
    make({static_cast<uint32_t>(extensions), static_cast<uint32_t>(names), conflict, seed}, *fresh);
    if (static_cast<bool>(resolve(fresh->universe, fresh->request)) != conflict) known = std::move(fresh);
  }
  return *known;
}

void answer(benchmark::State &state) {
  const World &w = world(state.range(0), state.range(1), false);
  size_t chosen = 0;
  for (auto _ : state) chosen = resolve(w.universe, w.request)->plugins.size();
  state.counters["chosen"] = static_cast<double>(chosen);
}

void explanation(benchmark::State &state) {
  const World &w = world(state.range(0), state.range(1), true);
  size_t causes = 0;
  for (auto _ : state) causes = resolve(w.universe, w.request).error().conflicts.front().causes.size();
  state.counters["causes"] = static_cast<double>(causes);
}

// The same universes by others.
template <class Ask> void peer(benchmark::State &state, Ask ask) {
  bool const conflict = state.range(2) != 0;
  const World &w = world(state.range(0), state.range(1), conflict);
  for (auto _ : state) {
    Timed const timed = ask(w);
    if (timed.ms < 0) return state.SkipWithError("is not installed, or took more than a minute");
    if (timed.answered == conflict) return state.SkipWithError("does not agree");
    state.SetIterationTime(timed.ms / 1e3);
  }
}
void libsolv(benchmark::State &state) { peer(state, by_libsolv); }
void clingo(benchmark::State &state) {
  peer(state, [](const World &w) { return by_clingo(w, false); });
}

void order(benchmark::State &state) {
  std::vector<std::unique_ptr<Passes>> sets;
  for (uint32_t seed = 1; sets.size() < 10; ++seed) {
    auto made = std::make_unique<Passes>();
    make({static_cast<uint32_t>(state.range(0)), static_cast<uint32_t>(state.range(1)), seed}, *made);
    if (plan_passes(made->request)) sets.push_back(std::move(made));
  }
  double proven = 0, length = 0, worst = 0;
  for (auto _ : state) {
    proven = length = 0;
    for (const auto &set : sets) {
      std::clock_t const start = std::clock();
      auto const plan = plan_passes(set->request);
      worst = std::max(worst, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
      proven += plan->proven;
      length += static_cast<double>(plan->passes.size());
    }
  }
  state.counters["proven_of_10"] = proven;
  state.counters["passes"] = length / 10;
  state.counters["worst_ms"] = worst;
}

void sizes(benchmark::internal::Benchmark *b) {
  for (int64_t names : {10, 2})
    for (int64_t extensions : {100, 1000, 10000, 100000}) b->Args({extensions, names});
  b->ArgNames({"extensions", "names_of_a_kind"})->Unit(benchmark::kMillisecond);
}

void sizes_of_peers(benchmark::internal::Benchmark *b) {
  b->ArgNames({"extensions", "names_of_a_kind", "conflict"})->ArgsProduct({{100, 1000, 10000}, {10, 2}, {0, 1}});
  b->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(2);
}

BENCHMARK(answer)->Apply(sizes);
BENCHMARK(explanation)->Apply(sizes);
BENCHMARK(libsolv)->Apply(sizes_of_peers);
BENCHMARK(clingo)->Apply(sizes_of_peers);
BENCHMARK(order)
    ->ArgNames({"passes", "invalidating"})
    ->ArgsProduct({{20, 50, 100}, {0, 40}})
    ->Unit(benchmark::kMillisecond);

} // namespace
} // namespace htp::bench

BENCHMARK_MAIN();
