// Layouts against a machine.
#include "htp_cpp/layout/convert.h"

#include "layout/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace htp::layout {
namespace {

const Machine machine{{{"core", 4}, {"lane", 32}}, {{"ub", 4096, 32}}};

TEST(Hardware, TellsWhatDoesNotFit) {
  const auto faults = [&](Fields parts, std::string_view space = "ub", int64_t bytes = 4) {
    std::vector<std::string> texts;
    for (const Fault &f : misfits(layout(std::move(parts)), machine, space, bytes)) texts.push_back(f.what);
    return texts;
  };
  using testing::ElementsAre;
  EXPECT_THAT(faults({.terms = {Term::of(4, 1, "core"), Term::of(1024, 1, "m")}}), ElementsAre());
  EXPECT_THAT(faults({.terms = {Term::of(5, 1, "core"), Term::of(1025, 1, "m")}}),
              ElementsAre("`core` has 4 units, and the layout goes to unit 4",
                          "`ub` has 4096 bytes, and the layout takes 4100"));
  EXPECT_THAT(faults({.terms = {Term::of(4, -1, "core")}, .offset = Point("m", 3)}),
              ElementsAre("`core` begins at -3", "`ub` is aligned to 32 bytes, and the layout begins at byte 12"));
  EXPECT_THAT(faults({.terms = {Term::of(4, 1, "warp")}}, "l1"),
              ElementsAre("the machine has no level `warp`", "the machine has no memory space `l1`"));
  EXPECT_THAT(faults({.terms = {Term::of(2, 1, "m")}, .replicate = {Term::of(33, 1, "lane")}}),
              ElementsAre("`lane` has 32 units, and the layout goes to unit 32"));
}

TEST(Hardware, AgreesWithEnumeration) {
  const Machine small{{{"a", 3}, {"b", 4}, {"i", 6}}, {{"m", 40, 4}}};
  for (size_t n = 0; n < cases(2'000); ++n) {
    Random random(n);
    const Layout l = random_layout(random, 24, false);
    std::map<std::string, std::set<int64_t>> places;
    std::vector<Term> all = l.terms();
    all.insert(all.end(), l.replicate().begin(), l.replicate().end());
    for (const Pending &p : l.pending()) all.push_back(p.term);
    for (const Point &p : places_of(all))
      for (const std::string &axis : axes) places[axis].insert((p + l.offset())[axis]);
    std::set<Fault::Kind> expected, found;
    for (const std::string &axis : axes) {
      if (*places[axis].begin() < 0) expected.insert(Fault::below);
      for (const Level &level : small.levels)
        if (level.name == axis && *places[axis].rbegin() >= level.units) expected.insert(Fault::units);
    }
    if ((*places["m"].rbegin() + 1) * 2 > 40) expected.insert(Fault::capacity);
    if (const int64_t first = *places["m"].begin(); first >= 0 && first * 2 % 4 != 0) expected.insert(Fault::alignment);
    for (const Fault &f : misfits(l, small, "m", 2)) found.insert(f.kind);
    ASSERT_EQ(found, expected) << n;
  }
}

TEST(Hardware, VectorsAndBanks) {
  for (size_t n = 0; n < cases(2'000); ++n) {
    Random random(n);
    const Layout l = random_layout(random, 32);
    const int64_t v = vector_of(l);
    ASSERT_EQ(l.size() % v, 0) << n;
    for (int64_t x = 0; x < l.size(); ++x) {
      ASSERT_EQ(l.at(x), l.at(x - x % v) + Point("m", x % v)) << n;
      ASSERT_EQ(l.at(x - x % v)["m"] % v, 0) << n;
    }
  }
  EXPECT_EQ(vector_of(*row_major({8, 64})), 512);
  EXPECT_EQ(vector_of(*strided({8, 64}, {72, 1})), 8);
  const auto swizzle = swizzled(*row_major({8, 64}), {3, 3, 3});
  EXPECT_EQ(vector_of(*swizzle), 8);
  // Eight rows of one column group: without a swizzle all in one bank, with it in eight.
  const auto column = [&](const Layout &l) { return *slice(l, {8, 64}, {0, 0}, {8, 1}, {1, 1}); };
  EXPECT_EQ(bank_conflicts(column(*row_major({8, 64})), 8, 8, 8), 8);
  EXPECT_EQ(bank_conflicts(column(*swizzle), 8, 8, 8), 1);
}

TEST(Hardware, Levels) {
  const auto l = from_levels({{"core", 4}, {"lane", 8}});
  EXPECT_EQ(*to_levels(*l), (std::vector<Level>{{"core", 4}, {"lane", 8}}));
  EXPECT_EQ(*write_levels(*l), "htp.layouts.levels(core=4, lane=8)");
  EXPECT_EQ(to_levels(*strided({4}, {2})).reason(), "a digit of 4 does not go from unit to unit of one level");
  EXPECT_EQ(to_levels(*strided({4}, {1}, 2)).reason(), "a hierarchy has no copies, no partial values and no offset");
}

} // namespace
} // namespace htp::layout
