// Each file of refused/ holds programs with something to say about the kernel `k`, a mistake nearly always, and what is
// said, verbatim.
// $HTP_UPDATE=1 writes what was said.
#include "tests/support/cases.h"
#include "tests/support/dialect_host.h"

#include <gmock/gmock.h>

namespace htp::test {
namespace {

constexpr const char *head = R"(import htp
from htp import In, InOut, Out, bool_, bf16, f16, f32, f8e4m3, f8e5m2, i32, u8
import htp_tile as tile
from htp_tile import (Tensor, Tile, absolute, argmax, argmin, argsort, argtopk, barrier, buffer, cast, copy_async, exp, full, gather, holds,
                      index, kernel, load, matmul, maximum, reduce_any, reduce_sum, reshape, scan_max, scan_sum,
                      scatter_add, sort, sqrt, store, tiles, topk, transpose, wait, where, whole, zeros)

M = htp.dim("M")
N = htp.dim("N")
K = htp.dim("K")
SIZE = 8
)";

std::string said_of(const std::string &program) {
  DialectHost host({"dialect-tile"}, head + program, "k",
                   {{"levels.core.doc", "cores"},
                    {"levels.lane.kind", "vector"},
                    {"spaces.memory.holds", "parameters buffers"},
                    {"spaces.stack.capacity", "4096"}});
  bool good = host.check();
  for (const char *pass : {"tile.structure", "tile.inline", "tile.canonicalize", "tile.infer"})
    good = good && host.pass(pass);
  EXPECT_EQ(good, host.said().find(" error ") == std::string::npos) << host.text() << host.said();
  EXPECT_NE(host.said(), "");
  return host.said();
}

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, Says) {
  const std::string said = counted_from(head, said_of(GetParam().program));
  if (updating())
    update(GetParam(), said);
  else
    EXPECT_EQ(said, GetParam().said);
}

INSTANTIATE_TEST_SUITE_P(Files, Refused, testing::ValuesIn(cases("tests/dialect-tile/refused")),
                         [](const auto &test) { return test_name(test.param); });

// Every row of the table is said by some case, except what only a broken plugin, a verifier, a pipeline's grid
// (tests/dialect-csp) or a target that calls what is compiled apart (tests/backend-aie) can bring about.
TEST(Table, IsCovered) {
  EXPECT_THAT(codes_not_said("plugins/dialect-tile/diagnostics.def", "tests/dialect-tile/refused"),
              testing::UnorderedElementsAre("tile.not-external", "tile.external-keywords", "tile.external-call",
                                            "tile.external-operand", "tile.external-number", "tile.external-count",
                                            "tile.shared-elements", "tile.unknown-rule", "tile.not-kernel",
                                            "tile.not-expanded", "tile.not-structured", "tile.not-inlined",
                                            "tile.not-canonical", "tile.not-typed"));
}

} // namespace
} // namespace htp::test
