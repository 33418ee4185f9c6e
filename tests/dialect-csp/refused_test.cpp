// Each file of refused/ holds pipelines with a mistake, and what is said about it, verbatim. $HTP_UPDATE=1 writes what
// was said.
#include "tests/support/cases.h"
#include "tests/support/dialect_host.h"

#include <gmock/gmock.h>

namespace htp::test {
namespace {

constexpr const char *head = R"(import htp
from htp import In, InOut, Out, f32, i32
from htp_csp import Channel, Channels, R, S, Schedule, channel, channels, event, pipeline, process, schedule, shard
from htp_tile import Tensor, buffer, cast, exp, holds, index, kernel, matmul, reduce_sum, tiles, zeros
from htp_wsp import P as over, workload
from htp_wsp import schedule as wsp_schedule

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
P = 3
)";

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, Says) {
  const Case &c = GetParam();
  DialectHost host({"dialect-tile", "dialect-wsp", "dialect-csp"}, head + c.program, "w");
  bool good = host.check() && host.pass("csp.place");
  if (c.program.find("@workload\ndef w(") != std::string::npos)
    good = good && host.pass("csp.outline") && host.pass("wsp.expand");
  for (const char *pass : {"csp.flatten", "tile.inline", "csp.apply", "csp.lower", "tile.canonicalize", "tile.infer"})
    good = good && host.pass(pass);
  const std::string said = counted_from(head, host.said());
  EXPECT_TRUE(!good || said.find("warning") != std::string::npos) << host.text();
  if (updating())
    update(c, said);
  else
    EXPECT_EQ(said, c.said);
}

INSTANTIATE_TEST_SUITE_P(Files, Refused, testing::ValuesIn(cases("tests/dialect-csp/refused")),
                         [](const auto &test) { return test_name(test.param); });

// Pipelines that are taken, though it is not plain why.
class Accepted : public testing::TestWithParam<Case> {};

TEST_P(Accepted, Ends) {
  DialectHost host({"dialect-tile", "dialect-wsp", "dialect-csp"}, head + GetParam().program, "w");
  EXPECT_TRUE(host.check()) << host.said();
  for (const char *pass : {"csp.place", "csp.flatten", "tile.inline", "csp.lower"})
    ASSERT_TRUE(host.pass(pass)) << host.said();
  EXPECT_EQ(host.said(), "");
  for (const char *pass : {"tile.canonicalize", "tile.infer"}) ASSERT_TRUE(host.pass(pass)) << host.said();
}

INSTANTIATE_TEST_SUITE_P(Files, Accepted, testing::ValuesIn(cases("tests/dialect-csp/accepted")),
                         [](const auto &test) { return test_name(test.param); });

// Every row of the table is said by some case; the note is of a pass on a program without a pipeline, that there is no
// deadlock of `graph --deadlock`, in cli/golden, and the other ones are verifiers', beside stages/.
TEST(Table, IsCovered) {
  EXPECT_THAT(codes_not_said("plugins/dialect-csp/diagnostics.def", "tests/dialect-csp/refused"),
              testing::UnorderedElementsAre("csp.directive-left", "csp.not-flat", "csp.not-placed", "csp.no-tasks",
                                            "csp.no-deadlock"));
}

} // namespace
} // namespace htp::test
