// compose, invert, product, slice and permute against enumeration.
#include "htp_cpp/layout/algebra.h"

#include "layout/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace htp::layout {
namespace {

// Where each element lies, with all its copies and parts.
std::vector<std::set<Place>> images(const Layout &l) {
  std::vector<Term> all = l.replicate();
  for (const Pending &p : l.pending()) all.push_back(p.term);
  const std::vector<Point> copies = places_of(all);
  std::vector<std::set<Place>> result;
  for (const Point &p : places_of(l.terms())) {
    result.emplace_back();
    for (const Point &copy : copies) result.back().insert(place_of(p + copy + l.offset()));
  }
  return result;
}
std::vector<std::set<Place>> picked(const std::vector<std::set<Place>> &of, const std::vector<size_t> &indices) {
  std::vector<std::set<Place>> result;
  for (const size_t k : indices) result.push_back(of[k]);
  return result;
}
// The row-major indices of a shape, for coordinates.
size_t index_of(const std::vector<int64_t> &shape, const std::vector<int64_t> &at) {
  int64_t index = 0;
  for (size_t k = 0; k < shape.size(); ++k) index = index * shape[k] + at[k];
  return static_cast<size_t>(index);
}
// A shape with the layout's number of elements.
std::vector<int64_t> shape_for(Random &random, int64_t size) {
  std::vector<int64_t> shape;
  while (shape.size() < 3) {
    int64_t extent = random(1, size);
    while (size % extent != 0) --extent;
    shape.push_back(extent);
    size /= extent;
    if (size == 1 && random.once_in(2)) break;
  }
  shape.push_back(size);
  return shape;
}

TEST(Recognise, FindsTheDigitsOfEveryLayoutAndOfNothingElse) {
  size_t none = 0;
  for (size_t n = 0; n < cases(1'000); ++n) {
    Random random(n);
    const Layout l = random_layout(random, 36);
    std::vector<Point> f;
    for (int64_t x = 0; x < l.size(); ++x) f.push_back(l.at(x) - l.at(0));
    const auto found = recognise(f);
    ASSERT_TRUE(found) << n;
    ASSERT_EQ(*found, l.terms()) << n;
    // One value changed: what is found then, if anything, has it.
    if (f.size() < 3) continue;
    Point &changed = f[static_cast<size_t>(random(1, l.size() - 1))];
    changed.add(random.of(axes), random(1, 3));
    const auto other = recognise(f);
    none += !other;
    if (!other) continue;
    const Layout again = layout({.terms = *other});
    for (int64_t x = 0; x < again.size(); ++x) ASSERT_EQ(again.at(x), f[static_cast<size_t>(x)]) << n;
  }
  EXPECT_GT(none, 50U);
}

TEST(Compose, IsOneAfterTheOther) {
  size_t made = 0, refused = 0;
  for (size_t n = 0; n < cases(1'500); ++n) {
    Random random(n);
    const Layout a = random_layout(random, 48, random.once_in(2));
    // b goes about a's indices, aligned to its digits more often than not.
    Fields parts;
    int64_t room = a.size();
    for (auto k = random(1, 3); k > 0; --k) {
      int64_t step = random(1, room);
      if (!random.once_in(4))
        while (a.size() % step != 0) --step;
      Term t = Term::of(random(1, 4), random.once_in(8) ? -step : step, index_axis);
      if (random.once_in(8)) t = {4, {Point(index_axis, random(0, 7)), Point(index_axis, random(0, 7))}};
      (random.once_in(10) && !t.is_xor() ? parts.replicate : parts.terms).push_back(t);
    }
    parts.offset = Point(index_axis, random(0, std::max<int64_t>(0, room / 3)));
    const auto b = Layout::make(parts);
    if (!b) continue;
    const auto composed = compose(a, *b);
    const auto indices = images(*b);
    bool inside = true;
    for (const auto &image : indices)
      for (const Place &p : image) inside &= p[2] >= 0 && p[2] < a.size();
    if (!inside) {
      ASSERT_FALSE(composed) << n;
      ASSERT_THAT(composed.reason(), testing::HasSubstr("is outside a layout of " + std::to_string(a.size())));
      continue;
    }
    (composed ? made : refused)++;
    if (!composed) {
      // Without copies what is refused has no digits.
      if (!b->replicate().empty()) continue;
      std::vector<Point> f;
      for (int64_t x = 0; x < b->size(); ++x) f.push_back(a.at(b->at(x)[index_axis]) - a.at(b->at(0)[index_axis]));
      ASSERT_FALSE(recognise(f)) << n << composed.reason();
      continue;
    }
    const auto of_a = images(a);
    std::vector<std::set<Place>> expected;
    for (const auto &image : indices) {
      expected.emplace_back();
      for (const Place &p : image)
        expected.back().insert(of_a[static_cast<size_t>(p[2])].begin(), of_a[static_cast<size_t>(p[2])].end());
    }
    ASSERT_EQ(images(*composed), expected) << n;
  }
  EXPECT_GT(made, refused);
}

TEST(Compose, OfWholeSwizzlesAndOddExtents) {
  // 3 batches of 8 rows of 64, swizzled: a half of the rows of one batch.
  const Layout swizzled =
      layout({.terms = {Term::of(3, 512, "m"),
                        {512,
                         {Point("m", 1), Point("m", 2), Point("m", 4), Point("m", 8), Point("m", 16), Point("m", 32),
                          Point("m", 64 ^ 8), Point("m", 128 ^ 16), Point("m", 256 ^ 32)}}}});
  const auto half = slice(swizzled, {3, 8, 64}, {1, 0, 0}, {1, 8, 64}, {1, 1, 1});
  ASSERT_TRUE(half) << half.reason();
  EXPECT_EQ(half->at(64), Point("m", 512 + (64 ^ 8)));
  EXPECT_EQ(compose(swizzled, layout({.terms = {Term::of(2, 1, "m")}})).reason(),
            "the inner layout gives no indices: those are on the axis \"i\"");
  EXPECT_EQ(compose(swizzled, layout({.terms = {Term::of(4, 512, "i")}})).reason(),
            "the index 1536 is outside a layout of 1536");
  EXPECT_EQ(compose(swizzled, layout({.pending = {{"sum", Term::of(2, 1, "i")}}})).reason(),
            "partial values have no index");
  const Layout rows = layout({.terms = {Term::of(int64_t{1} << 20, 4, "m"), Term::of(3, 1, "m")}});
  EXPECT_EQ(compose(rows, layout({.terms = {Term::of(int64_t{1} << 20, 2, "i")}})).reason(),
            "1048576 steps of 2 do not fit a digit of 3 that starts at 1");
  EXPECT_EQ(compose(rows, layout({.terms = {Term::of(int64_t{1} << 18, 3, "i"), Term::of(3, 1, "i")},
                                  .offset = Point("i", 1)}))
                .reason(),
            "steps meet in a digit of 3 and reach 3 in it");
}

TEST(Slice, TakesAPart) {
  size_t made = 0;
  for (size_t n = 0; n < cases(1'000); ++n) {
    Random random(n);
    const Layout l = random_layout(random, 48, false);
    const auto shape = shape_for(random, l.size());
    std::vector<int64_t> starts, extents, steps;
    for (const int64_t extent : shape) {
      int64_t take = random(1, extent);
      if (random.once_in(2))
        while (extent % take != 0) --take;
      const int64_t step = take == 1 ? 1 : random(1, (extent - 1) / (take - 1));
      extents.push_back(take);
      steps.push_back(step);
      const int64_t last = extent - 1 - step * (take - 1);
      starts.push_back(random.once_in(2) ? 0 : random(0, last) / take * take);
    }
    const auto part = slice(l, shape, starts, extents, steps);
    std::vector<size_t> indices;
    for (auto at : coordinates(extents)) {
      for (size_t k = 0; k < at.size(); ++k) at[k] = starts[k] + steps[k] * at[k];
      indices.push_back(index_of(shape, at));
    }
    if (part) {
      ASSERT_EQ(images(*part), picked(images(l), indices)) << n;
    }
    made += bool(part);
  }
  EXPECT_GT(made, cases(1'000) / 2);
  const Layout l = layout({.terms = {Term::of(6, 1, "m")}});
  EXPECT_EQ(slice(l, {2, 3}, {0, 2}, {1, 2}, {1, 1}).reason(), "dimension 1 of 3 has no indices from 2 to 3");
  EXPECT_EQ(slice(l, {2, 4}, {0, 0}, {1, 1}, {1, 1}).reason(), "a layout of 6 elements has not this shape");
}

TEST(Permute, ChangesPlacesOfDimensions) {
  for (size_t n = 0; n < cases(1'000); ++n) {
    Random random(n);
    const Layout l = random_layout(random, 48, false);
    const auto shape = shape_for(random, l.size());
    std::vector<size_t> order(shape.size());
    std::iota(order.begin(), order.end(), size_t{0});
    random.shuffle(order);
    const auto turned = permute(l, shape, order);
    if (!turned) continue;
    std::vector<int64_t> to;
    for (const size_t k : order) to.push_back(shape[k]);
    std::vector<size_t> indices;
    for (const auto &at : coordinates(to)) {
      std::vector<int64_t> from(at.size());
      for (size_t k = 0; k < order.size(); ++k) from[order[k]] = at[k];
      indices.push_back(index_of(shape, from));
    }
    ASSERT_EQ(images(*turned), picked(images(l), indices)) << n;
    std::vector<size_t> back(order.size());
    for (size_t k = 0; k < order.size(); ++k) back[order[k]] = k;
    ASSERT_EQ(*permute(*turned, to, back), l) << n;
  }
  EXPECT_EQ(permute(layout({.terms = {Term::of(6, 1, "m")}}), {2, 3}, {0, 0}).reason(),
            "an order names each dimension of the layout's shape once");
}

TEST(Product, IsALayoutOfLayouts) {
  size_t made = 0;
  for (size_t n = 0; n < cases(1'000); ++n) {
    Random random(n);
    const Layout outer = random_layout(random, 12, random.once_in(2)),
                 inner = random_layout(random, 12, random.once_in(2));
    const auto both = product(outer, inner);
    if (!both) continue;
    ++made;
    std::vector<std::set<Place>> expected;
    for (const auto &o : images(outer))
      for (const auto &i : images(inner)) {
        expected.emplace_back();
        for (const Place &p : o)
          for (const Place &q : i) {
            Place sum = q;
            for (size_t k = 0; k < axes.size(); ++k) sum[k] += p[k] * span_of(inner, axes[k]);
            expected.back().insert(sum);
          }
      }
    ASSERT_EQ(images(*both), expected) << n;
    // The spans are what enumeration says.
    for (const std::string &axis : axes) {
      std::set<int64_t> at;
      std::vector<Term> all = inner.terms();
      all.insert(all.end(), inner.replicate().begin(), inner.replicate().end());
      for (const Pending &p : inner.pending()) all.push_back(p.term);
      for (const Point &p : places_of(all)) at.insert(p[axis]);
      ASSERT_EQ(span_of(inner, axis), *at.rbegin() - *at.begin() + 1) << n;
    }
  }
  EXPECT_GT(made, cases(1'000) / 3);
}

TEST(Product, DimensionByDimension) {
  for (size_t n = 0; n < cases(1'000); ++n) {
    Random random(n);
    const Layout outer = random_layout(random, 12), inner = random_layout(random, 12);
    const auto so = shape_for(random, outer.size());
    std::vector<int64_t> si(so.size(), 1);
    si[static_cast<size_t>(random(0, static_cast<int64_t>(so.size()) - 1))] = inner.size();
    const auto tiled = blocked(outer, so, inner, si);
    if (!tiled) continue;
    std::vector<int64_t> shape;
    for (size_t k = 0; k < so.size(); ++k) shape.push_back(so[k] * si[k]);
    const auto whole = product(outer, inner);
    for (const auto &at : coordinates(shape)) {
      std::vector<int64_t> o, i;
      for (size_t k = 0; k < at.size(); ++k) o.push_back(at[k] / si[k]), i.push_back(at[k] % si[k]);
      ASSERT_EQ(tiled->at(static_cast<int64_t>(index_of(shape, at))),
                whole->at(static_cast<int64_t>(index_of(so, o)) * inner.size() + static_cast<int64_t>(index_of(si, i))))
          << n;
    }
  }
}

TEST(Invert, LeadsBackFromEveryPlace) {
  size_t made = 0;
  for (size_t n = 0; n < cases(1'500); ++n) {
    Random random(n);
    // Digits and copies that fill two axes, in any order; sometimes with a hole or a swizzle.
    Fields parts;
    std::map<std::string, int64_t> span{{"a", 1}, {"m", 1}};
    for (auto k = random(1, 4); k > 0; --k) {
      const std::string axis = random.once_in(2) ? "a" : "m";
      const int64_t extent = random.once_in(3) ? 3 : 2;
      const int64_t step = span[axis] * (random.once_in(12) ? 2 : 1);
      const Term t = Term::of(extent, random.once_in(6) ? -step : step, axis);
      (random.once_in(5) ? parts.replicate : parts.terms).push_back(t);
      span[axis] *= extent;
    }
    random.shuffle(parts.terms);
    if (random.once_in(2)) parts.offset = Point("m", random(-2, 5));
    auto made_of = Layout::make(parts);
    if (!made_of) continue;
    Layout l = *made_of;
    if (random.once_in(3) && l.plain() && power_of_two(l.size()) && l.size() >= 4) {
      // Any linear layout over F2: invertible or not.
      Term t{l.size(), {}};
      for (int64_t k = 1; k < l.size(); k *= 2)
        t.steps.push_back(Point({{"m", random(0, l.size() - 1)}, {"a", random.once_in(3) ? 1 : 0}}));
      l = layout({.terms = {t}});
    }
    const auto inverse = invert(l, {"a", "m"});
    // By enumeration: one element in each place of a box that begins at the lowest.
    std::map<std::vector<int64_t>, std::set<int64_t>> holds;
    const auto all = images(l);
    int64_t low_a = INT64_MAX, low_m = INT64_MAX, high_a = INT64_MIN, high_m = INT64_MIN;
    for (size_t x = 0; x < all.size(); ++x)
      for (const Place &p : all[x]) {
        holds[{p[0], p[3]}].insert(static_cast<int64_t>(x));
        low_a = std::min(low_a, p[0]), high_a = std::max(high_a, p[0]);
        low_m = std::min(low_m, p[3]), high_m = std::max(high_m, p[3]);
      }
    bool exact = static_cast<int64_t>(holds.size()) == (high_a - low_a + 1) * (high_m - low_m + 1);
    for (const auto &[place, elements] : holds) exact &= elements.size() == 1;
    if (!inverse) {
      if (exact) {
        ASSERT_FALSE(l.replicate().empty() && std::ranges::none_of(l.terms(), &Term::is_xor)) << n << inverse.reason();
      }
      continue;
    }
    ++made;
    ASSERT_TRUE(exact) << n;
    ASSERT_EQ(inverse->space, (Space{{"a", high_a - low_a + 1}, {"m", high_m - low_m + 1}})) << n;
    int64_t at = 0;
    for (int64_t a = low_a; a <= high_a; ++a)
      for (int64_t m = low_m; m <= high_m; ++m)
        ASSERT_EQ(inverse->layout.at(at++), Point(index_axis, *holds[{a, m}].begin())) << n;
  }
  EXPECT_GT(made, cases(1'500) / 4);
  const auto reason = [](Fields parts) { return invert(layout(std::move(parts)), {"m"}).reason(); };
  EXPECT_EQ(reason({.terms = {Term::of(2, 3, "m"), Term::of(2, 1, "m")}}), "nothing lies at 2 on \"m\"");
  EXPECT_EQ(reason({.terms = {Term::of(3, 1, "m"), Term::of(2, 1, "m")}}), "two elements lie at 1 on \"m\"");
  EXPECT_EQ(reason({.terms = {Term::of(2, 1, "lane")}}), "the axis \"lane\" is none of the inverse");
  EXPECT_EQ(reason({.terms = {Term::of(3, 0, "m"), Term::of(2, 1, "m")}}), "3 elements have one position");
  EXPECT_EQ(reason({.terms = {{4, {Point("m", 1), Point("m", 5)}}}}), "nothing lies at m 2");
  EXPECT_EQ(reason({.terms = {{8, {Point("m", 1), Point("m", 3), Point("m", 2)}}}}),
            "two elements have one position: the index bit 2 moves to where others do");
  EXPECT_EQ(reason({.pending = {{"sum", Term::of(2, 1, "m")}}}),
            "what has a position is a partial value of an element");
}

} // namespace
} // namespace htp::layout
