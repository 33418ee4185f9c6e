// htp_cpp/layout/point.h — points: whole numbers on named axes. Arithmetic saturates at `far`, so that nothing wraps
// around unseen; a layout that reaches so far is refused when it is made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace htp::layout {

inline constexpr int64_t far = int64_t{1} << 60;

inline int64_t clamped(int64_t n) { return std::clamp(n, -far, far); }
inline int64_t plus(int64_t a, int64_t b) { return clamped(clamped(a) + clamped(b)); }
inline int64_t times(int64_t a, int64_t b) {
  int64_t n = 0;
  if (__builtin_mul_overflow(a, b, &n)) return (a < 0) == (b < 0) ? far : -far;
  return clamped(n);
}
inline bool power_of_two(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }
inline unsigned log2_of(int64_t n) { return static_cast<unsigned>(__builtin_ctzll(static_cast<uint64_t>(n))); }

inline int64_t product_of(const std::vector<int64_t> &extents) {
  int64_t n = 1;
  for (const int64_t e : extents) n = times(n, e);
  return n;
}

// Where something is, or how far a step goes. An axis that is not named is at 0, and none is named that is.
class Point {
public:
  using Map = std::map<std::string, int64_t, std::less<>>;

  Point() = default;
  Point(std::string_view axis, int64_t at) { add(axis, at); }
  Point(std::initializer_list<std::pair<std::string_view, int64_t>> coordinates) {
    for (const auto &[axis, at] : coordinates) add(axis, at);
  }

  int64_t operator[](std::string_view axis) const {
    const auto found = coordinates_.find(axis);
    return found == coordinates_.end() ? 0 : found->second;
  }
  void add(std::string_view axis, int64_t n) {
    if (n == 0) return;
    auto &at = coordinates_.emplace(axis, 0).first->second;
    if ((at = plus(at, n)) == 0) coordinates_.erase(coordinates_.find(axis));
  }

  bool nowhere() const { return coordinates_.empty(); }
  size_t axes() const { return coordinates_.size(); }
  Map::const_iterator begin() const { return coordinates_.begin(); }
  Map::const_iterator end() const { return coordinates_.end(); }

  friend Point operator+(Point a, const Point &b) {
    for (const auto &[axis, n] : b) a.add(axis, n);
    return a;
  }
  friend Point operator*(const Point &a, int64_t n) {
    Point result;
    for (const auto &[axis, at] : a) result.add(axis, times(at, n));
    return result;
  }
  friend Point operator-(const Point &a) { return a * -1; }
  friend Point operator-(const Point &a, const Point &b) { return a + b * -1; }
  // Bit by bit; of points that are not negative.
  friend Point operator^(const Point &a, const Point &b) {
    return bitwise(a, b, [](int64_t x, int64_t y) { return x ^ y; });
  }
  friend Point operator|(const Point &a, const Point &b) {
    return bitwise(a, b, [](int64_t x, int64_t y) { return x | y; });
  }
  friend bool operator==(const Point &, const Point &) = default;
  friend auto operator<=>(const Point &, const Point &) = default;

  bool negative() const {
    return std::ranges::any_of(coordinates_, [](const auto &at) { return at.second < 0; });
  }
  bool too_far() const {
    return std::ranges::any_of(coordinates_, [](const auto &at) { return at.second <= -far || at.second >= far; });
  }

private:
  template <class F> static Point bitwise(const Point &a, const Point &b, F f) {
    Point result;
    for (const auto &[axis, at] : a) result.add(axis, f(at, b[axis]));
    for (const auto &[axis, at] : b)
      if (a[axis] == 0) result.add(axis, f(0, at));
    return result;
  }

  Map coordinates_;
};

// Whether two points have no bit of an axis in common, so that + and ^ are the same.
inline bool apart(const Point &a, const Point &b) {
  return std::ranges::none_of(a, [&](const auto &at) { return (at.second & b[at.first]) != 0; });
}

} // namespace htp::layout
