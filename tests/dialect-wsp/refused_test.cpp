// Each file of refused/ holds programs with a mistake around the workload `w` or its schedule, and what is said about
// it, verbatim. $HTP_UPDATE=1 writes what was said.
#include "tests/support/cases.h"
#include "tests/support/dialect_host.h"

#include <gmock/gmock.h>

namespace htp::test {
namespace {

constexpr const char *head = R"(import htp
from htp import In, InOut, Out, f32
from htp_tile import Tensor, barrier, buffer, copy_async, exp, full, holds, load, matmul, maximum, reduce_max, reduce_sum, scan_sum, store, whole, zeros
from htp_wsp import P, Schedule, schedule, seq, workload

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
)";

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, Says) {
  const Case &c = GetParam();
  DialectHost host({"dialect-tile", "dialect-wsp"}, head + c.program, "w",
                   {{"levels.core.doc", "cores"},
                    {"levels.lane.kind", "vector"},
                    {"vector.f32.lanes", "16"},
                    {"spaces.memory.alignment", "64"},
                    {"spaces.stack.capacity", "65536"}});
  bool good = host.check();
  for (const char *pass : {"wsp.expand", "tile.inline", "wsp.apply", "wsp.lower", "tile.canonicalize"})
    good = good && host.pass(pass);
  EXPECT_FALSE(good) << host.text();
  const std::string said = counted_from(head, host.said());
  if (updating())
    update(c, said);
  else
    EXPECT_EQ(said, c.said);
}

INSTANTIATE_TEST_SUITE_P(Files, Refused, testing::ValuesIn(cases("tests/dialect-wsp/refused")),
                         [](const auto &test) { return test_name(test.param); });

// Every row of the table is said by some case; the notes are the verifiers' (stages_test), and of what compiles
// (tests/laws); that there are no tasks is the graph's to say (tests/cli).
TEST(Table, IsCovered) {
  EXPECT_THAT(codes_not_said("plugins/dialect-wsp/diagnostics.def", "tests/dialect-wsp/refused"),
              testing::ElementsAre("wsp.unscheduled", "wsp.not-workload", "wsp.no-tasks", "wsp.no-engine",
                                   "wsp.directive-left"));
}

} // namespace
} // namespace htp::test
