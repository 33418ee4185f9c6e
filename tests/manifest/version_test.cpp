#include "tests/manifest/support.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

Version version(std::string_view text) { return *Version::parse(text); }

TEST(Version, IsDottedIntegers) {
  EXPECT_EQ(version("1.2.10").text(), "1.2.10");
  EXPECT_EQ(version("0").text(), "0");
  EXPECT_EQ(version("4294967295").text(), "4294967295");
  for (const char *bad : {"", ".", "1.", ".1", "1..2", "01", "1.00", "v1", "1.2-beta", "-1", "+1", " 1", "1 ",
                          "4294967296", "1.2.3.4.5.6.7.8.9"})
    EXPECT_FALSE(Version::parse(bad)) << bad;
}

TEST(Version, ComparesByNumberAndWithoutTrailingZeros) {
  EXPECT_EQ(version("1.2"), version("1.2.0"));
  EXPECT_LT(version("1.9"), version("1.10"));
  EXPECT_LT(version("1"), version("1.0.1"));
  EXPECT_GT(version("2"), version("1.99.99"));
}

TEST(VersionRange, HoldsWhenAllComparatorsHold) {
  const auto range = [](std::string_view text) {
    Diagnostics diagnostics;
    return *parse_range(text, {}, diagnostics);
  };
  EXPECT_TRUE(VersionRange().contains(version("7")));
  EXPECT_TRUE(range(">=1.2,<2").contains(version("1.2")));
  EXPECT_TRUE(range(">=1.2,<2").contains(version("1.99")));
  EXPECT_FALSE(range(">=1.2,<2").contains(version("2.0")));
  EXPECT_FALSE(range(">=1.2,<2").contains(version("1.1.9")));
  EXPECT_TRUE(range("==1.4").contains(version("1.4.0")));
  EXPECT_FALSE(range(">1.4").contains(version("1.4.0")));
  EXPECT_TRUE(range("<=1.4").contains(version("1.4.0")));
  EXPECT_EQ(range(" >= 1.2 , <2").text(), ">=1.2,<2");
  EXPECT_EQ(range(">1,<=2,==1.5").text(), ">1,<=2,==1.5");
}

} // namespace
} // namespace htp
