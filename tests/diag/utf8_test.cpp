#include "host/diag/utf8.h"

#include <gtest/gtest.h>

namespace htp {
namespace {

TEST(Utf8, KnowsWellFormedText) {
  EXPECT_TRUE(is_utf8("plain"));
  EXPECT_TRUE(is_utf8("é € 漢 😀"));
  for (const std::string bad :
       {"\x80", "\xC0\xAF", "\xC3", "\xE0\x80\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF", "\xE2\x82"}) {
    size_t at = 99;
    EXPECT_FALSE(is_utf8("ab" + bad, &at));
    EXPECT_EQ(at, 2u);
  }
}

TEST(Utf8, GoesThroughCodePointsAndBack) {
  for (const std::string text : {"a", "é", "€", "漢", "😀", "\U0010FFFF"}) {
    std::string_view rest = text;
    std::string again;
    append_code_point(again, take_code_point(rest));
    EXPECT_TRUE(rest.empty());
    EXPECT_EQ(again, text);
  }
  EXPECT_EQ(count_code_points("é€漢😀\xFF!"), 6u);
}

TEST(Utf8, KnowsHowWideTerminalsDraw) {
  EXPECT_EQ(display_width(U'a'), 1u);
  EXPECT_EQ(display_width(U'é'), 1u);
  EXPECT_EQ(display_width(U'漢'), 2u);
  EXPECT_EQ(display_width(U'😀'), 2u);
  EXPECT_EQ(display_width(U'\u2705'), 2u) << "wide, and its neighbours are not";
  EXPECT_EQ(display_width(U'\u2706'), 1u);
  EXPECT_EQ(display_width(U'\uFF60'), 2u) << "the last fullwidth form";
  EXPECT_EQ(display_width(U'\uFF61'), 1u);
  EXPECT_EQ(display_width(U'\u0301'), 0u) << "a combining accent";
  EXPECT_EQ(display_width(U'\u200B'), 0u);
  EXPECT_EQ(display_width(U'…'), 1u);
}

TEST(Utf8, SendsNoControlsToTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31mb"), "a␛[31mb");
  EXPECT_EQ(printable("a\tb\nc\x7f"), "a b␊c␡");
  EXPECT_EQ(printable("a\nb", true), "a\nb");
  EXPECT_EQ(printable("x\u202Ey"), "x\uFFFDy") << "text does not change its direction";
  EXPECT_EQ(printable("\xC3("), "\uFFFD(");
}

} // namespace
} // namespace htp
