// Int expressions against an oracle: trees of operations, evaluated in 128 bits as Python evaluates them, beside what
// the library makes of the same operations. All numbers come from seeds.
#include "htp_cpp/affine.h"
#include "htp_cpp/int_ranges.h"
#include "htp_cpp/saturated.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <random>

namespace {

using namespace htp::sdk;
__extension__ using Wide = __int128;
using Point = std::map<std::string, int64_t>;

const std::vector<std::string> names{"K", "M", "N", "i"};

Wide floored(Wide a, Wide by) { return a / by - (a % by != 0 && (a < 0) != (by < 0)); }

// ── the oracle ──────────────────────────────────────────────────────────────────────────────────────────────────────

struct Tree {
  enum class Op : uint8_t { number, name, add, subtract, multiply, negate, divide, modulo, least, most } op{};
  int64_t number = 0; // or the divisor
  std::string name = {};
  std::shared_ptr<const Tree> a = nullptr, b = nullptr;

  Wide value(const Point &at) const {
    const Wide x = a ? a->value(at) : 0, y = b ? b->value(at) : 0;
    switch (op) {
    case Op::number: return number;
    case Op::name: return at.at(name);
    case Op::add: return x + y;
    case Op::subtract: return x - y;
    case Op::multiply: return x * y;
    case Op::negate: return -x;
    case Op::divide: return floored(x, number);
    case Op::modulo: return x - floored(x, number) * number;
    case Op::least: return std::min(x, y);
    default: return std::max(x, y);
    }
  }
  // With the library's operations.
  MaybeInt made() const {
    const MaybeInt x = a ? a->made() : std::nullopt, y = b ? b->made() : std::nullopt;
    switch (op) {
    case Op::number: return IntExpr(number);
    case Op::name: return IntExpr::symbol(name);
    case Op::add: return x + y;
    case Op::subtract: return x - y;
    case Op::multiply: return x * y;
    case Op::negate: return -x;
    case Op::divide: return floor_div(x, number);
    case Op::modulo: return remainder(x, number);
    case Op::least: return least({x, y});
    default: return most({x, y});
    }
  }
};
using TreePointer = std::shared_ptr<const Tree>;

class Random {
public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t between(int64_t low, int64_t high) { return std::uniform_int_distribution<int64_t>(low, high)(engine_); }

  // `affine`: without products of names.
  TreePointer tree(int depth, bool affine = false, int64_t large = 12) {
    using Op = Tree::Op;
    Tree t;
    const auto kind = depth == 0 ? between(0, 1) : between(0, 12);
    if (kind == 0) {
      t.op = Op::number, t.number = between(-large, large);
    } else if (kind == 1 || kind > 9) {
      t.op = Op::name, t.name = names[static_cast<size_t>(between(0, static_cast<int64_t>(names.size()) - 1))];
    } else {
      t.op = static_cast<Op>(kind);
      t.a = tree(depth - 1, affine, large);
      if (t.op == Op::divide || t.op == Op::modulo)
        t.number = between(1, large);
      else if (t.op != Op::negate)
        t.b = t.op == Op::multiply && affine ? tree(0, true, large) : tree(depth - 1, affine, large);
      if (t.op == Op::multiply && affine) t.b = number(between(-large, large));
    }
    return std::make_shared<const Tree>(std::move(t));
  }
  static TreePointer number(int64_t n) {
    return std::make_shared<const Tree>(Tree{.op = Tree::Op::number, .number = n});
  }
  Point point(int64_t low = -12, int64_t high = 12) {
    Point at;
    for (const std::string &name : names) at[name] = between(low, high);
    return at;
  }

private:
  std::mt19937_64 engine_;
};

std::optional<int64_t> value_at(const IntExpr &e, const Point &at) {
  return e.value([&](const std::string &name) { return std::optional(at.at(name)); });
}

// ── a second reader of what is spelled ──────────────────────────────────────────────────────────────────────────────

// Python's value of the spelling of ints at a point.
class Spelled {
public:
  Spelled(std::string_view text, const Point &at) : text_(text), at_(at) {}
  Wide run() {
    const Wide value = sum();
    EXPECT_EQ(place_, text_.size()) << text_;
    return value;
  }

private:
  bool take(std::string_view word) {
    if (text_.substr(place_, word.size()) != word) return false;
    place_ += word.size();
    return true;
  }
  Wide sum() {
    Wide value = product();
    for (;;)
      if (take(" + "))
        value += product();
      else if (take(" - "))
        value -= product();
      else
        return value;
  }
  Wide product() {
    Wide value = unary();
    for (;;)
      if (take(" * ")) {
        value *= unary();
      } else if (take(" // ")) {
        value = floored(value, unary());
      } else if (take(" % ")) {
        const Wide by = unary();
        value -= floored(value, by) * by;
      } else {
        return value;
      }
  }
  Wide unary() { return take("-") ? -unary() : primary(); }
  Wide primary() {
    if (take("(")) {
      const Wide value = sum();
      EXPECT_TRUE(take(")")) << text_;
      return value;
    }
    const bool least = take("min(");
    if (least || take("max(")) {
      Wide value = sum();
      while (take(", ")) {
        const Wide next = sum();
        value = least ? std::min(value, next) : std::max(value, next);
      }
      EXPECT_TRUE(take(")")) << text_;
      return value;
    }
    const size_t begin = place_;
    while (place_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[place_]))) ++place_;
    const std::string word(text_.substr(begin, place_ - begin));
    if (const auto it = at_.find(word); it != at_.end()) return it->second;
    EXPECT_FALSE(word.empty()) << text_;
    return std::stoll(word);
  }

  std::string_view text_;
  const Point &at_;
  size_t place_ = 0;
};

// ── properties ──────────────────────────────────────────────────────────────────────────────────────────────────────

constexpr int cases = 4000;

TEST(Ints, AreWhatPythonMakesOfTheOperations) {
  Random random(1);
  for (int k = 0; k < cases; ++k) {
    const TreePointer tree = random.tree(4);
    const MaybeInt made = tree->made();
    ASSERT_TRUE(made);
    for (int p = 0; p < 5; ++p) {
      const Point at = random.point();
      ASSERT_EQ(value_at(*made, at), static_cast<int64_t>(tree->value(at))) << made->text();
      ASSERT_TRUE(Spelled(made->text(), at).run() == tree->value(at)) << made->text();
    }
  }
}

TEST(Ints, NeverWrapAround) {
  constexpr int64_t large = int64_t{1} << 24;
  Random random(2);
  int fits = 0, does_not = 0;
  for (int k = 0; k < cases; ++k) { // products of up to four sums: at most 2^124
    const Point at = random.point(-64, 64);
    MaybeInt made = IntExpr(1);
    Wide right = 1;
    for (int64_t factors = random.between(1, 4); factors; --factors) {
      const int64_t times = random.between(-large, large), more = random.between(-large, large);
      const std::string &name = names[static_cast<size_t>(random.between(0, 3))];
      made = made * (IntExpr::symbol(name) * times + more);
      right *= Wide{at.at(name)} * times + more;
    }
    const auto value = made ? value_at(*made, at) : std::nullopt;
    (value ? fits : does_not) += 1;
    ASSERT_TRUE(!value || *value == right) << made->text();
  }
  EXPECT_GT(fits, cases / 3);
  EXPECT_GT(does_not, cases / 3);

  const IntExpr n = IntExpr::symbol("N");
  const IntExpr top(std::numeric_limits<int64_t>::max());
  EXPECT_FALSE(top + 1);
  EXPECT_FALSE(n * top + n);
  EXPECT_FALSE((n * top) * 2);
  EXPECT_FALSE(-(n * IntExpr(std::numeric_limits<int64_t>::min())));
  EXPECT_FALSE((top + 1) * 0) << "what is made of nothing is nothing";
  EXPECT_FALSE((n * top)->with({{"N", 2}}));
  EXPECT_FALSE(value_at(*(n * top), {{"N", 2}}));
  EXPECT_FALSE(floor_div(n, 0));
  EXPECT_FALSE(remainder(n, -4));
}

TEST(Ints, EqualOnesAreSpelledAlike) {
  const IntExpr m = IntExpr::symbol("M"), n = IntExpr::symbol("N"), i = IntExpr::symbol("i");
  const auto text = [](const MaybeInt &e) { return e ? e->text() : "-"; };
  EXPECT_EQ(text(1 + n + 1), "N + 2");
  EXPECT_EQ(text(n - n), "0");
  EXPECT_EQ(text(m - (i + 1) * 8), "M - 8 * i - 8");
  EXPECT_EQ(text((n + m) * (n - m)), "N * N - M * M");
  EXPECT_EQ(text(floor_div(n * 8 + 15, 8)), "N + 1");
  EXPECT_EQ(text(floor_div(n + 15, 8)), "(N + 7) // 8 + 1");
  EXPECT_EQ(text(floor_div(n, 8) * 8 + remainder(n, 8) - n), "N % 8 + 8 * (N // 8) - N");
  EXPECT_EQ(text(ceil_div(ceil_div(n, 8), 4)), "(N + 31) // 32");
  EXPECT_EQ(text(floor_div(remainder(n, 8), 8)), "0");
  EXPECT_EQ(text(remainder(remainder(n, 8), 16)), "N % 8");
  EXPECT_EQ(text(least({n + 1, n, n + 2})), "N");
  EXPECT_EQ(text(least({m, n, 8, 16})), "min(M, N, 8)");
  EXPECT_EQ(text(2 * most({m, n})), "2 * max(M, N)");
  EXPECT_EQ(n + 1 + m, m + 1 + n);
  EXPECT_NE(n + 1, n);
  // Sums and products in any order.
  Random random(3);
  for (int k = 0; k < cases; ++k) {
    const MaybeInt a = random.tree(3)->made(), b = random.tree(3)->made(), c = random.tree(3)->made();
    ASSERT_EQ(a + b + c, c + (b + a));
    ASSERT_EQ(a * b * c, c * (b * a));
    ASSERT_EQ(a * (b + c), c * a + a * b);
    ASSERT_EQ(a - b, -(b - a));
    ASSERT_EQ(*a < *b, a->text() != b->text() && !(*b < *a));
  }
}

TEST(Ints, AreReplaced) {
  Random random(4);
  for (int k = 0; k < cases; ++k) {
    const TreePointer tree = random.tree(4), by = random.tree(2);
    const MaybeInt replaced = tree->made()->with({{"i", *by->made()}});
    ASSERT_TRUE(replaced);
    Point at = random.point();
    const auto value = value_at(*replaced, at);
    at["i"] = static_cast<int64_t>(by->value(at));
    ASSERT_EQ(value, static_cast<int64_t>(tree->value(at))) << tree->made()->text();
  }
  const MaybeInt length = IntExpr::other("len(i)", {"i"}) + 1;
  EXPECT_FALSE(length->with({{"i", 3}}));
  EXPECT_EQ(length->with({{"len(i)", 3}}), 4);
  EXPECT_EQ(length->with({{"j", 3}}), length);
}

TEST(Ints, LieInTheirRanges) {
  Random random(5);
  int known = 0;
  for (int k = 0; k < cases; ++k) {
    const TreePointer tree = random.tree(4);
    const IntExpr e = *tree->made();
    std::map<std::string, IntRange> ranges;
    for (const std::string &name : names) {
      const int64_t low = random.between(-9, 9);
      ranges[name] = {random.between(0, 4) ? std::optional(low) : std::nullopt,
                      random.between(0, 4) ? std::optional(random.between(low, low + 9)) : std::nullopt};
    }
    const IntRange all = e.range([&](const std::string &name) { return ranges.at(name); });
    known += all.least.has_value();
    for (int p = 0; p < 5; ++p) {
      Point at;
      for (const std::string &name : names) {
        const IntRange &r = ranges[name];
        at[name] = random.between(r.least.value_or(r.most.value_or(0) - 30), r.most.value_or(r.least.value_or(0) + 30));
      }
      const Wide value = tree->value(at);
      ASSERT_TRUE(!all.least || *all.least <= value) << e.text();
      ASSERT_TRUE(!all.most || *all.most >= value) << e.text();
    }
  }
  EXPECT_GT(known, cases / 4);
  const auto range = [](const MaybeInt &e) {
    return e->range([](const std::string &name) {
      return name == "N" ? IntRange{1, std::nullopt} : IntRange{0, std::numeric_limits<int64_t>::max()};
    });
  };
  const IntExpr n = IntExpr::symbol("N"), i = IntExpr::symbol("i");
  EXPECT_EQ(range(8 * n - 1), (IntRange{7, std::nullopt}));
  EXPECT_EQ(range(-n), (IntRange{std::nullopt, -1}));
  EXPECT_EQ(range(2 * i), (IntRange{0, std::nullopt}));
  EXPECT_EQ(range(remainder(n, 8) + 1), (IntRange{1, 8}));
}

TEST(Ints, SayWhatTheyAreMadeOf) {
  const IntExpr m = IntExpr::symbol("M"), n = IntExpr::symbol("N");
  const MaybeInt e = 3 * n + n * m - floor_div(m, 8) + 7;
  EXPECT_EQ(e->offset(), 7);
  EXPECT_EQ(e->coefficient("N"), 3);
  EXPECT_EQ(e->coefficient("M"), 0);
  EXPECT_FALSE(e->affine());
  EXPECT_TRUE((3 * n + m)->affine());
  EXPECT_EQ(e->names(), (std::set<std::string>{"M", "N"}));
  EXPECT_TRUE(e->uses("M"));
  EXPECT_FALSE(e->constant());
  EXPECT_EQ((n - n + 5)->constant(), 5);
  EXPECT_TRUE((8 * n + 16)->divides_evenly(8));
  EXPECT_FALSE((8 * n + 12)->divides_evenly(8));
}

// ── isl ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

// Whether two ints of isl are one.
bool same(const IntValue &a, const IntValue &b) { return (a != b).empty() == Answer::yes; }

// By all pairs of ends, in 128 bits: these operations have their extremes there.
TEST(Ranges, LieBetweenTheirEnds) {
  std::mt19937_64 random(6);
  const auto any = [&] { return static_cast<int64_t>(random()) >> (random() % 64); };
  const auto end = [](Wide n) {
    constexpr Wide low = std::numeric_limits<int64_t>::min(), high = std::numeric_limits<int64_t>::max();
    return n < low || n > high ? std::nullopt : std::optional(static_cast<int64_t>(n));
  };
  const auto expect = [&](const IntRange &found, std::vector<Wide> all) {
    const auto [low, high] = std::ranges::minmax(all);
    // Beyond all ints of 64 bits an end is the last of them.
    constexpr Wide first = std::numeric_limits<int64_t>::min(), last = std::numeric_limits<int64_t>::max();
    ASSERT_EQ(found.least, end(std::min(low, last)));
    ASSERT_EQ(found.most, end(std::max(high, first)));
  };
  for (int k = 0; k < 20000; ++k) {
    int64_t a = any(), b = any(), x = any(), y = any();
    if (k % 7 == 0) a = std::numeric_limits<int64_t>::min();
    if (a > b) std::swap(a, b);
    if (x > y) std::swap(x, y);
    const IntRange r{a, b}, o{x, y};
    expect(r + o, {Wide{a} + x, Wide{b} + y});
    expect(r - o, {Wide{a} - y, Wide{b} - x});
    expect(-r, {-Wide{a}, -Wide{b}});
    expect(r * o, {Wide{a} * x, Wide{a} * y, Wide{b} * x, Wide{b} * y});
    expect(least(r, o), {std::min(a, x), std::min(b, y)});
    expect(most(r, o), {std::max(a, x), std::max(b, y)});
    expect(hull(r, o), {a, b, x, y});
  }
  const IntRange from{3, std::nullopt};
  EXPECT_EQ(from + (IntRange{2, 4}), (IntRange{5, std::nullopt}));
  EXPECT_EQ(-from, (IntRange{std::nullopt, -3}));
  EXPECT_EQ(from * (IntRange{0, 2}), (IntRange{0, std::nullopt}));
  EXPECT_EQ(least(from, (IntRange{1, 7})), (IntRange{1, 7}));
}

TEST(Saturated, IsTheNumberOrTheLargest) {
  constexpr int64_t largest = std::numeric_limits<int64_t>::max();
  const auto fitting = [&](Wide n) { return n > largest ? largest : static_cast<int64_t>(n); };
  std::mt19937_64 random(5);
  const auto any = [&] { return static_cast<int64_t>(random() >> (1 + random() % 63)); };
  for (int k = 0; k < 10000; ++k) {
    const int64_t a = any(), b = any(), step = std::max<int64_t>(any(), 1);
    ASSERT_EQ(add_sat(a, b), fitting(Wide{a} + b));
    ASSERT_EQ(mul_sat(a, b), fitting(Wide{a} * b));
    ASSERT_EQ(round_up_sat(a, step), fitting((Wide{a} + step - 1) / step * step));
  }
  EXPECT_EQ(round_up_sat(largest, 32), largest);
}

TEST(Ints, AreTheSameInIsl) {
  Random random(6);
  int back = 0;
  for (int k = 0; k < 400; ++k) {
    Affine isl;
    const TreePointer tree = random.tree(3, true, 6);
    const IntExpr e = *tree->made();
    const IntValue value = to_value(isl, e);
    const Point at = random.point();
    IntSet here = isl.all();
    for (const auto &[name, number] : at) here = here & (isl.variable(name) == isl.number(number));
    ASSERT_EQ((here & (value != isl.number(static_cast<int64_t>(tree->value(at))))).empty(), Answer::yes) << e.text();
    const MaybeInt again = to_int(value);
    if (!again) continue;
    ++back;
    ASSERT_EQ(value_at(*again, at), value_at(e, at)) << e.text() << " and " << again->text();
    ASSERT_TRUE(same(to_value(isl, *again), value)) << e.text() << " and " << again->text();
  }
  EXPECT_GT(back, 200);
}

TEST(Ints, ComeBackFromIsl) {
  Affine isl;
  const IntExpr m = IntExpr::symbol("M"), n = IntExpr::symbol("N");
  EXPECT_EQ(to_int(isl.variable("N") * 8 - isl.number(3)), 8 * n - 3);
  EXPECT_EQ(to_int((isl.variable("N") + isl.number(7)) / 8), ceil_div(n, 8));
  EXPECT_EQ(to_int(to_value(isl, *(2 * floor_div(m + n, 4) - n))), 2 * floor_div(m + n, 4) - n);
  EXPECT_FALSE(to_int(to_value(isl, *least({m, n})))) << "of two pieces";
  EXPECT_TRUE(same(to_value(isl, *(m * n + n)), isl.variable("M * N") + isl.variable("N")));
}

} // namespace
