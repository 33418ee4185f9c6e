// The cycle model beside what is published of the processors: a product over 24 cores (pto-isa,
// kernels/manual/a2a3/gemm_performance) and attention (kernels/manual/common/flash_atten). Four constants of
// machine/costs.def are fitted, all to the product; none is to attention.
#include "simulated.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace htp::test {
namespace {

nlohmann::json report_of(const std::string &package, const std::string &sizes) {
  Simulated s(package);
  s.option("report", sizes);
  if (!s.build()) throw std::runtime_error(s.said());
  return nlohmann::json::parse(*read_file(s.folder + "/report.json"));
}
double busy(const nlohmann::json &report, const char *pipe) {
  for (const auto &row : report["pipes"])
    if (row["pipe"] == pipe) return row["cycles"].get<double>() / report["clock_mhz"].get<double>(); // us
  return 0;
}

struct Product {
  int size;
  double cube, extract, load, milliseconds; // per cent of the time, and that
};
constexpr Product products[] = {{1536, 54.5, 42.2, 72.2, 0.0388},
                                {3072, 79.0, 62.0, 90.9, 0.2067},
                                {6144, 86.7, 68.1, 95.2, 1.5060},
                                {7680, 80.6, 63.0, 98.4, 3.1680}};

// Rows are shared by 4 cores, columns by 6, so each core has the same to do.
TEST(A2A3Cycles, ProductsAsPublished) {
  std::printf("%6s  %22s  %22s  %22s  %22s\n", "m=k=n", "us (published)", "cube %", "extract %", "load %");
  for (const Product &p : products) {
#ifdef HTP_SANITIZED
    if (p.size > 3072 && !std::getenv("HTP_LONG")) continue; // a minute of watched memory
#endif
    const std::string all = std::to_string(p.size);
    const auto report =
        report_of("gemm_steps", "M=" + std::to_string(p.size / 4) + " K=" + all + " N=" + std::to_string(p.size / 6));
    const double us = report["microseconds"], cube = 100 * busy(report, "M") / us,
                 extract = 100 * busy(report, "MTE1") / us, load = 100 * busy(report, "MTE2") / us;
    std::printf("%6d  %10.1f (%9.1f)  %10.1f (%9.1f)  %10.1f (%9.1f)  %10.1f (%9.1f)\n", p.size, us,
                p.milliseconds * 1000, cube, p.cube, extract, p.extract, load, p.load);
    EXPECT_NEAR(cube, p.cube, 4) << p.size;
    EXPECT_NEAR(extract, p.extract, 4) << p.size;
    EXPECT_NEAR(load, p.load, p.size == 1536 ? 11 : 4)
        << p.size; // the small one loads at 118 GiB/s: its data is not near yet
    EXPECT_NEAR(us, p.milliseconds * 1000, p.milliseconds * 50) << p.size;
    EXPECT_EQ(report["bound"]["pipe"], "MTE2") << p.size;
  }
}

struct Attention {
  int length;
  double tflops;
};
constexpr Attention attentions[] = {{1024, 25.6},  {2048, 66.2},   {4096, 96.6},
                                    {8192, 117.4}, {16384, 151.2}, {32768, 168.5}};

// One head of 128: blocks of 128 queries go to 24 cores in waves. A block's vector cores, 64 rows each, take longer
// than its cube core, which loads 192 KiB for each 256 keys; so a wave takes as long as they do.
TEST(A2A3Cycles, AttentionAsPublished) {
  std::printf("%6s  %22s  %8s\n", "keys", "us (published)", "error");
  for (const Attention &a : attentions) {
    const auto report = report_of("online_softmax", "S=" + std::to_string(a.length));
    const double clock = report["clock_mhz"],
                 start = report["microseconds"].get<double>() - report["cycles"].get<double>() / clock,
                 wave = report["tasks"][0]["cycles"].get<double>() / clock, waves = std::ceil(a.length / 128 / 24.0),
                 us = start + waves * wave, published = 4.0 * a.length * a.length * 128 / a.tflops / 1e6;
    std::printf("%6d  %10.1f (%9.1f)  %+6.1f %%\n", a.length, us, published, 100 * (us / published - 1));
    EXPECT_NEAR(us / published, 1, 0.25) << a.length;
    EXPECT_GT(wave, a.length / 256 * 192.0 * 1024 / (135.0 * 1.073741824 * 1000))
        << "the cube core's loads take longer";
    EXPECT_EQ(report["bound"]["pipe"], "V") << a.length;
  }
}

TEST(A2A3Cycles, ReportsTellWhatRuns) {
  const auto report = report_of("diamond", "N=100");
  ASSERT_EQ(report["tasks"].size(), 5u) << report["tasks"].dump();
  for (const size_t last : {size_t{3}, size_t{4}}) EXPECT_EQ(report["tasks"][last]["after"], nlohmann::json({1, 2}));
  for (const auto &kernel : report["kernels"]) {
    EXPECT_FALSE(kernel["instructions"].empty());
    for (const auto &row : kernel["memory"])
      for (const auto &use : row["uses"]) {
        const auto &one = kernel["instructions"][use["instruction"].get<size_t>()];
        EXPECT_EQ(one["begin"], use["begin"]);
        EXPECT_LT(use["begin"].get<double>(), use["end"].get<double>());
      }
    for (const auto &event : kernel["events"]) EXPECT_LE(event["set"].get<double>(), event["waited"].get<double>());
    EXPECT_FALSE(kernel["events"].empty());
  }
  Simulated s("diamond");
  s.option("report", "N=100");
  ASSERT_TRUE(s.build()) << s.said();
  const std::string picture = *read_file(s.folder + "/report.svg");
  EXPECT_EQ(picture.rfind("<svg ", 0), 0u);
  for (const char *said : {"task 3: multiply", "written", "event MTE2 to V 0", "<line "})
    EXPECT_NE(picture.find(said), std::string::npos) << said;
}

TEST(A2A3Cycles, ReportsNeedSizes) {
  for (const char *sizes : {"K=3", "N=many", "N=-1", "N="}) {
    Simulated none("diamond");
    none.option("report", sizes);
    EXPECT_FALSE(none.build());
    EXPECT_EQ(none.said(), "a2a3sim.report-sizes: the option `report` has no size for `N`\n"
                           "  hint: name each dimension of the entry with a size, as `M=512 N=1024`\n");
  }
  Simulated other("online_softmax");
  other.option("report", "S=600");
  EXPECT_FALSE(other.build());
  EXPECT_EQ(other.said().rfind("a2a3sim.size-range: `(S % 256)` is 88, and the package is compiled for 0 to 0\n", 0),
            0u)
      << other.said();
}

} // namespace
} // namespace htp::test
