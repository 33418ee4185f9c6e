// What a layout means, by enumeration from its parts alone, and random ones. The same cases on every machine; with
// HTP_LONG=1 in the environment there are many more.
#pragma once

#include "htp_cpp/layout/core.h"

#include <cstdlib>
#include <stdexcept>

namespace htp::layout {

inline size_t cases(size_t in_short) {
  const char *text = std::getenv("HTP_LONG");
  return text && *text == '1' ? std::max<size_t>(100'000, 20 * in_short) : in_short;
}

class Random {
public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}
  // From `low` to `high`, both included.
  int64_t operator()(int64_t low, int64_t high) {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t z = state_;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return low + static_cast<int64_t>((z ^ z >> 31) % static_cast<uint64_t>(high - low + 1));
  }
  bool once_in(int64_t n) { return (*this)(1, n) == 1; }
  template <class T> const T &of(const std::vector<T> &items) {
    return items[static_cast<size_t>((*this)(0, static_cast<int64_t>(items.size()) - 1))];
  }
  template <class T> void shuffle(std::vector<T> &items) {
    for (size_t k = items.size(); k > 1; --k)
      std::swap(items[k - 1], items[static_cast<size_t>((*this)(0, static_cast<int64_t>(k) - 1))]);
  }

private:
  uint64_t state_;
};

inline const std::vector<std::string> axes{"a", "b", "i", "m"};

// A place as numbers along `axes`: unlike Point this is ordered alike everywhere.
using Place = std::vector<int64_t>;
inline Place place_of(const Point &p) {
  Place place;
  for (const std::string &axis : axes) place.push_back(p[axis]);
  return place;
}

struct Meaning {
  std::vector<Place> first; // of each element the lowest copy of the lowest parts
  std::set<Place> copies;   // from there
  std::map<std::string, std::set<Place>> parts;
  friend bool operator==(const Meaning &, const Meaning &) = default;
  friend auto operator<=>(const Meaning &, const Meaning &) = default;
};

// Places of digits, by definition: no code of the library but Point's arithmetic on single numbers.
inline std::vector<Point> places_of(const std::vector<Term> &terms) {
  std::vector<Point> places{Point()};
  for (const Term &t : terms) {
    std::vector<Point> more;
    for (const Point &p : places)
      for (int64_t d = 0; d < t.extent; ++d) {
        Point moved = p;
        std::map<std::string, int64_t> by;
        for (size_t k = 0; k < t.steps.size(); ++k)
          for (const auto &[axis, n] : t.steps[k]) {
            if (t.steps.size() == 1)
              by[axis] += n * d;
            else if (d >> k & 1)
              by[axis] ^= n;
          }
        for (const auto &[axis, n] : by) moved.add(axis, n);
        more.push_back(moved);
      }
    places = std::move(more);
  }
  return places;
}

// Nothing when two copies or parts lie in one place.
inline std::optional<Meaning> meaning_of(const Fields &parts) {
  Meaning meaning;
  std::vector<Term> all = parts.replicate;
  for (const Pending &p : parts.pending) all.push_back(p.term);
  std::set<Place> distinct;
  for (const Point &p : places_of(all))
    if (!distinct.insert(place_of(p)).second) return std::nullopt;
  Place shift = place_of(parts.offset);
  const auto from_lowest = [&](const std::vector<Term> &terms) {
    std::set<Place> places, moved;
    for (const Point &p : places_of(terms)) places.insert(place_of(p));
    const Place lowest = *places.begin();
    for (Place p : places) {
      for (size_t k = 0; k < p.size(); ++k) p[k] -= lowest[k];
      moved.insert(p);
    }
    for (size_t k = 0; k < shift.size(); ++k) shift[k] += lowest[k];
    return moved;
  };
  meaning.copies = from_lowest(parts.replicate);
  std::map<std::string, std::vector<Term>> by_op;
  for (const Pending &p : parts.pending)
    if (p.term.extent > 1) by_op[p.op].push_back(p.term);
  for (const auto &[op, terms] : by_op) meaning.parts[op] = from_lowest(terms);
  for (const Point &p : places_of(parts.terms)) {
    Place place = place_of(p);
    for (size_t k = 0; k < place.size(); ++k) place[k] += shift[k];
    meaning.first.push_back(place);
  }
  return meaning;
}

inline Point random_step(Random &random, int64_t low, int64_t high) {
  Point step(random.of(axes), random(low, high));
  if (random.once_in(6)) step.add(random.of(axes), random(low, high));
  return step;
}
inline Term random_term(Random &random, int64_t most) {
  if (random.once_in(3) && most >= 4) {
    const auto bits = random(2, most >= 8 ? 3 : 2);
    Term t{int64_t{1} << bits, {}};
    for (int64_t k = 0; k < bits; ++k) t.steps.push_back(random.once_in(8) ? Point() : random_step(random, 0, 9));
    return t;
  }
  return {random(1, std::min<int64_t>(most, 6)), {random.once_in(10) ? Point() : random_step(random, -3, 8)}};
}
// Of at most `size` elements; often with parts that may be said otherwise.
inline Fields random_parts(Random &random, int64_t size, bool plain = false) {
  Fields parts;
  while (size > 1 && !random.once_in(5)) {
    Term t = random_term(random, size);
    if (!parts.terms.empty() && !parts.terms.front().is_xor() && random.once_in(2)) // goes on where the last one ends
      t = {t.extent, {parts.terms.front().steps[0] * parts.terms.front().extent}};
    size /= t.extent;
    parts.terms.insert(parts.terms.begin(), std::move(t));
  }
  if (random.once_in(3)) parts.offset = random_step(random, -3, 9);
  if (plain) return parts;
  for (auto n = random(0, 3); n > 0 && random.once_in(2); --n)
    parts.replicate.push_back({random(1, 4), {random_step(random, -6, 12)}});
  for (auto n = random(0, 2); n > 0 && random.once_in(3); --n)
    parts.pending.push_back(
        {random.of(std::vector<std::string>{"sum", "max"}), {random(1, 3), {random_step(random, -6, 12)}}});
  return parts;
}

// All coordinates of a shape, row-major.
inline std::vector<std::vector<int64_t>> coordinates(const std::vector<int64_t> &shape) {
  std::vector<std::vector<int64_t>> all{{}};
  for (const int64_t extent : shape) {
    std::vector<std::vector<int64_t>> more;
    for (const auto &at : all)
      for (int64_t d = 0; d < extent; ++d) {
        more.push_back(at);
        more.back().push_back(d);
      }
    all = std::move(more);
  }
  return all;
}

inline Layout layout(Fields parts) {
  auto made = Layout::make(std::move(parts));
  if (!made) throw std::runtime_error(made.reason());
  return *made;
}
// Memory only, of these extents with pairs of strides as they come.
inline Layout random_layout(Random &random, int64_t size, bool plain = true) {
  for (;;)
    if (auto made = Layout::make(random_parts(random, size, plain))) return *made;
}

} // namespace htp::layout
