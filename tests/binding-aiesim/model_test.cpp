// The cycle model beside what is published of whole-array matrix products, and how it answers to
// changes of a module. Prints the table that it holds.
#include "gemm_module.h"
#include "model/model.h"
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>

using namespace htp::aiesim;
using htp::aiesim::test::Gemm;
using htp::aiesim::test::gemm_module;

namespace {

struct Anchor {
  const char *what;
  double published, within; // 10^12 operations a second; how far the prediction may be off
  bool pipelines, resting;
  const char *bound; // what it has to begin with
  Gemm gemm;
};

// The naive ones: loops as they stand. The best ones: blocks as large as a core has room for, four products at once,
// turns overlapping.
const Anchor anchors[] = {
    {"IRON's default, clock at rest", 0.70, 0.1, false, true, "the cores", {.M = 2048, .N = 2048, .K = 2048}},
    {"MLIR-AIE's example, 8 columns", 1.6, 0.1, false, false, "the cores", {.M = 2048, .N = 2048, .K = 2048}},
    {"npu2 i8, the best",
     38.05,
     0.2,
     true,
     false,
     "the cores",
     {.M = 3840,
      .N = 3840,
      .K = 3840,
      .m = 80,
      .n = 96,
      .k = 64,
      .r = 8,
      .tiled = true,
      .rows_at_once = 2,
      .columns_at_once = 2,
      .element = "i8",
      .sum = "i32",
      .out = "i8"}},
    {"npu2 bf16, the best",
     14.71,
     0.2,
     true,
     false,
     "the cores",
     {.M = 3840,
      .N = 3840,
      .K = 2304,
      .m = 96,
      .n = 96,
      .k = 32,
      .tiled = true,
      .rows_at_once = 4,
      .columns_at_once = 2}},
    {"npu1 i8, the best",
     6.76,
     0.2,
     true,
     false,
     "the host's memory",
     {.device = "npu1_4col",
      .columns = 4,
      .M = 3840,
      .N = 3840,
      .K = 3840,
      .m = 96,
      .n = 80,
      .k = 64,
      .tiled = true,
      .rows_at_once = 2,
      .columns_at_once = 2,
      .element = "i8",
      .sum = "i32",
      .out = "i8"}},
    {"npu1 bf16, the best",
     3.14,
     0.2,
     true,
     false,
     "the host's memory",
     {.device = "npu1_4col",
      .columns = 4,
      .M = 3840,
      .N = 3840,
      .K = 3840,
      .m = 96,
      .n = 96,
      .k = 32,
      .t = 4,
      .tiled = true,
      .rows_at_once = 4,
      .columns_at_once = 2}},
};

Prediction predicted(const std::string &text, const Assumed &assumed = {}) {
  const Module m = read_module(text);
  check_legal(m);
  return predict(m, assumed);
}

double teraops(const Prediction &p) { return 2 * p.products / p.seconds / 1e12; }

} // namespace

TEST(Model, PublishedProducts) {
  fmt::print("{:32} {:>9} {:>9} {:>6} {:>8}  bound\n", "", "published", "predicted", "", "of peak");
  for (const Anchor &a : anchors) {
    const double hertz = a.resting ? device_cost(a.gemm.device).resting_hertz : 0;
    const Prediction p = predicted(gemm_module(a.gemm), {.hertz = hertz, .pipelines = a.pipelines});
    const double found = teraops(p);
    fmt::print("{:32} {:>9.2f} {:>9.2f} {:>+5.0f}% {:>6.1f} %  {}\n", a.what, a.published, found,
               100 * (found / a.published - 1), 100 * p.products / p.seconds / p.peak, p.bound);
    EXPECT_LE(std::abs(found / a.published - 1), a.within);
    EXPECT_TRUE(p.bound.starts_with(a.bound)) << p.bound;
    EXPECT_EQ(p.products, static_cast<double>(a.gemm.M * a.gemm.N * a.gemm.K));
  }
}

// The practical peak is what `xrt-smi validate` reaches with a product of i8 that is not bound by memory: 51 TOPS.
TEST(Model, ALargeProductOfI8) {
  const double found = teraops(predicted(gemm_module(anchors[2].gemm)));
  fmt::print("npu2 i8: {:.1f} of 51 TOPS, {:.0f} %\n", found, 100 * found / 51);
  EXPECT_GE(found / 51, 0.65); // the best published one has 75 %
}

TEST(Model, WhatChangesAModuleChangesItsTime) {
  const Gemm small{.M = 512, .N = 1024, .K = 512, .tiled = true, .rows_at_once = 4, .columns_at_once = 2};
  const std::string text = gemm_module(small);
  const double before = predicted(text).seconds;
  const auto with = [&](const std::string &old, const std::string &now) {
    std::string changed = text;
    size_t times = 0;
    for (size_t at = 0; (at = changed.find(old, at)) != changed.npos; at += now.size(), ++times)
      changed.replace(at, old.size(), now);
    EXPECT_GT(times, 0u);
    return changed;
  };
  EXPECT_GT(predicted(with("2 : i32)", "1 : i32)")).seconds, before * 1.05); // nothing overlaps
  EXPECT_GT(predicted(text, {.pipelines = false}).seconds, before * 1.2);
  EXPECT_GT(predicted(text, {.hertz = 0.9e9}).seconds, before * 1.2);
  Gemm strided = small;
  strided.tiled = false, strided.n = 16, strided.columns_at_once = 1; // runs of 32 bytes
  EXPECT_GT(predicted(gemm_module(strided)).seconds, before);
}

// Whether a module is not predicted for that reason, whose `old` became `now` wherever it stands.
void expect_unpredicted(const char *code, const std::string &what, const std::string &old, const std::string &now) {
  std::string text = gemm_module({.M = 256, .N = 512, .K = 128});
  size_t times = 0;
  for (size_t at = 0; (at = text.find(old, at)) != text.npos; at += now.size(), ++times)
    text.replace(at, old.size(), now);
  EXPECT_GT(times, 0u);
  try {
    predicted(text);
    ADD_FAILURE() << "it is predicted: " << now;
  } catch (const Wrong &wrong) {
    EXPECT_STREQ(wrong.why.kind.code, code);
    EXPECT_EQ(wrong.what(), what);
  }
}

TEST(Model, WhatIsNotPredictedIsSaid) {
  const std::string loop = "scf.for %step = %i0 to %i2 step %i1 {\n";
  expect_unpredicted("aiesim.unpredicted-bounds",
                     "the time of a loop in a core is not predicted: its bounds are not constants", loop,
                     "%more = arith.addi %i1, %i1 : index\nscf.for %step = %i0 to %more step %i1 {\n");
  expect_unpredicted("aiesim.unpredicted-branch",
                     "the time of `scf.if` in a core is not predicted: it acquires or releases", loop,
                     "%yes = arith.cmpi eq, %i0, %i0 : index\nscf.if %yes {\n");
  expect_unpredicted("aiesim.unpredicted", "the time of `ub.poison` in a core is not predicted", loop,
                     "%odd = ub.poison : index\n" + loop);
}

TEST(Model, ADeadlockIsTold) {
  const Gemm small{.M = 256, .N = 512, .K = 64};
  std::string text = gemm_module(small);
  const size_t at = text.find("aiex.npu.dma_memcpy_nd (%A");
  text.erase(text.rfind('\n', at), text.find('\n', at) - text.rfind('\n', at));
  try {
    predicted(text);
    FAIL() << "it is predicted";
  } catch (const Wrong &wrong) {
    EXPECT_TRUE(wrong.why.is(diag::deadlock));
    EXPECT_NE(std::string(wrong.what()).find("the core at (0, 2) for a block of `@a0_row`"), std::string::npos)
        << wrong.what();
  }
}
