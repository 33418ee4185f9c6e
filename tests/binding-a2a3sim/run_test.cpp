// Packages that are right: what they compute, in both contracts, and how long the model says it takes.
#include "simulated.h"

#include "tests/backend-cpu/tensors.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstring>

namespace htp::test {
namespace {

std::vector<float> numbers(size_t n, unsigned seed) {
  std::vector<float> v(n);
  for (size_t k = 0; k < n; ++k)
    v[k] = static_cast<float>(static_cast<int>((k * 7919 + seed * 104729) % 2001) - 1000) / 256;
  return v;
}

// f16, exact for what `numbers` gives.
uint16_t half_of(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, sizeof bits);
  if ((bits & 0x7fffffff) == 0) return 0;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | (((bits >> 23 & 0xff) - 112) << 10) | (bits >> 13 & 0x3ff));
}

struct Trace {
  std::vector<std::string> events;
  htp_trace_sink sink{&events, [](void *to, htp_str name, htp_str track, double begin, double duration) {
                        EXPECT_GE(begin, 0);
                        EXPECT_GT(duration, 0);
                        static_cast<std::vector<std::string> *>(to)->push_back(
                            std::string(track.data, track.size) + ": " + std::string(name.data, name.size));
                      }};
};

class Contracts : public testing::TestWithParam<const char *> {};

TEST_P(Contracts, AddsVectorsOfAnyLength) {
  Simulated s("vector_add");
  s.option("contract", GetParam()).option("orders", "6");
  for (const int64_t n : {1, 7, 2048, 2049, 10000}) {
    Array<float> x({n}), y({n}), z({n}, NAN);
    x.data = numbers(static_cast<size_t>(n), 1), y.data = numbers(static_cast<size_t>(n), 2);
    x.tensor.data = x.data.data(), y.tensor.data = y.data.data();
    ASSERT_TRUE(s.run({x.as("x"), y.as("y"), z.as("z")})) << s.said();
    for (size_t k = 0; k < z.data.size(); ++k) ASSERT_EQ(z.data[k], x.data[k] + y.data[k]) << k;
  }
}

TEST_P(Contracts, RunsTasksInAnyOrderThatTheGraphAllows) {
  Simulated s("diamond");
  s.option("contract", GetParam()).option("orders", "8");
  Array<float> x({100}), y({100}, NAN);
  for (size_t k = 0; k < 100; ++k) x.data[k] = static_cast<float>(k);
  ASSERT_TRUE(s.run({x.as("x"), y.as("y")})) << s.said();
  for (size_t k = 0; k < 100; ++k) ASSERT_EQ(y.data[k], (x.data[k] + 2) * (x.data[k] + 3)) << k;
}

INSTANTIATE_TEST_SUITE_P(A2A3Sim, Contracts, testing::Values("pto-runtime/2026-03", "simpler/2026-08"),
                         [](const auto &row) {
                           return row.index ? std::string("Simpler202608") : std::string("Runtime202603");
                         });

TEST(A2A3Sim, SoftmaxOfRowsThatDoNotDivideEvenly) {
  Simulated s("softmax");
  for (const auto &[m, n] : {std::pair<int64_t, int64_t>{1, 1}, {32, 256}, {45, 100}, {70, 9}}) {
    Array<float> x({m, n}), y({m, n}, NAN);
    x.data = numbers(static_cast<size_t>(m * n), 3);
    x.tensor.data = x.data.data();
    ASSERT_TRUE(s.run({x.as("x"), y.as("y")})) << s.said();
    for (int64_t i = 0; i < m; ++i) {
      double sum = 0;
      for (int64_t j = 0; j < n; ++j) sum += std::exp(static_cast<double>(x.data[static_cast<size_t>(i * n + j)]));
      for (int64_t j = 0; j < n; ++j) {
        const auto k = static_cast<size_t>(i * n + j);
        ASSERT_NEAR(y.data[k], std::exp(static_cast<double>(x.data[k])) / sum, 1e-6) << i << "," << j;
      }
    }
  }
}

void multiply(Simulated &s, int64_t m, int64_t k, int64_t n, const htp_trace_sink *sink = nullptr) {
  Array<uint16_t> a({m, k}), b({k, n});
  Array<float> c({m, n}, NAN);
  const auto x = numbers(static_cast<size_t>(m * k), 4), y = numbers(static_cast<size_t>(k * n), 5);
  for (size_t i = 0; i < x.size(); ++i) a.data[i] = half_of(x[i]);
  for (size_t i = 0; i < y.size(); ++i) b.data[i] = half_of(y[i]);
  a.tensor.dtype.code = b.tensor.dtype.code = kDLFloat;
  ASSERT_TRUE(s.run({a.as("a"), b.as("b"), c.as("c")}, sink)) << s.said();
  for (int64_t i = 0; i<m; i += m> 200 ? 61 : 1)
    for (int64_t j = 0; j<n; j += n> 200 ? 37 : 1) {
      double sum = 0, size = 0;
      for (int64_t p = 0; p < k; ++p) {
        const double product = static_cast<double>(x[static_cast<size_t>(i * k + p)]) *
                               static_cast<double>(y[static_cast<size_t>(p * n + j)]);
        sum += product, size += std::fabs(product);
      }
      ASSERT_NEAR(c.data[static_cast<size_t>(i * n + j)], sum, size * 1e-6) << i << "," << j;
    }
}

TEST(A2A3Sim, MatmulOfF16) {
  Simulated s("matmul");
  multiply(s, 128, 128, 128);
  multiply(s, 130, 70, 33);
  multiply(s, 1, 300, 16);
}

TEST(A2A3Sim, MatmulOf512TakesSeconds) {
  Simulated s("matmul");
  s.option("orders", "1");
  ASSERT_TRUE(s.build()) << s.said();
  const auto begin = std::chrono::steady_clock::now();
  multiply(s, 512, 512, 512);
  RecordProperty(
      "milliseconds",
      static_cast<int>(
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count()));
}

TEST(A2A3Sim, TellsWhatEachPipeDid) {
  Simulated s("matmul");
  Trace t;
  multiply(s, 128, 128, 128, &t.sink);
  EXPECT_EQ(t.events,
            (std::vector<std::string>{"a2a3sim: bound by AIC 0 MTE2, busy 18 % of the time", "AIC 0: task 0: matmul",
                                      "AIC 0 MTE2: TLOAD", "AIC 0 MTE2: TLOAD", "AIC 0 MTE1: TMOV", "AIC 0 MTE1: TMOV",
                                      "AIC 0 M: TMATMUL", "AIC 0 FIX: TSTORE"}));
}

} // namespace
} // namespace htp::test
