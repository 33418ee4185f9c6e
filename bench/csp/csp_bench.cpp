// What passing items on costs: four stages that each work for a while on an item, by the CPU's runtime and by oneTBB's
// flow graph; the same by packages that are compiled from stages.py; and a put and a get on one core.
//   build/release/bin/bench_csp --benchmark_repetitions=21 --benchmark_enable_random_interleaving=true
//   --benchmark_report_aggregates_only=true
#include "channels.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <cstring>
#include <vector>
#ifdef HTP_WITH_TBB
#include <array>
#include <oneapi/tbb/flow_graph.h>
#endif

namespace {

uint64_t rounds = 1; // of one stage's work

void mix(uint64_t *item) {
  uint64_t x = item[0];
  for (uint64_t k = 0; k < rounds; ++k) x = x * 6364136223846793005u + 1442695040888963407u;
  item[0] = x;
}

// So many rounds that a stage works that long.
void work_for(int64_t nanoseconds) {
  using clock = std::chrono::steady_clock;
  double best = 1e9;
  uint64_t item[item_words] = {};
  for (int k = 0; k < 50; ++k) {
    rounds = 100'000;
    const auto begin = clock::now();
    mix(item);
    benchmark::DoNotOptimize(item);
    best = std::min(best, std::chrono::duration<double, std::nano>(clock::now() - begin).count() /
                              static_cast<double>(rounds));
  }
  rounds = static_cast<uint64_t>(static_cast<double>(nanoseconds) / best);
}

uint64_t expected(uint64_t items) {
  uint64_t sum = 0;
  for (uint64_t i = 0; i < items; ++i) {
    uint64_t item[item_words] = {i};
    for (int k = 0; k < 4; ++k) mix(item);
    sum += item[0];
  }
  return sum;
}

template <class F> void pipeline(benchmark::State &state, F &&run) {
  constexpr uint64_t items = 20'000;
  work_for(state.range(0));
  const uint64_t sum = expected(items);
  for (auto _ : state)
    if (run(items) != sum) state.SkipWithError("another sum");
  state.SetItemsProcessed(static_cast<int64_t>(items) * state.iterations());
}

void htp_pipeline(benchmark::State &state) {
  pipeline(state, [&](uint64_t items) { return run_pipeline(mix, items, static_cast<uint64_t>(state.range(1))); });
}
BENCHMARK(htp_pipeline)
    ->ArgNames({"ns", "capacity"})
    ->ArgsProduct({{1000}, {4, 16, 64, 256}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(htp_pipeline)
    ->ArgNames({"ns", "capacity"})
    ->ArgsProduct({{100, 10'000}, {64}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

#ifdef HTP_WITH_TBB
void tbb_pipeline(benchmark::State &state) {
  using Item = std::array<uint64_t, item_words>;
  namespace flow = oneapi::tbb::flow;
  pipeline(state, [](uint64_t items) {
    uint64_t sum = 0, next = 0;
    flow::graph graph;
    flow::input_node<Item> first(graph, [&](oneapi::tbb::flow_control &control) {
      Item item{next};
      if (next++ == items)
        control.stop();
      else
        mix(item.data());
      return item;
    });
    const auto stage = [](Item item) {
      mix(item.data());
      return item;
    };
    flow::function_node<Item, Item> second(graph, flow::serial, stage), third(graph, flow::serial, stage);
    flow::function_node<Item> last(graph, flow::serial, [&](Item item) {
      mix(item.data());
      sum += item[0];
    });
    flow::make_edge(first, second);
    flow::make_edge(second, third);
    flow::make_edge(third, last);
    first.activate();
    graph.wait_for_all();
    return sum;
  });
}
BENCHMARK(tbb_pipeline)
    ->ArgNames({"ns"})
    ->Arg(1000)
    ->Arg(100)
    ->Arg(10'000)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
#endif

#ifdef HTP_WITH_PACKAGES
// All eight numbers of an item, as stages.py has it.
using Numbers = uint64_t __attribute__((vector_size(64)));

void mix_all(Numbers *item) {
  for (uint64_t k = 0; k < rounds; ++k) *item = *item * 6364136223846793005u + 1442695040888963407u;
}

// So many rounds that a stage works that long.
void work_on_all_for(int64_t nanoseconds) {
  using clock = std::chrono::steady_clock;
  double best = 1e9;
  Numbers item{};
  for (int k = 0; k < 50; ++k) {
    rounds = 10'000;
    const auto begin = clock::now();
    mix_all(&item);
    benchmark::DoNotOptimize(item);
    best = std::min(best, std::chrono::duration<double, std::nano>(clock::now() - begin).count() /
                              static_cast<double>(rounds));
  }
  rounds = static_cast<uint64_t>(static_cast<double>(nanoseconds) / best);
}

template <class F> void stages(benchmark::State &state, F &&run) {
  constexpr size_t items = 20'000;
  work_on_all_for(state.range(0));
  std::vector<Numbers> x(items), y(items), wanted(items);
  for (size_t i = 0; i < items; ++i) {
    x[i] = wanted[i] = Numbers{} + i;
    for (int k = 0; k < 4; ++k) mix_all(&wanted[i]);
  }
  for (auto _ : state) {
    run(x, y);
    if (std::memcmp(y.data(), wanted.data(), items * sizeof(Numbers)) != 0) state.SkipWithError("another result");
  }
  state.SetItemsProcessed(static_cast<int64_t>(items) * state.iterations());
}

using Package = int(const uint64_t *x, uint64_t *y, int64_t rounds, int64_t M);
extern "C" Package stages_4, stages_64;

void package_stages(benchmark::State &state) {
  stages(state, [&](const std::vector<Numbers> &x, std::vector<Numbers> &y) {
    (state.range(1) == 4 ? stages_4 : stages_64)(reinterpret_cast<const uint64_t *>(x.data()),
                                                 reinterpret_cast<uint64_t *>(y.data()), static_cast<int64_t>(rounds),
                                                 static_cast<int64_t>(x.size()));
  });
}
BENCHMARK(package_stages)
    ->ArgNames({"ns", "capacity"})
    ->ArgsProduct({{1000}, {4, 64}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

#ifdef HTP_WITH_TBB
void tbb_stages(benchmark::State &state) {
  namespace flow = oneapi::tbb::flow;
  stages(state, [](const std::vector<Numbers> &x, std::vector<Numbers> &y) {
    struct Item {
      Numbers numbers;
      size_t at;
    };
    size_t next = 0;
    flow::graph graph;
    flow::input_node<Item> first(graph, [&](oneapi::tbb::flow_control &control) {
      if (next == x.size()) return control.stop(), Item{};
      Item item{x[next], next};
      ++next;
      mix_all(&item.numbers);
      return item;
    });
    const auto stage = [](Item item) {
      mix_all(&item.numbers);
      return item;
    };
    flow::function_node<Item, Item> second(graph, flow::serial, stage), third(graph, flow::serial, stage);
    flow::function_node<Item> last(graph, flow::serial, [&](Item item) {
      mix_all(&item.numbers);
      y[item.at] = item.numbers;
    });
    flow::make_edge(first, second);
    flow::make_edge(second, third);
    flow::make_edge(third, last);
    first.activate();
    graph.wait_for_all();
  });
}
BENCHMARK(tbb_stages)
    ->ArgNames({"ns"})
    ->Arg(1000)
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);
#endif
#endif

void put_and_get(benchmark::State &state) {
  one_channel *channel = open_channel(static_cast<uint64_t>(state.range(0)));
  uint64_t value = 0;
  for (auto _ : state) benchmark::DoNotOptimize(value = put_get(channel, value));
  close_channel(channel);
}
BENCHMARK(put_and_get)->ArgNames({"capacity"})->Arg(1)->Arg(64);

} // namespace

BENCHMARK_MAIN();
