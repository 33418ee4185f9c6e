// The verifiers say no to a stage that someone edited wrongly, and where.
#include "tests/support/dialect_host.h"

#include <gmock/gmock.h>

namespace htp::test {
namespace {

constexpr const char *head = R"(import htp
from htp import In, Out, f16, f32
import htp_tile as tile
from htp_tile import Tensor, Tile, kernel
N = htp.dim("N")
)";

std::string verify(const std::string &state, const std::string &body, const std::string &entry = "k") {
  DialectHost host(
      {"dialect-tile"},
      std::string(head) + "@kernel\ndef k(x: In[Tensor[f32, N]], y: Out[Tensor[f32, N]]) -> None:\n" + body, entry);
  return host.holds(state) ? "yes" : host.said();
}

constexpr const char *good = R"(    for i in tile.tiles(N, 8):
        x_tile: Tile[f32, i] = tile.load(x, i)
        exp: Tile[f32, i] = tile.exp(x_tile)
        tile.store(y, exp, i)
)";

TEST(Verify, YesToWhatHolds) {
  for (const char *state : {"Tile.Kernel", "Tile.Canonical", "Tile.Typed"}) EXPECT_EQ(verify(state, good), "yes");
}

TEST(Verify, TheEntryIsAKernel) {
  EXPECT_EQ(verify("Tile.Kernel", "    pass\n\ndef f():\n    pass\n", "f"),
            "10:1 note tile.not-kernel: the entry `f` is not a `@kernel`\n");
  EXPECT_EQ(verify("Tile.Kernel", "    pass\n", "g"), "- note tile.not-kernel: the entry `g` is not a `@kernel`\n");
}

TEST(Verify, AnExpressionIsNotCanonical) {
  EXPECT_EQ(verify("Tile.Canonical", R"(    for i in tile.tiles(N, 8):
        x_tile = tile.load(x, i)
        tile.store(y, tile.exp(x_tile), i)
)"),
            "10:9 note tile.not-canonical: not in canonical form: `tile.store(y, tile.exp(x_tile), i)`\n");
}

TEST(Verify, AMissingTypeIsNotTyped) {
  EXPECT_EQ(verify("Tile.Typed", R"(    for i in tile.tiles(N, 8):
        x_tile = tile.load(x, i)
        tile.store(y, x_tile, i)
)"),
            "9:9 note tile.not-typed: `x_tile = tile.load(x, i)` carries no type, or a wrong one\n");
}

TEST(Verify, AWrongTypeIsNotTyped) {
  EXPECT_EQ(
      verify("Tile.Typed", R"(    for i in tile.tiles(N, 8):
        x_tile: Tile[f16, i] = tile.load(x, i)
        tile.store(y, x_tile, i)
)"),
      "9:17 error tile.annotation-mismatch: `x_tile` is annotated `Tile[f16, i]`, but its value is `Tile[f32, i]`\n"
      "  hint: correct the annotation, or leave it out\n");
}

TEST(Verify, ALanguageErrorIsNotCanonical) {
  EXPECT_THAT(verify("Tile.Canonical", "    while True:\n        pass\n"),
              testing::HasSubstr("8:5 error tile.endless: this `while` may run for ever"));
}

} // namespace
} // namespace htp::test
