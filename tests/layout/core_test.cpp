// The canonical form: the same for what means the same, another for what does not.
#include "layout/oracle.h"

#include <gtest/gtest.h>

namespace htp::layout {
namespace {

TEST(Canonical, IsTheSameExactlyForTheSameMeaning) {
  std::map<Meaning, Layout> by_meaning;
  size_t again = 0;
  for (size_t n = 0; n < cases(6'000); ++n) {
    Random random(n);
    const Fields parts = random_parts(random, random.once_in(3) ? 4 : 12);
    const auto meaning = meaning_of(parts);
    const auto made = Layout::make(parts);
    ASSERT_EQ(made ? "" : made.reason(), meaning ? "" : "two copies of one element have one position") << n;
    if (!meaning) continue;
    ASSERT_EQ(meaning_of(made->fields()), meaning) << n;  // it means what it was made of
    ASSERT_EQ(*Layout::make(made->fields()), *made) << n; // it stays
    const auto [found, added] = by_meaning.emplace(*meaning, *made);
    ASSERT_EQ(found->second, *made) << n;
    again += !added;
  }
  EXPECT_GT(again, by_meaning.size() / 10); // many were met twice
}

// Another way to say it: digits cut in two, bits said as exclusive ors, extents of 1, copies in another order.
Fields said_otherwise(Random &random, Fields parts) {
  std::vector<Term> terms;
  for (const Term &t : parts.terms) {
    if (random.once_in(5)) terms.push_back({1, {random_step(random, -5, 5)}});
    const auto divisor = random(1, t.extent);
    if (!t.is_xor() && t.extent % divisor == 0) {
      terms.push_back({t.extent / divisor, {t.steps[0] * divisor}});
      terms.push_back({divisor, t.steps});
    } else if (!t.is_xor() && t.extent == 4 && !t.steps[0].negative() && apart(t.steps[0], t.steps[0] * 2)) {
      terms.push_back({4, {t.steps[0], t.steps[0] * 2}});
    } else {
      terms.push_back(t);
    }
  }
  parts.terms = std::move(terms);
  for (Term &t : parts.replicate)
    if (random.once_in(2)) {
      parts.offset = parts.offset + t.steps[0] * (t.extent - 1);
      t.steps[0] = -t.steps[0];
    }
  random.shuffle(parts.replicate);
  return parts;
}

TEST(Canonical, DoesNotDependOnHowItIsSaid) {
  for (size_t n = 0; n < cases(4'000); ++n) {
    Random random(n);
    const Fields parts = random_parts(random, 24);
    const auto made = Layout::make(parts);
    if (!made) continue;
    ASSERT_EQ(*Layout::make(said_otherwise(random, parts)), *made) << n;
  }
}

TEST(Canonical, EverySmallLayoutHasOneForm) {
  // All rows of up to three digits with small steps, on one axis: nothing is left out that chance might miss.
  std::map<std::vector<int64_t>, Layout> by_places;
  std::vector<Term> digits;
  for (int64_t extent = 2; extent <= 4; ++extent)
    for (int64_t step = -1; step <= 6; ++step) digits.push_back(Term::of(extent, step, "m"));
  for (int64_t a = 0; a < 8; ++a)
    for (int64_t b = 0; b < 8; ++b) digits.push_back({4, {Point("m", a), Point("m", b)}});
  const auto check = [&](std::vector<Term> terms) {
    std::vector<int64_t> places;
    for (const Point &p : places_of(terms)) places.push_back(p["m"]);
    const Layout made = layout({.terms = std::move(terms)});
    ASSERT_EQ(by_places.emplace(places, made).first->second, made);
  };
  for (const Term &a : digits) {
    check({a});
    for (const Term &b : digits) {
      check({a, b});
      for (size_t c = 0; c<digits.size(); c += cases(8)> 8 ? 1 : 8) check({a, b, digits[c]});
    }
  }
}

TEST(Canonical, CopiesHaveOneForm) {
  // Two ways to say {0, 2, 3, …, 11, 13}: only the pairing of steps and ends tells them apart.
  const auto one = Layout::make({.replicate = {Term::of(3, 2, "x"), Term::of(4, 3, "x")}});
  const auto other = Layout::make({.replicate = {Term::of(6, 2, "x"), Term::of(2, 3, "x")}});
  ASSERT_TRUE(one && other);
  EXPECT_EQ(*one, *other);
}

TEST(Canonical, RefusesWhatIsNoLayout) {
  const auto reason = [](Fields parts) { return Layout::make(std::move(parts)).reason(); };
  EXPECT_EQ(reason({.terms = {Term::of(0, 1, "m")}}), "an extent is at least 1, not 0");
  EXPECT_EQ(reason({.replicate = {Term::of(2, 1, "x"), Term::of(2, 1, "x")}}),
            "two copies of one element have one position");
  EXPECT_EQ(reason({.replicate = {Term::of(2, 0, "x")}}), "two copies of one element have one position");
  EXPECT_EQ(reason({.terms = {{4, {Point("m", -1), Point("m", 2)}}}}),
            "steps that are combined bit by bit are not negative");
  EXPECT_EQ(reason({.terms = {{8, {Point("m", 1), Point("m", 2)}}}}),
            "an extent of 8 with 2 steps: there is one step for each bit");
  EXPECT_EQ(reason({.terms = {{2, {}}}}), "a digit has a step");
  EXPECT_EQ(reason({.replicate = {{4, {Point("m", 1), Point("m", 3)}}}}),
            "copies lie at regular distances, not at exclusive ors");
  EXPECT_EQ(reason({.terms = {Term::of(int64_t{1} << 40, 1, "m"), Term::of(int64_t{1} << 40, 1, "m")}}),
            "the layout reaches further than whole numbers go");
  EXPECT_EQ(reason({.replicate = {Term::of(1 << 10, 5, "x"), Term::of(1 << 10, 3, "x")}}),
            "more than 65536 copies whose positions overlap are not distinguished");
}

TEST(Layout, SaysWhereElementsLie) {
  const Layout l = layout({.terms = {Term::of(4, 1, "core"), Term::of(8, 16, "m")}, .offset = Point("m", 3)});
  EXPECT_EQ(l.size(), 32);
  EXPECT_EQ(l.at(0), Point("m", 3));
  EXPECT_EQ(l.at(9), Point({{"core", 1}, {"m", 19}}));
}

} // namespace
} // namespace htp::layout
