// Each file of stages/ is a program whose entry `w` is a schedule, with what csp.apply makes of its pipeline.
// $HTP_UPDATE=1 writes what came out.
#include "tests/support/dialect_host.h"

#include <gmock/gmock.h>

namespace htp::test {
namespace {

class Stages : public testing::TestWithParam<std::string> {};

TEST_P(Stages, AreAsWritten) {
  const std::string path = source_path("tests/dialect-csp/stages/" + GetParam() + ".py");
  const std::string file = read_text(path);
  DialectHost host({"dialect-tile", "dialect-csp"}, section(file, ""), "w");
  ASSERT_TRUE(host.check()) << host.said();
  EXPECT_TRUE(host.holds("Csp.Pipeline"));
  EXPECT_FALSE(host.holds("Csp.Scheduled"));
  EXPECT_THAT(host.said(), testing::HasSubstr("csp.directive-left: the schedule `w` is not applied yet"));
  ASSERT_TRUE(host.pass("csp.apply")) << host.said();
  if (updating())
    update_section(path, "csp.apply", host.text());
  else
    EXPECT_EQ(host.text(), section(file, "csp.apply"));
  // A stage's text says all there is.
  DialectHost again({"dialect-tile", "dialect-csp"}, host.text(), "w");
  EXPECT_TRUE(again.check()) << again.said();
  EXPECT_TRUE(again.holds("Csp.Scheduled")) << again.said();
  for (const char *pass : {"tile.inline", "csp.lower", "tile.canonicalize", "tile.infer"})
    ASSERT_TRUE(again.pass(pass)) << again.said() << again.text();
}

// What csp.place makes of parts, and that it is asked for.
TEST(Place, UsesTheTensors) {
  DialectHost host({"dialect-tile", "dialect-csp"}, R"(import htp
from htp import In, Out, f32
from htp_csp import R, S, pipeline, process, shard
from htp_tile import Tensor, tiles

M = htp.dim("M")
N = htp.dim("N")


@pipeline
def w(x: In[Tensor[f32, 2 * M, 6, N]], k: In[Tensor[f32, N]], y: Out[Tensor[f32, 2 * M, 6, N]]) -> None:
    @process(grid=(2, 6), args=(shard(x, S(0), S(1), R), k, shard(y, S(0), S(1), R)))
    def work(i: int, j: int, y: In[Tensor[f32, M, 1, N]], scale: In[Tensor[f32, N]], out: Out[Tensor[f32, M, 1, N]]) -> None:
        for m in tiles(M, 8):
            out[m, 0, :] = y[m, 0, :] * scale[:]
            k = y[0, :, 0:1]
)",
                   "w");
  EXPECT_FALSE(host.holds("Csp.Placed"));
  EXPECT_THAT(host.said(), testing::HasSubstr("csp.not-placed: `w` has processes that are given tensors"));
  ASSERT_TRUE(host.pass("csp.place")) << host.said();
  DialectHost again({"dialect-tile", "dialect-csp"}, host.text(), "w");
  EXPECT_TRUE(again.holds("Csp.Placed")) << again.said();
  EXPECT_THAT(host.text(), testing::HasSubstr(R"(
    @process(grid=(2, 6))
    def work(i: int, j: int) -> None:
        for m in tiles(M, 8):
            y[i * M + m, j, :] = x[i * M + m, j, :] * k[:]
            k_ = x[i * M, j:j + 1, 0:1]
)"));
}

INSTANTIATE_TEST_SUITE_P(Files, Stages, testing::ValuesIn(names_in(source_path("tests/dialect-csp/stages"), ".py")),
                         [](const auto &test) { return test.param; });

} // namespace
} // namespace htp::test
