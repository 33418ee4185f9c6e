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

TEST_F(Binding, NothingOfNothing) {
  Bound bound(package("softmax"), cache_);
  ASSERT_TRUE(bound.build() && bound.load()) << bound.said();
  Array<float> x({0, 5}), y({0, 5});
  EXPECT_TRUE(bound.run("k", {x.as("x"), y.as("y")})) << bound.said();
}

} // namespace
} // namespace htp::test
