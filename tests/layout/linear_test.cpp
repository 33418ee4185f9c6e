// Linear layouts over F2, as Triton writes them, against what each unit holds.
#include "htp_cpp/layout/convert.h"

#include "layout/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace htp::layout {
namespace {

using testing::HasSubstr;

TEST(LinearLayout, PutsEveryElementWhereItsBasesDo) {
  size_t made = 0;
  for (size_t n = 0; n < cases(1'000); ++n) {
    Random random(n);
    Linear l{{{"a", {}}, {"b", {}}, {"m", {}}}, {int64_t{1} << random(0, 3), int64_t{1} << random(0, 3)}};
    // A basis for each bit of the tensor, some of them mixed, some units with copies.
    std::vector<std::vector<int64_t>> bases;
    for (size_t d = 0; d < 2; ++d)
      for (int64_t k = 1; k < l.shape[d]; k *= 2)
        bases.push_back(d == 0 ? std::vector<int64_t>{k, 0} : std::vector<int64_t>{0, k});
    random.shuffle(bases);
    for (auto mix = random(0, 3); mix > 0 && bases.size() > 1; --mix) {
      auto &into = bases[static_cast<size_t>(random(1, static_cast<int64_t>(bases.size()) - 1))];
      into = {into[0] ^ bases[0][0], into[1] ^ bases[0][1]};
    }
    if (random.once_in(20) && !bases.empty()) bases.pop_back();
    for (auto copies = random(0, 2); copies > 0; --copies)
      bases.insert(bases.begin() + random(0, static_cast<int64_t>(bases.size())), {0, 0});
    for (const auto &basis : bases) l.units[static_cast<size_t>(random(0, 2))].bases.push_back(basis);
    const auto core = from_linear(l);
    // By enumeration: what each unit holds.
    std::map<int64_t, std::set<Place>> held;
    const int64_t bits = static_cast<int64_t>(bases.size());
    for (int64_t word = 0; word < int64_t{1} << bits; ++word) {
      int64_t rest = word, row = 0, column = 0;
      Point unit;
      for (const auto &u : l.units)
        for (size_t k = 0; k < u.bases.size(); ++k, rest >>= 1)
          if (rest & 1) unit.add(u.name, int64_t{1} << k), row ^= u.bases[k][0], column ^= u.bases[k][1];
      held[row * l.shape[1] + column].insert(place_of(unit));
    }
    if (static_cast<int64_t>(held.size()) < product_of(l.shape)) {
      ASSERT_THAT(core.reason(), HasSubstr("no unit holds the element")) << n;
      continue;
    }
    ASSERT_TRUE(core) << n << core.reason();
    ++made;
    const std::vector<Point> copies = places_of(core->replicate());
    const std::vector<Point> places = places_of(core->terms());
    for (int64_t x = 0; x < core->size(); ++x) {
      std::set<Place> at;
      for (const Point &copy : copies) at.insert(place_of(places[static_cast<size_t>(x)] + copy + core->offset()));
      ASSERT_EQ(at, held[x]) << n;
    }
    const auto back = to_linear(*core, l.shape, {"a", "b", "m"});
    ASSERT_TRUE(back) << n << back.reason();
    ASSERT_EQ(*back, l) << n;
    ASSERT_EQ(*read(*write_linear(*core, l.shape, {"a", "b", "m"})), *core) << n;
  }
  EXPECT_GT(made, cases(1'000) / 2);
}

TEST(LinearLayout, SaysWhyNot) {
  EXPECT_EQ(from_linear({{{"lane", {{1}}}}, {6}}).reason(),
            "an extent of 6 is no power of two, and so not linear over F2");
  EXPECT_EQ(from_linear({{{"lane", {{1, 0}}}}, {2, 2}}).reason(), "no unit holds the element (0, 1)");
  EXPECT_EQ(from_linear({{{"lane", {{1}}}, {"warp", {{1}}}}, {2}}).reason(),
            "warp 1 holds what other units hold, and not as a copy of its own: its basis is made of theirs");
  EXPECT_EQ(from_linear({{{"lane", {{2}}}}, {2}}).reason(), "lane 1 moves to 2 in a dimension of 2");
  EXPECT_EQ(from_linear({{{"lane", {{1, 0}}}}, {2}}).reason(), "lane 1 has not one coordinate for each dimension");
  EXPECT_EQ(to_linear(*row_major({6}), {6}, {"m"}).reason(),
            "an extent of 6 is no power of two, and so not linear over F2");
  EXPECT_EQ(to_linear(*strided({4, 4}, {3, 1}), {4, 4}, {"m"}).reason(),
            "steps whose bits meet carry, which is not linear over F2");
  EXPECT_EQ(to_linear(*strided({4, 4}, {8, 1}), {4, 4}, {"m"}).reason(), "nothing lies at m 4");
  EXPECT_EQ(to_linear(*row_major({4}), {4}, {"lane"}).reason(), "the axis \"m\" is no unit");
  EXPECT_EQ(to_linear(*strided({4}, {1}, 4), {4}, {"m"}).reason(), "a linear layout over F2 has no offset");
  EXPECT_EQ(
      to_linear(layout({.terms = {Term::of(4, 1, "m")}, .pending = {{"sum", Term::of(2, 1, "x")}}}), {4}, {"m", "x"})
          .reason(),
      "a linear layout over F2 has no partial values");
}

} // namespace
} // namespace htp::layout
