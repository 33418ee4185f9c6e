// htp_cpp/layout/core.h — a layout: where the elements of a tensor lie. The logical index, row-major, is cut into
// digits; each digit moves the element by its step along named axes ("m" is memory, every other axis counts units of a
// machine). Beside that there may be copies (`replicate`), partial values that are still to be combined (`pending`),
// and an offset of everything.
//
//     position(x) = offset + Σ digit(x, k) · step(k)  + { copies } + { partial values }
//
// A digit of a power of two may combine its steps bit by bit with exclusive or instead: that is a swizzle, a block of a
// linear layout over F2. A Layout is always in its canonical form: two layouts are == exactly when they put every
// element, copy and partial value at the same points.
#pragma once

#include "htp_cpp/layout/point.h"
#include "htp_cpp/layout/result.h"

#include <numeric>
#include <optional>
#include <set>

namespace htp::layout {

// One digit: `extent` values. With one step the digit d moves by d · steps[0]; with several, one for each of its bits,
// lowest first, it moves by the exclusive or of those whose bit is set.
struct Term {
  int64_t extent = 1;
  std::vector<Point> steps;

  static Term of(int64_t extent, int64_t stride, std::string_view axis) { return {extent, {Point(axis, stride)}}; }
  bool is_xor() const { return steps.size() > 1; }
  Point at(int64_t digit) const {
    if (!is_xor()) return steps[0] * digit;
    Point point;
    for (size_t k = 0; k < steps.size(); ++k)
      if (digit >> k & 1) point = point ^ steps[k];
    return point;
  }
  friend bool operator==(const Term &, const Term &) = default;
};

// Partial values of an element, which are to be combined by `op`: "sum", "max", "min".
struct Pending {
  std::string op;
  Term term;
  friend bool operator==(const Pending &, const Pending &) = default;
};

// What a layout is made of, canonical or not.
struct Fields {
  std::vector<Term> terms{};
  std::vector<Term> replicate{};
  std::vector<Pending> pending{};
  Point offset{};
  friend bool operator==(const Fields &, const Fields &) = default;
};

class Layout {
public:
  // The canonical form; refuses extents below 1, copies that have one position, and what reaches too far.
  static Result<Layout> make(Fields fields);

  const std::vector<Term> &terms() const { return fields_.terms; }
  const std::vector<Term> &replicate() const { return fields_.replicate; }
  const std::vector<Pending> &pending() const { return fields_.pending; }
  const Point &offset() const { return fields_.offset; }
  const Fields &fields() const { return fields_; }

  // The number of its elements.
  int64_t size() const {
    int64_t n = 1;
    for (const Term &t : fields_.terms) n *= t.extent;
    return n;
  }
  // Where the first copy (the first partial value) of an element lies.
  Point at(int64_t index) const {
    Point point = fields_.offset;
    for (size_t k = fields_.terms.size(); k-- > 0;) {
      point = point + fields_.terms[k].at(index % fields_.terms[k].extent);
      index /= fields_.terms[k].extent;
    }
    return point;
  }
  bool plain() const { return fields_.replicate.empty() && fields_.pending.empty(); }

  friend bool operator==(const Layout &, const Layout &) = default;

private:
  explicit Layout(Fields fields) : fields_(std::move(fields)) {}
  Fields fields_;
};

// The largest exclusive or of some of these numbers.
inline int64_t most_of(const std::vector<int64_t> &numbers) {
  std::vector<int64_t> basis; // descending, each with a leading bit of its own
  for (int64_t n : numbers) {
    for (const int64_t b : basis) n = std::min(n, n ^ b);
    if (n) basis.insert(std::ranges::upper_bound(basis, n, std::greater<>()), n);
  }
  int64_t most = 0;
  for (const int64_t b : basis) most = std::max(most, most ^ b);
  return most;
}

// How far digits reach along each axis, down and up, from where they are 0.
struct Reach {
  Point low, high;

  void extend(const Term &term) {
    if (!term.is_xor()) {
      for (const auto &[axis, n] : term.steps[0] * (term.extent - 1)) (n < 0 ? low : high).add(axis, n);
      return;
    }
    Point axes;
    for (const Point &step : term.steps) axes = axes | step;
    for (const auto &[axis, bits] : axes) {
      std::vector<int64_t> along;
      for (const Point &step : term.steps) along.push_back(step[axis]);
      high.add(axis, most_of(along));
    }
  }
};

// Of all elements of a layout, its offset left out.
inline Reach reach_of(const Fields &fields) {
  Reach reach;
  for (const Term &t : fields.terms) reach.extend(t);
  for (const Term &t : fields.replicate) reach.extend(t);
  for (const Pending &p : fields.pending) reach.extend(p.term);
  return reach;
}

} // namespace htp::layout

#include "htp_cpp/layout/canonical.h"
