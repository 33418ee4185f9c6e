// Distribution over a mesh, and the rules of operations on distributed operands, which are tested by computing so.
#include "htp_cpp/layout/convert.h"

#include "layout/oracle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace htp::layout {
namespace {

using testing::HasSubstr;

Sharding random_sharding(Random &random, const Space &mesh, size_t dims) {
  Sharding s{mesh, std::vector<std::vector<std::string>>(dims), {}};
  Space order = mesh;
  random.shuffle(order);
  for (const auto &[axis, count] : order)
    if (const auto where = random(0, static_cast<int64_t>(dims) + 1); where < static_cast<int64_t>(dims))
      s.dims[static_cast<size_t>(where)].push_back(axis);
    else if (where > static_cast<int64_t>(dims) && random.once_in(2))
      s.pending.emplace_back(axis, "sum");
  std::ranges::sort(s.pending);
  return s;
}

TEST(Distribution, CutsDimensionsOverDevices) {
  for (size_t n = 0; n < cases(1000); ++n) {
    Random random(n);
    const Space mesh{{"a", random(2, 3)}, {"b", random(2, 4)}};
    std::vector<int64_t> shape;
    for (auto k = random(1, 3); k > 0; --k) shape.push_back(random.once_in(4) ? random(1, 12) : 12);
    const Sharding s = random_sharding(random, mesh, shape.size());
    const auto local = local_shape(s, shape);
    const auto l = from_sharding(s, shape);
    ASSERT_EQ(bool(local), bool(l)) << n;
    if (!l) {
      ASSERT_THAT(l.reason(), HasSubstr("is not divisible over")) << n;
      continue;
    }
    std::set<std::string> copied, parts;
    for (const Term &t : l->replicate()) copied.insert(t.steps[0].begin()->first);
    for (const Pending &p : l->pending()) parts.insert(p.term.steps[0].begin()->first);
    int64_t index = 0;
    for (const auto &at : coordinates(shape)) {
      const Point place = l->at(index++);
      int64_t offset = 0;
      for (size_t k = 0; k < shape.size(); ++k) {
        int64_t device = at[k] / (*local)[k];
        for (size_t d = s.dims[k].size(); d-- > 0;) {
          ASSERT_EQ(place[s.dims[k][d]], device % s.devices(s.dims[k][d])) << n;
          device /= s.devices(s.dims[k][d]);
        }
        offset = offset * (*local)[k] + at[k] % (*local)[k];
      }
      ASSERT_EQ(place["m"], offset) << n;
    }
    for (const auto &[axis, count] : mesh) {
      ASSERT_EQ(copied.contains(axis), s.copied(axis)) << n;
      ASSERT_EQ(parts.contains(axis), s.is_pending(axis)) << n;
    }
    const auto back = to_sharding(*l, mesh, shape);
    ASSERT_TRUE(back) << n << back.reason();
    // A dimension of extent 1 is on an axis of one device at most: what is found means the same.
    ASSERT_EQ(*from_sharding(back->sharding, shape, back->local), *l) << n;
    ASSERT_EQ(back->sharding, s) << n;
    ASSERT_EQ(*read(*write_shard(*l, shape, mesh)), *l) << n;
  }
}

TEST(Distribution, KeepsWhatIsInADevice) {
  const Sharding s{{{"x", 2}, {"y", 4}}, {{"x"}, {}}, {}};
  const auto local = swizzled(*row_major({8, 64}), {3, 3, 3});
  const auto l = from_sharding(s, {16, 64}, *local);
  ASSERT_TRUE(l) << l.reason();
  const auto back = to_sharding(*l, s.mesh, {16, 64});
  ASSERT_TRUE(back) << back.reason();
  EXPECT_EQ(back->local, *local);
  EXPECT_EQ(back->sharding, s);
}

TEST(Distribution, SaysWhyNot) {
  const Space mesh{{"x", 4}};
  const auto reason = [&](Fields parts, std::vector<int64_t> shape) {
    return to_sharding(layout(std::move(parts)), mesh, shape).reason();
  };
  EXPECT_EQ(reason({.terms = {Term::of(2, 1, "m"), Term::of(4, 1, "x")}}, {8}),
            "dimension 0 is dealt out in turns, not cut into one piece for each device");
  EXPECT_EQ(reason({.terms = {Term::of(2, 1, "x"), Term::of(4, 1, "m")}}, {8}),
            "dimension 0 goes to some devices of an axis only, or not in their order");
  EXPECT_EQ(reason({.terms = {Term::of(8, 1, "m")}}, {8}),
            "the elements lie on one device of an axis, or elsewhere in the memories of different devices");
  EXPECT_EQ(reason({.terms = {Term::of(8, 1, "m")}, .replicate = {Term::of(2, 1, "x")}}, {8}),
            "copies lie on some devices of an axis only");
  EXPECT_EQ(reason({.terms = {Term::of(8, 1, "m")}, .pending = {{"sum", Term::of(2, 1, "x")}}}, {8}),
            "partial values lie on some devices of an axis only");
  EXPECT_EQ(reason({.terms = {{4, {Point("x", 1), Point("x", 3)}}}}, {4}),
            "dimension 0 goes to some devices of an axis only, or not in their order");
  const auto wrong = [&](Sharding s, std::vector<int64_t> shape) { return local_shape(s, shape).reason(); };
  EXPECT_EQ(wrong({mesh, {{"x"}}, {}}, {10}), "dimension 0 of 10 is not divisible over 4 devices");
  EXPECT_EQ(wrong({mesh, {{"z"}}, {}}, {8}), "the mesh has no axis `z`");
  EXPECT_EQ(wrong({mesh, {{"x"}, {"x"}}, {}}, {8, 8}), "the axis `x` is used twice");
  EXPECT_EQ(wrong({mesh, {{"x"}}, {}}, {8, 8}), "a distribution says S or R of each dimension");
}

// The value of a distributed tensor on one device, as a sum of parts: the rules are tested by computing with them.
TEST(Distribution, OperationsOfDistributedOperandsAreThoseOfWholeOnes) {
  const Space mesh{{"a", 2}, {"b", 3}};
  const std::vector<int64_t> shape{6, 6};
  size_t joined = 0;
  // The elements that each device holds of a part: (device, element) → its number, with sums split over pending axes.
  using Held = std::map<std::pair<std::pair<int64_t, int64_t>, std::pair<int64_t, int64_t>>, int64_t>;
  const auto has = [&](const Sharding &s, int64_t a, int64_t b, int64_t row, int64_t column) {
    const auto local = *local_shape(s, shape);
    const int64_t at[] = {row, column};
    for (size_t k = 0; k < 2; ++k) {
      int64_t device = 0;
      for (const std::string &axis : s.dims[k]) device = device * s.devices(axis) + (axis == "a" ? a : b);
      if (at[k] / local[k] != device) return false;
    }
    return true;
  };
  const auto spread = [&](const Sharding &s, const std::vector<int64_t> &values) {
    Held held;
    for (int64_t a = 0; a < 2; ++a)
      for (int64_t b = 0; b < 3; ++b)
        for (int64_t r = 0; r < 6; ++r)
          for (int64_t c = 0; c < 6; ++c) {
            if (!has(s, a, b, r, c)) continue;
            const bool first = (!s.is_pending("a") || a == 0) && (!s.is_pending("b") || b == 0);
            // All parts but the first are -1, the first makes up for them.
            const int64_t parts = (s.is_pending("a") ? 2 : 1) * (s.is_pending("b") ? 3 : 1);
            held[{{a, b}, {r, c}}] = first ? values[static_cast<size_t>(r * 6 + c)] + parts - 1 : -1;
          }
    return held;
  };
  // Whether what each device has is the distribution of these values.
  const auto whole = [&](const Sharding &s, Held held, const std::vector<int64_t> &values) {
    for (int64_t r = 0; r < 6; ++r)
      for (int64_t c = 0; c < 6; ++c)
        for (int64_t a = 0; a < 2; ++a)
          for (int64_t b = 0; b < 3; ++b) {
            if (!has(s, a, b, r, c)) continue;
            int64_t sum = 0;
            for (int64_t i = 0; i < 2; ++i)
              for (int64_t j = 0; j < 3; ++j)
                if ((i == a || s.is_pending("a")) && (j == b || s.is_pending("b"))) sum += held[{{i, j}, {r, c}}];
            if (sum != values[static_cast<size_t>(r * 6 + c)]) return false;
          }
    return true;
  };
  for (size_t n = 0; n < cases(150); ++n) {
    Random random(n);
    const Sharding s = random_sharding(random, mesh, 2), t = random_sharding(random, mesh, 2);
    std::vector<int64_t> x, y;
    for (int k = 0; k < 36; ++k) x.push_back(random(-5, 5)), y.push_back(random(-5, 5));
    const Held hx = spread(s, x), hy = spread(t, y);
    for (const Combining how : {Combining::any, Combining::sum, Combining::scale}) {
      const auto both = join(s, t, how);
      if (!both) continue;
      ++joined;
      std::vector<int64_t> values;
      for (size_t k = 0; k < 36; ++k) values.push_back(how == Combining::sum ? x[k] + y[k] : x[k] * y[k]);
      Held held;
      for (int64_t a = 0; a < 2; ++a)
        for (int64_t b = 0; b < 3; ++b)
          for (int64_t r = 0; r < 6; ++r)
            for (int64_t c = 0; c < 6; ++c) {
              if (!has(*both, a, b, r, c)) continue;
              const std::pair key{std::pair(a, b), std::pair(r, c)};
              ASSERT_TRUE(hx.contains(key) && hy.contains(key)) << n; // every device has what it needs
              held[key] = how == Combining::sum ? hx.at(key) + hy.at(key) : hx.at(key) * hy.at(key);
            }
      ASSERT_TRUE(whole(*both, held, values)) << n << text_of(s) << text_of(t) << text_of(*both);
    }
    if (const auto product = matmul(s, t)) {
      ++joined;
      std::vector<int64_t> values(36, 0);
      for (size_t i = 0; i < 6; ++i)
        for (size_t j = 0; j < 6; ++j)
          for (size_t k = 0; k < 6; ++k) values[i * 6 + j] += x[i * 6 + k] * y[k * 6 + j];
      // Each device sums over the part of k that falls to it.
      Sharding inner{mesh, {s.dims[1].empty() ? t.dims[0] : s.dims[1], {}}, {}};
      Held held;
      for (int64_t a = 0; a < 2; ++a)
        for (int64_t b = 0; b < 3; ++b)
          for (int64_t r = 0; r < 6; ++r)
            for (int64_t c = 0; c < 6; ++c)
              if (has(*product, a, b, r, c))
                for (int64_t k = 0; k < 6; ++k)
                  if (has(inner, a, b, k, 0)) {
                    ASSERT_TRUE((hx.contains({{a, b}, {r, k}}) && hy.contains({{a, b}, {k, c}}))) << n;
                    held[{{a, b}, {r, c}}] += hx.at({{a, b}, {r, k}}) * hy.at({{a, b}, {k, c}});
                  }
      ASSERT_TRUE(whole(*product, held, values)) << n << text_of(s) << text_of(t) << text_of(*product);
    }
    if (const auto sums = reduce(s, 1, "sum")) {
      ++joined;
      for (int64_t r = 0; r < 6; ++r) {
        const int64_t sum = std::accumulate(x.begin() + r * 6, x.begin() + r * 6 + 6, int64_t{0});
        for (int64_t a = 0; a < 2; ++a)
          for (int64_t b = 0; b < 3; ++b) {
            if (!has({mesh, {sums->dims[0], {}}, {}}, a, b, r, 0)) continue;
            int64_t found = 0;
            for (int64_t i = 0; i < 2; ++i)
              for (int64_t j = 0; j < 3; ++j)
                if ((i == a || sums->is_pending("a")) && (j == b || sums->is_pending("b")))
                  for (int64_t c = 0; c < 6; ++c)
                    if (hx.contains({{i, j}, {r, c}})) found += hx.at({{i, j}, {r, c}});
            ASSERT_EQ(found, sum) << n << text_of(s);
          }
      }
    }
  }
  EXPECT_GT(joined, cases(150) / 2);
}

TEST(Distribution, SaysWhyOperandsDoNotMeet) {
  const Space mesh{{"x", 4}, {"y", 2}};
  const Sharding rows{mesh, {{"x"}, {}}, {}}, columns{mesh, {{}, {"x"}}, {}}, other{mesh, {{"y"}, {}}, {}},
      whole{mesh, {{}, {}}, {}};
  EXPECT_EQ(text_of(*join(rows, whole)), "[S(x), R]");
  EXPECT_EQ(join(rows, columns).reason(), "two dimensions would be cut over `x`");
  EXPECT_EQ(join(rows, other).reason(), "dimension 0 is cut over [S(x)] and over [S(y)]");
  const auto parts = matmul(columns, rows);
  ASSERT_TRUE(parts);
  EXPECT_EQ(text_of(*parts), "[R, R] with sum over x pending");
  EXPECT_EQ(join(*parts, whole).reason(), "the sum over `x` is pending: all_reduce or reduce_scatter it first");
  EXPECT_TRUE(join(*parts, whole, Combining::scale));
  EXPECT_TRUE(join(*parts, *parts, Combining::sum));
  EXPECT_FALSE(join(*parts, *parts, Combining::scale));
  EXPECT_EQ(join(*parts, rows, Combining::scale).reason(),
            "a dimension would be cut over `x`, on which a sum is pending");
  EXPECT_EQ(matmul(columns, other).reason(), "the dimension that is summed over is cut over [S(x)] and over [S(y)]");
  EXPECT_EQ(matmul(*parts, rows).reason(), "the sum over `x` is pending: all_reduce or reduce_scatter it first");
  EXPECT_EQ(reduce(*parts, 0, "max").reason(), "the sum over `x` is pending: all_reduce or reduce_scatter it first");
  EXPECT_EQ(text_of(*reduce(rows, 0, "max")), "[R, R] with max over x pending");
  EXPECT_EQ(reduce(rows, 2, "max").reason(), "there is no dimension 2");
  EXPECT_EQ(join(rows, {mesh, {{}}, {}}).reason(), "the operands have 2 and 1 dimensions");
  EXPECT_EQ(join(rows, {{{"x", 2}}, {{}, {}}, {}}).reason(), "the operands lie on different meshes");
  EXPECT_EQ(matmul({mesh, {{}}, {}}, rows).reason(), "an m × k and a k × n tile are multiplied");
}

} // namespace
} // namespace htp::layout
