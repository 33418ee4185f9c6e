// The binding's verbs on real packages.
#include "cpu_host.h"
#include "tensors.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <thread>

namespace htp::test {
namespace {

class Binding : public testing::Test {
protected:
  Binding() : folder_(*TemporaryFolder::make()), cache_(folder_.path() + "/cache") {}

  // A package of a kernel of loops/.
  std::string package(const std::string &name) {
    CpuHost host(source_text("tests/backend-cpu/loops/" + name + ".loops.py"));
    EXPECT_TRUE(host.emit()) << host.said();
    return write_package(host, folder_.path() + "/" + name);
  }

  TemporaryFolder folder_;
  Cache cache_;
};

TEST_F(Binding, BuildsAndRuns) {
  Bound bound(package("softmax"), cache_);
  ASSERT_TRUE(bound.validate() && bound.build() && bound.load()) << bound.said();
  for (const auto &[m, n] : {std::pair<int64_t, int64_t>{1, 1}, {8, 64}, {13, 83}, {3, 200}}) {
    Array<float> x({m, n}), y({m, n}, NAN);
    for (size_t k = 0; k < x.data.size(); ++k) x.data[k] = static_cast<float>(k % 17) - 8;
    ASSERT_TRUE(bound.run("k", {x.as("x"), y.as("y")})) << bound.said();
    for (int64_t i = 0; i < m; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < n; ++j) sum += std::exp(static_cast<double>(x.data[static_cast<size_t>(i * n + j)]));
      for (int64_t j = 0; j < n; ++j) {
        const auto k = static_cast<size_t>(i * n + j);
        EXPECT_NEAR(y.data[k], std::exp(static_cast<double>(x.data[k])) / sum, 1e-6) << i << "," << j;
      }
    }
  }
}

TEST_F(Binding, BuildsOnce) {
  const std::string path = package("elementwise");
  Bound first(path, cache_);
  ASSERT_TRUE(first.build()) << first.said();
  Cache again(folder_.path() + "/cache");
  Bound second(path, again);
  ASSERT_TRUE(second.build()) << second.said();
  EXPECT_EQ(first.folder, second.folder);
  // The key is of all that goes in: another recipe is another library.
  std::string recipe = *read_file(path + "/build/recipe.json");
  write_file(path + "/build/recipe.json", recipe.replace(recipe.find("-O2"), 3, "-O1"));
  Bound third(path, again);
  ASSERT_TRUE(third.build()) << third.said();
  EXPECT_NE(first.folder, third.folder);
}

TEST_F(Binding, RunsFromManyThreads) {
  const std::string path = package("levels");
  Bound bound(path, cache_);
  ASSERT_TRUE(bound.build()) << bound.said();
  std::vector<std::thread> threads;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      // One context is one thread's; the library underneath is the same.
      Cache cache(folder_.path() + "/cache");
      Bound own(path, cache);
      ASSERT_TRUE(own.build() && own.load()) << own.said();
      Array<float> x({64, 300}, static_cast<float>(t)), y({64, 300});
      for (unsigned round = 0; round < 20; ++round) ASSERT_TRUE(own.run("k", {x.as("x"), y.as("y")})) << own.said();
      EXPECT_EQ(std::set<float>(y.data.begin(), y.data.end()), std::set<float>{2 * static_cast<float>(t)});
    });
  for (auto &t : threads) t.join();
}

TEST_F(Binding, TracesARun) {
  Bound bound(package("elementwise"), cache_);
  ASSERT_TRUE(bound.build() && bound.load()) << bound.said();
  Array<float> a({100}, 1), b({100}, 2), c({100});
  std::vector<std::string> events;
  const htp_trace_sink sink{&events, [](void *to, htp_str name, htp_str track, double begin, double duration) {
                              EXPECT_GE(begin, 0);
                              EXPECT_GE(duration, 0);
                              static_cast<std::vector<std::string> *>(to)->push_back(
                                  std::string(track.data, track.size) + ": " + std::string(name.data, name.size));
                            }};
  ASSERT_TRUE(bound.run("k", {a.as("a"), b.as("b"), c.as("c")}, &sink)) << bound.said();
  EXPECT_EQ(events, (std::vector<std::string>{"cpu: k"}));
  EXPECT_EQ(c.data[99], 3);
}

// Of a pipeline each process has a track, whose spans follow one another and belong to statements.
class TracedPipeline : public Binding {
protected:
  TracedPipeline() {
    CpuHost host(R"py(import htp
from htp import In, Out, f32
from htp_csp import pipeline, process
from htp_tile import Tensor
import htp_csp as csp
import htp_tile as tile
import htp_cpu as cpu

M = htp.dim("M")


@pipeline(ends='M >= 1')
@tile.kernel
def k(x: In[Tensor[f32, M]], y: Out[Tensor[f32, M]]) -> None:
    lanes: csp.Channel[f32, 1] = cpu.channels(2, f32, 1, capacity=0)

    @process
    def load() -> None:
        for i in range(M):
            here = cpu.lane(lanes, i % 2)
            slot: Tensor[f32, 1] = cpu.claim(here, 1)
            read: f32 = cpu.get(x, i)
            cpu.put(slot, read, 0)
            cpu.publish(here)

    @process(grid=(1, 2))
    def store(a: int, b: int) -> None:
        mine = cpu.lane(lanes, b)
        for at in range(b, M, 2):
            front: Tensor[f32, 1] = cpu.front(mine, 1)
            item: f32 = cpu.get(front, 0)
            cpu.put(y, item, at)
            cpu.release(mine)
)py");
    EXPECT_TRUE(host.emit()) << host.said();
    package_ = write_package(host, folder_.path() + "/traced");
  }

  // Runs it; what is told, by track.
  std::map<std::string, std::vector<std::string>> told() {
    Bound bound(package_, cache_);
    EXPECT_TRUE(bound.validate() && bound.build() && bound.load()) << bound.said();
    std::map<std::string, std::vector<std::string>> events;
    std::map<std::string, double> ends;
    bound.context().event = [&](htp_node at, std::string_view name, std::string_view track, double begin,
                                double duration) {
      EXPECT_NE(at, HTP_NONE);
      auto [end, first] = ends.try_emplace(std::string(track), begin);
      EXPECT_NEAR(begin, end->second, 0.002) << track;
      end->second = begin + duration;
      events[std::string(track)].emplace_back(name);
    };
    const htp_trace_sink sink{&events, [](void *to, htp_str name, htp_str track, double, double) {
                                auto &of = *static_cast<std::map<std::string, std::vector<std::string>> *>(to);
                                of[{track.data, track.size}].emplace_back(name.data, name.size);
                              }};
    Array<float> x({200}, 3), y({200});
    EXPECT_TRUE(bound.run("k", {x.as("x"), y.as("y")}, &sink)) << bound.said();
    EXPECT_EQ(y.data, x.data);
    return events;
  }

  std::string package_;
};

TEST_F(TracedPipeline, HasATrackForEachProcess) {
  const auto events = told();
  std::set<std::string> tracks, names;
  for (const auto &[track, own] : events) {
    tracks.insert(track);
    if (track != "cpu") names.insert(own.begin(), own.end());
  }
  EXPECT_EQ(tracks, (std::set<std::string>{"cpu", "load", "store[0, 0]", "store[0, 1]"}));
  names.erase("waits for a reader of `lanes[0]`"), names.erase("waits for a reader of `lanes[1]`");
  names.erase("waits for capacity in `lanes[0]`"), names.erase("waits for capacity in `lanes[1]`");
  EXPECT_EQ(names,
            (std::set<std::string>{"works", "waits for an item of `lanes[0]`", "waits for an item of `lanes[1]`"}));
  EXPECT_EQ(events.at("cpu"), std::vector<std::string>{"k"});
}

// What packages before it have not, and what is no list of sites.
TEST_F(TracedPipeline, IsReadFromTheSignature) {
  const std::string path = package_ + "/codegen/cpu/signature.json", text = *read_file(path);
  const size_t begin = text.find("\"traced\""), end = text.find("\"why\"");
  ASSERT_LT(begin, end);
  write_file(path, std::string(text).erase(begin, end - begin));
  EXPECT_EQ(told(), (std::map<std::string, std::vector<std::string>>{{"cpu", {"k"}}}));
  for (const char *part : {"\"sites\"", "\"processes\"", "\"place\"", "\"grid\"", "\"array\"", "\"waits\""}) {
    std::string other = text;
    write_file(path, other.replace(other.find(part), 2, "\"x"));
    Bound bound(package_, cache_);
    EXPECT_FALSE(bound.validate()) << part;
    EXPECT_NE(bound.said().find("cpu.bad-field"), std::string::npos) << bound.said();
  }
}

TEST_F(Binding, NothingOfNothing) {
  Bound bound(package("softmax"), cache_);
  ASSERT_TRUE(bound.build() && bound.load()) << bound.said();
  Array<float> x({0, 5}), y({0, 5});
  EXPECT_TRUE(bound.run("k", {x.as("x"), y.as("y")})) << bound.said();
}

} // namespace
} // namespace htp::test
