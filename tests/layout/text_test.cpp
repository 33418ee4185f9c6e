// Layouts as text: the canonical expression, every notation, and what is wrong with other text.
#include "htp_cpp/layout/convert.h"

#include "layout/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace htp::layout {
namespace {

TEST(Text, IsReadAsItIsWritten) {
  for (size_t n = 0; n < cases(3'000); ++n) {
    Random random(n);
    const auto made = Layout::make(random_parts(random, 32));
    if (!made) continue;
    const auto read_back = read(write(*made));
    ASSERT_TRUE(read_back) << n << write(*made) << read_back.reason();
    ASSERT_EQ(*read_back, *made) << n << write(*made);
  }
  const auto same = [](std::string_view text) {
    const auto l = read(text);
    return l ? write(*l) : l.reason();
  };
  EXPECT_EQ(same("htp.layout(((2, 4, 'm'), (4, 1, 'm'), (1, 9, \"x\")))"), R"(htp.layout(((8, 1, "m"),)))");
  EXPECT_EQ(
      same("layout(((0x10, 1_0, 'm'),), replicate=((2, -1, 'x'),), pending=((3, 1, 'y', 'sum'),), offset={'m': 3, 'x': "
           "0})"),
      R"(htp.layout(((16, 10, "m"),), replicate=((2, 1, "x"),), pending=((3, 1, "y", "sum"),), offset={"m": 3, "x": -1}))");
  EXPECT_EQ(
      same("htp.layout(((4, (1, 3), 'm'), (2, {'x': 1, 'y': 2}), (4, ({'x': 4}, {'x': 12, 'm': 8})), (3, 0, 'z')))"),
      R"(htp.layout(((4, (1, 3), "m"), (2, {"x": 1, "y": 2}), (4, ({"x": 4}, {"m": 8, "x": 12})), (3, 0, "m"))))");
  EXPECT_EQ(same("htp.layout(())"), "htp.layout(())");
}

TEST(Text, ReadsEveryNotation) {
  const auto same = [](std::string_view text) {
    const auto l = read(text);
    return l ? write(*l) : l.reason();
  };
  EXPECT_EQ(same("htp.layouts.strided((4, 8), (16, 1), offset=2)"),
            R"(htp.layout(((4, 16, "m"), (8, 1, "m")), offset={"m": 2}))");
  EXPECT_EQ(same("htp.layouts.ordered((4, 8), (1, 0))"), R"(htp.layout(((4, 1, "m"), (8, 4, "m"))))");
  EXPECT_EQ(same("htp.layouts.packed((4, 4), (2, 2), (0, 1), (0, 1))"),
            R"(htp.layout(((2, 8, "m"), (2, 2, "m"), (2, 4, "m"), (2, 1, "m"))))");
  EXPECT_EQ(same("htp.layouts.cute(((4, 2), 8), ((1, 32), 4))"),
            R"(htp.layout(((2, 32, "m"), (4, 1, "m"), (8, 4, "m"))))");
  EXPECT_EQ(same("htp.layouts.swizzle(htp.layouts.cute((2, 4), (4, 1)), 1, 0, 2)"),
            R"(htp.layout(((8, (1, 2, 5), "m"),)))");
  EXPECT_EQ(same("htp.layouts.linear({'register': ((0, 1),), 'lane': ((1, 0), (0, 0))}, (2, 2))"),
            R"(htp.layout(((2, 1, "lane"), (2, 1, "register")), replicate=((2, 2, "lane"),)))");
  EXPECT_EQ(same("htp.layouts.shard((8, 6), ('x', None), mesh={'x': 4, 'y': 2}, pending={'y': 'sum'})"),
            R"(htp.layout(((4, 1, "x"), (12, 1, "m")), pending=((2, 1, "y", "sum"),)))");
  EXPECT_EQ(
      same(
          "htp.layouts.shard((8, 6), ('x', ('y',)), mesh={'x': 4, 'y': 2}, local=htp.layouts.ordered((2, 3), (1, 0)))"),
      R"(htp.layout(((4, 1, "x"), (2, 1, "m"), (2, 1, "y"), (3, 2, "m"))))");
  EXPECT_EQ(same("htp.layouts.levels(core=4, lane=8)"), R"(htp.layout(((4, 1, "core"), (8, 1, "lane"))))");
}

TEST(Text, SaysWhatIsWrong) {
  const auto reason = [](std::string_view text) { return read(text).reason(); };
  const std::string no_literal = "only literals and calls of constructors stand in a layout";
  EXPECT_EQ(reason("f(x)"), no_literal);
  EXPECT_EQ(reason("layout(((4, 1, 'm'),)"), no_literal);
  EXPECT_EQ(reason("f('a\\n')"), no_literal);
  EXPECT_EQ(reason("f(99999999999999999999)"), no_literal);
  EXPECT_EQ(reason(std::string(300, '(')), no_literal);
  EXPECT_EQ(reason("f(a=1, 2)"), no_literal);
  EXPECT_EQ(reason("(1, 2)"), "a layout is written with a constructor: htp.layout(((64, 64, \"m\"), (64, 1, \"m\")))");
  EXPECT_EQ(reason("htp.space('ub')"), "`htp.space` is no constructor of layouts");
  EXPECT_EQ(reason("htp.layout(((4, 1),))"), "a digit of a layout is (extent, stride, \"axis\")");
  EXPECT_EQ(reason("htp.layout(4)"), "the digits of a layout are a tuple: ((64, 1, \"m\"),)");
  EXPECT_EQ(reason("htp.layout((), axes=4)"), "`layout` has no parameter `axes`");
  EXPECT_EQ(reason("htp.layout((), (), ())"), "only 1 of the 3 arguments of `layout` may be given by position");
  EXPECT_EQ(reason("htp.layout((), offset=3)"), "coordinates are written {\"axis\": number}");
  EXPECT_EQ(reason("htp.layout((), pending=3)"), "what is pending is a tuple: ((4, 1, \"x\", \"sum\"),)");
  EXPECT_EQ(reason("htp.layout((), pending=((2, 1),))"), "what is pending is (extent, stride, \"axis\", \"op\")");
  EXPECT_EQ(reason("htp.layouts.strided((4,), 1)"), "`strides` is a tuple of ints");
  EXPECT_EQ(reason("htp.layouts.strided((4,), (1,), offset='m')"), "`offset` is an int");
  EXPECT_EQ(reason("htp.layouts.ordered((4, 2), (-1, 0))"), "`order` is a tuple of ints");
  EXPECT_EQ(reason("htp.layouts.cute((4, 'm'), (1, 2))"), "`shape` is an int or a tuple of them, nested");
  EXPECT_EQ(reason("htp.layouts.swizzle()"), "`swizzle` has no argument `layout`");
  EXPECT_EQ(reason("htp.layouts.swizzle(htp.layouts.cute(8, 1), 1, 0)"), "`swizzle` has no argument `shift`");
  EXPECT_EQ(
      reason("htp.layouts.linear((), (2,))"),
      "`units` is {\"register\": ((row, column), …), \"lane\": …}: for each bit of a unit the coordinates it moves to");
  EXPECT_EQ(reason("htp.layouts.shard((8,), ('x',))"), "`shard` has no argument `mesh=`");
  EXPECT_EQ(reason("htp.layouts.shard((8,), ('m',), mesh={'m': 4})"), "`m` is memory and no axis of a mesh");
  EXPECT_EQ(reason("htp.layouts.shard((8,), 'x', mesh={'x': 4})"),
            "`cut` says of each dimension the axis it is cut over, a tuple of them, or None");
  EXPECT_EQ(reason("htp.layouts.shard((8,), ('x',), mesh={'x': 4}, pending=1)"),
            "`pending` is {\"x\": \"sum\"}: the axes of partial values, and how they are combined");
  EXPECT_EQ(reason("htp.layouts.levels(4)"), "only 0 of the 1 arguments of `levels` may be given by position");
}

} // namespace
} // namespace htp::layout
