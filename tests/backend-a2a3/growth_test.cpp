// What each phase and each pass of the CPU's and of Ascend's backend does grows as the program: allocations are counted
// of a program and of one twice as long, and where nothing is allocated the time of one eight times as long shows what
// grows as its square.
#include "tests/support/allocations.h"

#include "host/base/fs.h"
#include "host/diag/render.h"
#include "host/pipeline/compile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>

namespace htp {
namespace {

constexpr const char *head = R"(import htp
from htp import In, Out, f32
from htp_tile import Tensor, buffer, kernel, tiles

M = htp.dim("M")
N = htp.dim("N")
)";
constexpr const char *signature = "@kernel\ndef k(x: In[Tensor[f32, M, N]], y: Out[Tensor[f32, M, N]]) -> None:\n";

std::string number(size_t n) { return std::to_string(n); }

// Each value of the one before.
std::string chain(size_t n) {
  std::string text = std::string(head) + signature + "    for i in tiles(M, 8):\n        t0 = x[i, :]\n";
  for (size_t k = 1; k <= n; ++k)
    text += "        t" + number(k) + " = t" + number(k - 1) + (k % 2 ? " + 2.0\n" : " * 0.5\n");
  return text + "        y[i, :] = t" + number(n) + "\n";
}
// One name for all values.
std::string rebound(size_t n) {
  std::string text = std::string(head) + signature + "    for i in tiles(M, 8):\n        t = x[i, :]\n";
  for (size_t k = 0; k < n; ++k) text += "        t = t + " + number(k % 7) + ".0\n";
  return text + "        y[i, :] = t\n";
}
// Functions, each called once.
std::string functions(size_t n) {
  std::string text = head;
  for (size_t k = 0; k < n; ++k) text += "def fn" + number(k) + "(t):\n    return t + " + number(k) + ".0\n\n\n";
  text += std::string(signature) + "    for i in tiles(M, 8):\n        t = x[i, :]\n";
  for (size_t k = 0; k < n; ++k) text += "        t = fn" + number(k) + "(t)\n";
  return text + "        y[i, :] = t\n";
}
// Functions that each call the one before twice: 2 to the power of their number in all, which is about `n`.
std::string twice(size_t n) {
  std::string text = std::string(head) + "def fn0(t):\n    return t + 1.0\n\n\n";
  size_t k = 0;
  for (size_t calls = 1; calls < n; calls *= 2, ++k)
    text += "def fn" + number(k + 1) + "(t):\n    return fn" + number(k) + "(fn" + number(k) + "(t))\n\n\n";
  return text + signature + "    for i in tiles(M, 8):\n        y[i, :] = fn" + number(k) + "(x[i, :])\n";
}
// Kernels, one of which is compiled.
std::string kernels(size_t n) {
  std::string text = head;
  for (size_t k = 0; k < n; ++k) {
    std::string one = signature;
    if (k) one.replace(one.find("def k"), 5, "def k" + number(k));
    text += one + "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] + " + number(k) + ".0\n\n\n";
  }
  return text;
}
std::string constants(size_t n) {
  std::string text = std::string(head) + "C0 = 1\n";
  for (size_t k = 1; k < n; ++k) text += "C" + number(k) + " = C" + number(k - 1) + " + " + number(k) + "\n";
  return text + signature + "    for i in tiles(M, 8):\n        y[i, :] = x[i, :] + C" + number(n - 1) + "\n";
}
// Stores to one place, each of the one before's result.
std::string stores(size_t n) {
  std::string text = std::string(head) + signature + "    for i in tiles(M, 8):\n";
  for (size_t k = 0; k < n; ++k) text += "        y[i, :] = x[i, :] + " + number(k) + ".0\n";
  return text;
}
// Loops, each of what the one before made.
std::string loops(size_t n) {
  std::string text = std::string(head) + signature;
  for (size_t k = 0; k < n; ++k)
    text += std::string("    for i in tiles(M, 8):\n        y[i, :] = ") + (k ? "y" : "x") + "[i, :] + " + number(k) +
            ".0\n";
  return text;
}
// Loops within loops, around stores that are made where a size says so.
std::string nests(size_t n) {
  std::string text = std::string(head) + signature + "    b = buffer(f32, M, N)\n    b[:, :] = x[:, :]\n", in = "    ";
  for (size_t k = 0; k < n; ++k, in += "    ")
    text += in + "for i" + number(k) + " in tiles(" + (k ? "i" + number(k - 1) : "M") + ", " +
            number(size_t{1} << (n - k)) + "):\n";
  const std::string at = "[i" + number(n - 1) + ", :]";
  return text + in + "if M > 3:\n" + in + "    b" + at + " = b" + at + " + 1.0\n" + in + "y" + at + " = b" + at + "\n";
}
using Work = std::map<std::string, double>; // by phase or pass

Work compiled(const std::string &target, const std::string &text, Clock clock) {
  auto folder = TemporaryFolder::make();
  EXPECT_TRUE(folder);
  EXPECT_FALSE(write_file(folder->path() + "/p.yaml", "htp_profile: 1\ntarget: " + target + "\n"));
  EXPECT_FALSE(write_file(folder->path() + "/p.py", text));
  CompileRequest request;
  request.profile = folder->path() + "/p.yaml";
  request.plugin_path = {HTP_BINARY_DIR "/plugins"};
  request.program = folder->path() + "/p.py";
  request.entry = "k";
  request.out = folder->path() + "/out";
  request.clock = std::move(clock);
  Diagnostics diagnostics;
  Cache cache = Cache::off();
  const CompileOutcome outcome = compile(request, cache, diagnostics);
  EXPECT_EQ(outcome.status, CompileOutcome::Status::done) << render_text(diagnostics, {});
  Work work;
  for (const auto &[name, seconds] : outcome.seconds) work[name] += seconds;
  return work;
}

struct Case {
  const char *name;
  std::string (*program)(size_t);
  size_t size;
};
constexpr Case cases[] = {{"chain", chain, 200},   {"rebound", rebound, 200}, {"functions", functions, 100},
                          {"twice", twice, 128},   {"kernels", kernels, 100}, {"constants", constants, 500},
                          {"stores", stores, 400}, {"loops", loops, 60}};

class Growth : public testing::TestWithParam<std::tuple<const char *, Case>> {};

TEST_P(Growth, AllocationsAreAtMostTwiceAsManyForAProgramTwiceAsLong) {
  const auto &[target, of] = GetParam();
  const auto work = [&, target = target, of = of](size_t n) {
    return compiled(target, of.program(n), [] { return static_cast<double>(allocations()); });
  };
  work(2); // what is done once
  const Work few = work(of.size), many = work(2 * of.size);
  EXPECT_GE(few.at("passes"), 1000.0); // allocations are counted, those of plugins too
  for (const auto &[name, count] : many) {
    ASSERT_TRUE(few.contains(name)) << name;
    EXPECT_LE(count, 2.3 * few.at(name) + 2000) << name;
  }
}

// What is proved of a nest of loops looks at each loop for itself: not twice at each level for what is in it.
TEST(GrowthOfNests, IsNotDoubledByEachLevel) {
  const auto infer = [](size_t levels) {
    return compiled("cpu", nests(levels), [] { return static_cast<double>(allocations()); }).at("pass tile.infer");
  };
  infer(2); // what is done once
  const double few = infer(4), many = infer(8);
  EXPECT_LE(many, 6 * few);
}

// Of a long run, which has the machine for itself: loops that allocate nothing show in time alone.
TEST_P(Growth, TimeDoesNotGrowAsTheSquare) {
  if (!std::getenv("HTP_LONG")) GTEST_SKIP() << "skipped: time is measured with HTP_LONG";
  const auto &[target, of] = GetParam();
  const auto work = [&, target = target, of = of](size_t n) {
    Work least;
    for (int k = 0; k < 2; ++k)
      for (const auto &[name, seconds] : compiled(target, of.program(n), thread_seconds)) {
        double &known = least.try_emplace(name, seconds).first->second;
        known = std::min(known, seconds);
      }
    return least;
  };
  const Work few = work(of.size), many = work(8 * of.size);
  for (const auto &[name, seconds] : many) EXPECT_LE(seconds, 20 * few.at(name) + 0.05) << name;
}

INSTANTIATE_TEST_SUITE_P(All, Growth, testing::Combine(testing::Values("cpu", "a2a3"), testing::ValuesIn(cases)),
                         [](const auto &of) {
                           return std::string(std::get<0>(of.param)) + "_" + std::get<1>(of.param).name;
                         });

} // namespace
} // namespace htp
