// What int expressions are worth: at a point, and over ranges.
#include "htp_cpp/int_ranges.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace htp::sdk {

namespace {

__extension__ using Wide = __int128;

constexpr Wide least64 = std::numeric_limits<int64_t>::min(), most64 = std::numeric_limits<int64_t>::max();
constexpr Wide infinite = Wide{1} << 100;

std::optional<int64_t> fitting(Wide n) {
  return n < least64 || n > most64 ? std::nullopt : std::optional(static_cast<int64_t>(n));
}
int64_t floored(int64_t a, int64_t by) { return a / by - (a % by < 0); }

// A range whose ends fit 64 bits, or are ±infinite: what does not fit is widened.
struct Ends {
  Wide low = 0, high = 0;

  static Ends of(const IntRange &r) {
    return {r.least ? Wide{*r.least} : -infinite, r.most ? Wide{*r.most} : infinite};
  }
  IntRange range() const { return {fitting(low), fitting(high)}; }
  Ends opposite() const { return {-high, -low}; }
  Ends widened() const {
    return {low < least64 ? -infinite : std::min(low, most64), high > most64 ? infinite : std::max(high, least64)};
  }
};
Ends operator+(const Ends &a, const Ends &b) { return Ends{a.low + b.low, a.high + b.high}.widened(); }
Ends operator*(const Ends &a, const Ends &b) {
  const auto times = [](Wide x, Wide y) -> Wide {
    if (x == 0 || y == 0) return 0;
    const bool far = x <= -infinite || x >= infinite || y <= -infinite || y >= infinite;
    return !far ? x * y : (x < 0) == (y < 0) ? infinite : -infinite;
  };
  const auto [low, high] =
      std::minmax({times(a.low, b.low), times(a.low, b.high), times(a.high, b.low), times(a.high, b.high)});
  return Ends{low, high}.widened();
}
Ends least_of(const Ends &a, const Ends &b) { return {std::min(a.low, b.low), std::min(a.high, b.high)}; }
Ends most_of(const Ends &a, const Ends &b) { return {std::max(a.low, b.low), std::max(a.high, b.high)}; }

} // namespace

IntRange operator+(const IntRange &a, const IntRange &b) { return (Ends::of(a) + Ends::of(b)).range(); }
IntRange operator-(const IntRange &a, const IntRange &b) { return (Ends::of(a) + Ends::of(b).opposite()).range(); }
IntRange operator-(const IntRange &a) { return Ends::of(a).opposite().widened().range(); }
IntRange operator*(const IntRange &a, const IntRange &b) { return (Ends::of(a) * Ends::of(b)).range(); }
IntRange least(const IntRange &a, const IntRange &b) { return least_of(Ends::of(a), Ends::of(b)).range(); }
IntRange most(const IntRange &a, const IntRange &b) { return most_of(Ends::of(a), Ends::of(b)).range(); }
IntRange hull(const IntRange &a, const IntRange &b) {
  const Ends x = Ends::of(a), y = Ends::of(b);
  return Ends{least_of(x, y).low, most_of(x, y).high}.range();
}

std::optional<int64_t>
IntExpr::value(const std::function<std::optional<int64_t>(const std::string &)> &value_of) const {
  const auto of_atom = [&](const IntAtom &a) -> std::optional<int64_t> {
    std::vector<int64_t> of;
    for (const IntExpr &one : a.of) {
      const auto value = one.value(value_of);
      if (!value) return std::nullopt;
      of.push_back(*value);
    }
    switch (a.kind) {
    case IntAtom::Kind::quotient: return floored(of[0], a.by);
    case IntAtom::Kind::remainder: return of[0] - floored(of[0], a.by) * a.by;
    case IntAtom::Kind::least: return std::ranges::min(of);
    case IntAtom::Kind::most: return std::ranges::max(of);
    default: return value_of(a.text);
    }
  };
  Wide all = 0;
  for (const auto &[product, factor] : terms_) {
    Wide term = factor;
    for (const IntFactor &f : product) {
      const auto value = of_atom(*f);
      if (!value || __builtin_mul_overflow(term, Wide{*value}, &term)) return std::nullopt;
    }
    if (__builtin_add_overflow(all, term, &all)) return std::nullopt;
  }
  return fitting(all);
}

IntRange IntExpr::range(const std::function<IntRange(const std::string &)> &range_of) const {
  const auto of_atom = [&](const IntAtom &a) -> IntRange {
    std::vector<Ends> of;
    for (const IntExpr &one : a.of) of.push_back(Ends::of(one.range(range_of)));
    switch (a.kind) {
    case IntAtom::Kind::quotient:
    case IntAtom::Kind::remainder: {
      const IntRange r = of[0].range();
      const auto low = r.least ? std::optional(floored(*r.least, a.by)) : std::nullopt;
      const auto high = r.most ? std::optional(floored(*r.most, a.by)) : std::nullopt;
      if (a.kind == IntAtom::Kind::quotient) return {low, high};
      if (low && low == high) return {*r.least - *low * a.by, *r.most - *high * a.by};
      return {0, a.by - 1};
    }
    case IntAtom::Kind::least:
    case IntAtom::Kind::most: {
      Ends found = of[0];
      for (const Ends &e : of) found = a.kind == IntAtom::Kind::least ? least_of(found, e) : most_of(found, e);
      return found.range();
    }
    default: return range_of(a.text);
    }
  };
  Ends all;
  for (const auto &[product, factor] : terms_) {
    Ends term{factor, factor};
    for (const IntFactor &f : product) term = term * Ends::of(of_atom(*f));
    all = all + term;
  }
  return all.range();
}

} // namespace htp::sdk
