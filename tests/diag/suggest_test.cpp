#include "host/base/suggest.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("provides", "provides", 3), 0u);
  EXPECT_EQ(edit_distance("provids", "provides", 3), 1u);
  EXPECT_EQ(edit_distance("provideds", "provides", 3), 1u);
  EXPECT_EQ(edit_distance("pravides", "provides", 3), 1u);
  EXPECT_EQ(edit_distance("porvides", "provides", 3), 1u);
  EXPECT_EQ(edit_distance("Tile.Typed", "tile.typed", 3), 0u) << "case is no difference";
  EXPECT_EQ(edit_distance("", "abc", 3), 3u);
}

TEST(EditDistance, StopsAtItsLimit) {
  EXPECT_EQ(edit_distance("abcdef", "uvwxyz", 2), 3u);
  EXPECT_EQ(edit_distance("a", "abcdef", 2), 3u);
  EXPECT_EQ(edit_distance(std::string(100'000, 'a'), std::string(100'000, 'b'), 200'000), 200'001u)
      << "long words are not compared";
}

TEST(DidYouMean, TakesTheClosest) {
  const std::vector<std::string> keys = {"requires", "provides", "invalidates", "options"};
  EXPECT_EQ(did_you_mean("provids", keys), "provides");
  EXPECT_EQ(did_you_mean("Requires", keys), "requires");
  EXPECT_EQ(did_you_mean("optoins", keys), "options");
}

TEST(DidYouMean, IsSilentWhereNothingIsClose) {
  const std::vector<std::string> keys = {"requires", "provides", "id", ""};
  EXPECT_EQ(did_you_mean("library", keys), "");
  EXPECT_EQ(did_you_mean("x", keys), "") << "a letter is no slip of another word";
  EXPECT_EQ(did_you_mean("ab", keys), "");
  EXPECT_EQ(did_you_mean("anything", std::vector<std::string>{}), "");
}

TEST(DidYouMean, OfEquallyCloseOnesTakesTheFirstByName) {
  EXPECT_EQ(did_you_mean("tile.ad", std::vector<std::string>{"tile.at", "tile.and", "tile.add"}), "tile.add");
  EXPECT_EQ(did_you_mean("tile.ad", std::vector<std::string>{"tile.add", "tile.and", "tile.at"}), "tile.add");
}

TEST(DidYouMean, MeasuresTheParts) {
  const std::vector<std::string> names = {"acme.base", "htp_aie", "acme.base.fast", "Tile.Typed"};
  EXPECT_EQ(did_you_mean("acme.nope", names), "") << "what both begin with makes them no closer";
  EXPECT_EQ(did_you_mean("htp_acme", names), "");
  EXPECT_EQ(did_you_mean("best.base.fast", names), "");
  EXPECT_EQ(did_you_mean("acme.bsae", names), "acme.base");
  EXPECT_EQ(did_you_mean("Tile.Tiped", names), "Tile.Typed");
  EXPECT_EQ(did_you_mean("amce.base.fast", names), "acme.base.fast");
  EXPECT_EQ(did_you_mean("htpaie", names), "htp_aie");
}

TEST(Suggest, OnlyASlipIsMendedUnasked) {
  EXPECT_TRUE(is_slip("provids", "provides", {"provides", "requires"}));
  EXPECT_TRUE(is_slip("porvides", "provides", {"provides"}));
  EXPECT_FALSE(is_slip("prvds", "provides", {"provides"})) << "three letters are off";
  EXPECT_FALSE(is_slip("vide", "side", {"side", "wide"})) << "two are as close";
  EXPECT_FALSE(is_slip("ab", "cb", {"cb"})) << "half of it is off";
  EXPECT_FALSE(is_slip("ab", "", {}));
}

} // namespace
} // namespace htp
