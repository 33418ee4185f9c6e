// Strides, orders, blocks and CuTe's shape:stride with swizzles, against what each notation says of every element.
#include "htp_cpp/layout/array.h"
#include "htp_cpp/layout/convert.h"

#include "layout/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace htp::layout {
namespace {

using testing::HasSubstr;

// CuTe's definition: a mode's coordinate goes into its first number modulo that, the rest on to the others.
int64_t size_of(const Nest &shape) {
  int64_t n = shape.tuple ? 1 : shape.value;
  for (const Nest &item : shape.items) n *= size_of(item);
  return n;
}
int64_t address(const Nest &shape, const Nest &stride, int64_t at) {
  if (!shape.tuple) return at * stride.value;
  int64_t sum = 0;
  for (size_t k = 0; k < shape.items.size(); ++k) {
    sum += address(shape.items[k], stride.items[k], at % size_of(shape.items[k]));
    at /= size_of(shape.items[k]);
  }
  return sum;
}
int64_t swizzled_by_cute(const Swizzle &s, int64_t a) { // cute/swizzle.hpp
  const int64_t mask = (int64_t{1} << s.bits) - 1;
  const int64_t yyy = mask << (s.base + std::max<int64_t>(0, s.shift));
  return a ^ (s.shift >= 0 ? (a & yyy) >> s.shift : (a & yyy) << -s.shift);
}
Nest random_mode(Random &random, Nest &stride, int depth) {
  if (depth == 0 || random.once_in(2)) {
    stride = Nest::of(random.once_in(3) ? random(0, 9) : int64_t{1} << random(0, 5));
    return Nest::of(random.once_in(3) ? 3 : int64_t{1} << random(0, 2));
  }
  std::vector<Nest> shape, strides;
  for (auto n = random(1, 2); n > 0; --n) {
    Nest inner;
    shape.push_back(random_mode(random, inner, depth - 1));
    strides.push_back(inner);
  }
  stride = Nest::of(std::move(strides));
  return Nest::of(std::move(shape));
}

TEST(Cute, MeansWhatCuteSays) {
  size_t back = 0, swizzled = 0;
  for (size_t n = 0; n < cases(3'000); ++n) {
    Random random(n);
    Cute c{Nest::of(std::vector<Nest>{}), Nest::of(std::vector<Nest>{})};
    std::vector<int64_t> shape;
    for (auto modes = random(1, 3); modes > 0; --modes) {
      Nest stride;
      c.shape.items.push_back(random_mode(random, stride, 2));
      c.stride.items.push_back(stride);
      shape.push_back(size_of(c.shape.items.back()));
    }
    if (product_of(shape) > 256) continue;
    if (random.once_in(4)) c.offset = random(0, 70);
    if (random.once_in(2)) {
      const auto bits = random(1, 2);
      c.swizzle = {bits, random(0, 2), random(bits, 3) * (random.once_in(4) ? -1 : 1)};
    }
    const auto l = from_cute(c);
    if (!l) {
      ASSERT_NE(c.swizzle.bits, 0) << n << l.reason(); // all but some swizzles has a layout
      continue;
    }
    swizzled += c.swizzle.bits != 0;
    int64_t index = 0;
    for (const auto &at : coordinates(shape)) {
      int64_t sum = c.offset;
      for (size_t k = 0; k < at.size(); ++k) sum += address(c.shape.items[k], c.stride.items[k], at[k]);
      ASSERT_EQ(l->at(index++), Point("m", swizzled_by_cute(c.swizzle, sum))) << n;
    }
    const auto again = to_cute(*l, shape);
    if (!again) {
      // A digit that was merged over the end of a dimension, or a swizzle over dimensions.
      ASSERT_THAT(again.reason(),
                  testing::AnyOf(HasSubstr("lies across the end of dimension"), HasSubstr("no one swizzle")))
          << n;
      continue;
    }
    ++back;
    ASSERT_EQ(*from_cute(*again), *l) << n;
    ASSERT_EQ(*read(*write_cute(*l, shape)), *l) << n;
  }
  EXPECT_GT(back, cases(3'000) / 2);
  EXPECT_GT(swizzled, cases(3'000) / 20);
}

TEST(Cute, IsFoundAgain) {
  // Every swizzle of a tile of rows of 64, in steps of 8: the one it was made with, and 8 × 64 strides.
  for (int64_t bits = 1; bits <= 3; ++bits)
    for (int64_t base = 0; base + bits <= 6; ++base) {
      const Swizzle s{bits, base, 6 - base};
      const auto l = swizzled(*row_major({8, 64}), s);
      ASSERT_TRUE(l) << l.reason();
      const auto found = to_cute(*l, {8, 64});
      ASSERT_TRUE(found) << found.reason();
      EXPECT_EQ(*from_cute(*found), *l);
      EXPECT_EQ(found->swizzle.bits, bits);
    }
  EXPECT_EQ(*write_cute(*swizzled(*row_major({8, 64}), {3, 3, 3}), {8, 64}),
            "htp.layouts.swizzle(htp.layouts.cute((8, 64), (64, 1)), 3, 3, 3)");
}

TEST(Cute, SaysWhyNot) {
  EXPECT_EQ(to_cute(*from_sharding({{{"x", 2}}, {{"x"}}, {}}, {8}), {8}).reason(), "the axis \"x\" is not memory");
  EXPECT_EQ(to_cute(layout({.terms = {{8, {Point("m", 1), Point("m", 3), Point("m", 7)}}}}), {8}).reason(),
            "no one swizzle makes strides of it");
  EXPECT_EQ(from_cute({Nest::of(4), Nest::of({Nest::of(1)})}).reason(), "a shape and its strides are nested alike");
  EXPECT_EQ(to_cute(layout({.terms = {Term::of(6, 1, "m"), Term::of(2, 8, "m")}}), {4, 3}).reason(),
            "a digit of 2 lies across the end of dimension 1 of the shape (4, 3)");
  EXPECT_EQ(to_cute(layout({.terms = {Term::of(6, 1, "m")}, .replicate = {Term::of(2, 8, "m")}}), {6}).reason(),
            "copies have no address in memory alone");
  EXPECT_EQ(swizzled(*row_major({3, 64}), {1, 0, 7}).reason(),
            "a swizzle works on bits, and 192 elements lie at steps that are no bits: extents and strides are to be "
            "powers of two");
  EXPECT_EQ(swizzled(*row_major({8, 64}), {3, 3, 2}).reason(),
            "a swizzle of 3 bits from 3 is shifted by at least as many bits, not by 2");
  EXPECT_EQ(swizzled(*strided({8, 64}, {64, 1}, 5), {3, 3, 3}).reason(),
            "the offset 5 is swizzled: it is not a multiple of 512");
  EXPECT_EQ(
      swizzled(layout({.terms = {Term::of(64, 1, "m")}, .replicate = {Term::of(2, 64, "m")}}), {1, 0, 6}).reason(),
      "copies lie at distances that are swizzled: they are not a multiple of 128");
  EXPECT_EQ(swizzled(layout({.terms = {Term::of(64, 1, "m")}, .pending = {{"sum", Term::of(2, 64, "m")}}}), {1, 0, 6})
                .reason(),
            "partial values lie at distances that are swizzled: they are not a multiple of 128");
}

TEST(Memory, StridesAndOrders) {
  for (size_t n = 0; n < cases(2'000); ++n) {
    Random random(n);
    std::vector<int64_t> shape, strides;
    for (auto k = random(1, 3); k > 0; --k) shape.push_back(random(1, 5)), strides.push_back(random(-4, 20));
    const auto l = strided(shape, strides, random(0, 3));
    int64_t index = 0;
    for (const auto &at : coordinates(shape))
      ASSERT_EQ(l->at(index++)["m"],
                l->offset()["m"] + std::inner_product(at.begin(), at.end(), strides.begin(), int64_t{0}));
    const auto back = to_strides(*l, shape);
    ASSERT_TRUE(back) << back.reason();
    ASSERT_EQ(*strided(shape, back->strides, back->offset), *l);
    ASSERT_EQ(*read(*write_strided(*l, shape)), *l);
    std::vector<size_t> order(shape.size());
    std::iota(order.begin(), order.end(), size_t{0});
    random.shuffle(order);
    const auto compact = ordered(shape, order);
    std::set<int64_t> places;
    for (int64_t x = 0; x < compact->size(); ++x) places.insert(compact->at(x)["m"]);
    ASSERT_EQ(static_cast<int64_t>(places.size()), compact->size());
    ASSERT_EQ(*places.rbegin(), compact->size() - 1);
    const auto found = to_order(*compact, shape);
    ASSERT_TRUE(found) << found.reason();
    ASSERT_EQ(*ordered(shape, *found), *compact);
  }
  EXPECT_EQ(*to_order(*ordered({4, 8}, {1, 0}), {4, 8}), (std::vector<size_t>{1, 0}));
  EXPECT_EQ(to_order(*strided({4, 8}, {16, 1}), {4, 8}).reason(),
            "the elements do not lie one after the other without gaps");
  EXPECT_EQ(to_strides(*packed({4, 4}, {2, 2}, {0, 1}, {0, 1}), {4, 4}).reason(),
            "dimension 0 has no one stride: it is cut into blocks");
  EXPECT_EQ(to_strides(layout({.terms = {Term::of(2, 4, "m"), {4, {Point("m", 1), Point("m", 3)}}}}), {2, 4}).reason(),
            "dimension 1 has no one stride: it is swizzled");
  EXPECT_EQ(ordered({4, 8}, {0, 0}).reason(), "an order names each dimension once");
  EXPECT_EQ(strided({4, 8}, {1}).reason(), "there is one stride for each dimension");
}

TEST(Memory, PackedBlocks) {
  for (size_t n = 0; n < cases(1'000); ++n) {
    Random random(n);
    std::vector<int64_t> block{random(1, 4), random(1, 4)}, blocks{random(1, 4), random(1, 4)};
    const std::vector<int64_t> shape{block[0] * blocks[0], block[1] * blocks[1]};
    const bool outer = random.once_in(2), inner = random.once_in(2);
    const auto l = packed(shape, block, outer ? std::vector<size_t>{1, 0} : std::vector<size_t>{0, 1},
                          inner ? std::vector<size_t>{1, 0} : std::vector<size_t>{0, 1});
    ASSERT_TRUE(l) << l.reason();
    for (int64_t r = 0; r < shape[0]; ++r)
      for (int64_t c = 0; c < shape[1]; ++c) {
        const int64_t br = r / block[0], bc = c / block[1], ir = r % block[0], ic = c % block[1];
        const int64_t b = outer ? bc * blocks[0] + br : br * blocks[1] + bc,
                      i = inner ? ic * block[0] + ir : ir * block[1] + ic;
        ASSERT_EQ(l->at(r * shape[1] + c)["m"], b * block[0] * block[1] + i) << n;
      }
  }
  EXPECT_EQ(packed({6, 4}, {4, 2}, {0, 1}, {0, 1}).reason(), "dimension 0 of 6 is not divisible into blocks of 4");
  EXPECT_EQ(packed({6, 4}, {2}, {0, 1}, {0, 1}).reason(), "a block has as many dimensions as the tensor");
}

// Elements of an array by its steps lie where the layout says.
TEST(Array, Steps) {
  size_t found = 0;
  for (size_t n = 0; n < cases(1'000); ++n) {
    Random random(n);
    const std::vector<int64_t> shape{random(1, 4), random(1, 4), random(1, 4)};
    std::vector<size_t> order{0, 1, 2};
    for (size_t k = 3; k-- > 1;) std::swap(order[k], order[static_cast<size_t>(random(0, static_cast<int64_t>(k)))]);
    std::vector<int64_t> steps(3);
    int64_t step = 1;
    for (const size_t k : order) {
      steps[k] = step;
      step = step * shape[k] + random(0, 2);
    }
    const auto l = strided(shape, steps);
    ASSERT_TRUE(l) << l.reason();
    const auto made = array_steps(*l, shape);
    ASSERT_TRUE(made) << made.reason();
    int64_t index = 0, last = 0;
    bool rows = true;
    for (int64_t a = 0; a < shape[0]; ++a)
      for (int64_t b = 0; b < shape[1]; ++b)
        for (int64_t c = 0; c < shape[2]; ++c, ++index) {
          const int64_t at = l->at(index)["m"];
          ASSERT_EQ(at, a * (*made)[0] + b * (*made)[1] + c * (*made)[2]) << n;
          last = std::max(last, at);
          rows = rows && at == index;
        }
    EXPECT_EQ(array_span(*made, shape), last + 1) << n;
    EXPECT_EQ(is_row_major(*l), rows) << n;
    found += !rows;
  }
  EXPECT_GT(found, cases(1'000) / 3);
}

TEST(Array, OnOneDevice) {
  const auto cut = read("htp.layouts.shard((8, 6), ('x', None), mesh={'x': 4, 'y': 2})");
  EXPECT_TRUE(is_row_major(*cut));
  EXPECT_EQ(*array_steps(*cut, {8, 6}), (std::vector<int64_t>{6, 1}));
  EXPECT_EQ(units_of(*cut), (std::vector<std::string>{"x", "y"}));
  const auto columns = read("htp.layout(((4, 1, 'x'), (2, 1, 'm'), (6, 2, 'm')))");
  EXPECT_FALSE(is_row_major(*columns));
  EXPECT_EQ(array_steps(*columns, {8, 6}).reason(), "the slice of a device does not lie row-major");
}

TEST(Array, PlacesAreThoseOfTheLayout) {
  const std::vector<Result<Layout>> layouts{packed({8, 12}, {2, 4}, {1, 0}, {0, 1}), strided({8, 12}, {1, 9}),
                                            swizzled(*row_major({8, 16}), {.bits = 2, .base = 1, .shift = 3}),
                                            read("htp.layouts.shard((8, 6), ('x', None), mesh={'x': 4, 'y': 2})")};
  const std::vector<std::vector<int64_t>> shapes{{8, 12}, {8, 12}, {8, 16}, {8, 6}};
  for (size_t k = 0; k < layouts.size(); ++k) {
    ASSERT_TRUE(layouts[k]) << layouts[k].reason();
    const auto places = Places::of(*layouts[k], shapes[k]);
    ASSERT_TRUE(places) << places.reason();
    int64_t last = 0;
    for (int64_t index = 0; index < layouts[k]->size(); ++index) {
      const int64_t wanted = k == 3 ? index : layouts[k]->at(index)["m"];
      EXPECT_EQ(places->at(index), wanted) << k;
      last = std::max(last, wanted);
    }
    EXPECT_EQ(places->span(), last + 1) << k;
  }
  EXPECT_EQ(Places::of(*read("htp.layout(((4, 1, 'm'),), offset={'m': 3})"), {4}).reason(),
            "it begins at element 3, and an array begins at its first");
  EXPECT_EQ(Places::of(*row_major({4}), {5}).reason(), "a layout of 4 elements has not the shape (5,)");
  EXPECT_EQ(Places::of(*read("htp.layout(((4, 1, 'm'),), replicate=((2, 4, 'm'),))"), {4}).reason(),
            "its elements lie in more than one place");
}

TEST(Array, NoStepsAreSaid) {
  EXPECT_EQ(array_steps(*packed({4, 4}, {2, 2}, {0, 1}, {0, 1}), {4, 4}).reason(),
            "dimension 0 has no one stride: it is cut into blocks");
  EXPECT_EQ(array_steps(*read("htp.layout(((4, 1, 'm'),), offset={'m': 3})"), {4}).reason(),
            "it begins at element 3, and an array begins at its first");
  EXPECT_EQ(array_steps(*read("htp.layouts.strided((4,), (-1,), offset=3)"), {4}).reason(),
            "it begins at element 3, and an array begins at its first");
  EXPECT_EQ(array_steps(*row_major({4}), {5}).reason(), "a layout of 4 elements has not the shape (5,)");
}

} // namespace
} // namespace htp::layout
