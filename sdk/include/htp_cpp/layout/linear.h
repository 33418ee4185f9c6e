// htp_cpp/layout/linear.h — linear layouts over F2: each bit of the index has a point, and an index lies at the
// exclusive or of its bits' points. Swizzles compose and invert here, as matrices. Triton writes such layouts the other
// way round, from units of hardware to elements.
#pragma once

#include "htp_cpp/layout/core.h"

namespace htp::layout {

struct Bits {
  std::vector<Point> index{}; // of each bit of the index, lowest first
  Point offset{};
  std::vector<Term> replicate{};
  std::vector<Pending> pending{};
};

namespace linear {

// The steps of the bits of digits, lowest first; nothing when + would carry somewhere, or an extent is no power of two.
inline std::optional<std::vector<Point>> steps(const std::vector<Term> &terms) {
  std::vector<Point> low_first;
  Point seen;
  for (size_t k = terms.size(); k-- > 0;) {
    const Term &t = terms[k];
    if (!power_of_two(t.extent)) return std::nullopt;
    if (t.is_xor()) {
      Point block;
      for (const Point &step : t.steps) block = block | step;
      if (!apart(block, seen)) return std::nullopt;
      seen = seen | block;
      low_first.insert(low_first.end(), t.steps.begin(), t.steps.end());
      continue;
    }
    if (t.steps[0].negative()) return std::nullopt;
    for (int64_t n = 1; n < t.extent; n *= 2) {
      low_first.push_back(t.steps[0] * n);
      if (!apart(low_first.back(), seen)) return std::nullopt;
      seen = seen | low_first.back();
    }
  }
  return low_first;
}

inline Point all_of(const std::vector<Point> &steps) {
  Point all;
  for (const Point &step : steps) all = all | step;
  return all;
}

inline unsigned width_of(int64_t n) {
  return n == 0 ? 0 : 64 - static_cast<unsigned>(__builtin_clzll(static_cast<uint64_t>(n)));
}

// The bits of points on named axes as one word, the last axis in its low bits.
struct Frame {
  struct Axis {
    std::string name;
    unsigned width, at;
  };
  std::vector<Axis> axes;
  unsigned width = 0;

  Frame(const std::vector<std::string> &names, const Point &all) {
    for (size_t k = names.size(); k-- > 0;) {
      axes.insert(axes.begin(), {names[k], width_of(all[names[k]]), width});
      width += axes.front().width;
    }
  }
  uint64_t word(const Point &p) const {
    uint64_t bits = 0;
    for (const Axis &a : axes) bits |= static_cast<uint64_t>(p[a.name]) << a.at;
    return bits;
  }
  std::string text(uint64_t word) const {
    std::string result;
    for (const Axis &a : axes)
      if (a.width)
        result +=
            (result.empty() ? "" : ", ") + a.name + " " + std::to_string(word >> a.at & ((uint64_t{1} << a.width) - 1));
    return result;
  }
};

// For each bit of a word the columns whose exclusive or it is; the reason names a word that is none, or says that there
// are two ways to get one.
struct Solved {
  std::vector<uint64_t> by_bit;
  std::optional<uint64_t> missing{};   // the lowest word that no columns give
  std::optional<size_t> superfluous{}; // a column that others give
};
inline Solved solve(const std::vector<uint64_t> &columns, unsigned width) {
  struct Row {
    uint64_t word, made_of;
  };
  std::vector<std::optional<Row>> leading(width); // a row whose highest bit is this one
  Solved result{std::vector<uint64_t>(width)};
  for (size_t k = 0; k < columns.size(); ++k) {
    Row row{columns[k], uint64_t{1} << k};
    for (unsigned bit = width; bit-- > 0 && row.word;)
      if (row.word >> bit & 1) {
        if (!leading[bit]) {
          leading[bit] = row;
          break;
        }
        row.word ^= leading[bit]->word, row.made_of ^= leading[bit]->made_of;
      }
    if (row.word == 0 && !result.superfluous) result.superfluous = k;
  }
  for (unsigned bit = 0; bit < width; ++bit) {
    if (!leading[bit]) {
      result.missing = uint64_t{1} << bit;
      return result;
    }
    Row row = *leading[bit];
    for (unsigned low = bit; low-- > 0;)
      if (row.word >> low & 1) row.word ^= uint64_t{1} << low, row.made_of ^= result.by_bit[low];
    result.by_bit[bit] = row.made_of;
  }
  return result;
}

} // namespace linear

// Nothing when the layout is not linear over F2.
inline std::optional<Bits> bits_of(const Layout &layout) {
  auto index = linear::steps(layout.terms());
  if (!index) return std::nullopt;
  return Bits{std::move(*index), layout.offset(), layout.replicate(), layout.pending()};
}

inline Result<Layout> layout_of(const Bits &bits) {
  Fields fields{.replicate = bits.replicate, .pending = bits.pending, .offset = bits.offset};
  if (bits.index.size() >= 60) return No{"the layout reaches further than whole numbers go"};
  if (!bits.index.empty()) fields.terms = {{int64_t{1} << bits.index.size(), bits.index}};
  return Layout::make(std::move(fields));
}

// x ↦ a(b(x)), b's points on `axis` being indices of a.
inline Result<Bits> compose(const Bits &a, const Bits &b, std::string_view axis) {
  const No carries{"the offset carries into the bits of a linear layout"};
  const auto map = [&](const Point &p) {
    Point result;
    for (size_t k = 0; k < a.index.size(); ++k)
      if (p[axis] >> k & 1) result = result ^ a.index[k];
    return result;
  };
  Bits result{.replicate = a.replicate, .pending = a.pending};
  if (b.offset.negative() || !apart(b.offset, linear::all_of(b.index))) return carries;
  for (const Point &step : b.index) result.index.push_back(map(step));
  const Point offset = map(b.offset);
  Point seen = linear::all_of(result.index);
  if (!apart(offset, seen)) return carries;
  result.offset = a.offset + offset;
  seen = seen | offset;
  if (b.replicate.empty()) return result;
  const auto copies = linear::steps(b.replicate);
  if (!copies || !apart(linear::all_of(*copies), linear::all_of(b.index) | b.offset)) return carries;
  for (const Point &copy : *copies) {
    if (!apart(map(copy), seen)) return carries;
    seen = seen | map(copy);
    result.replicate.push_back({2, {map(copy)}});
  }
  return result;
}

// From the points of `axes`, row-major, to the index on `to`.
struct InverseBits {
  Bits bits;
  std::vector<std::pair<std::string, int64_t>> space;
};
inline Result<InverseBits> invert(const Bits &bits, const std::vector<std::string> &axes, std::string_view to) {
  const auto copies = linear::steps(bits.replicate);
  if (!copies || !apart(linear::all_of(*copies), linear::all_of(bits.index)))
    return No{"copies that are not apart from the elements by bits are not inverted over F2"};
  std::vector<Point> columns = bits.index;
  columns.insert(columns.end(), copies->begin(), copies->end());
  const linear::Frame frame(axes, linear::all_of(columns));
  if (frame.width >= 60) return No{"the layout reaches further than whole numbers go"};
  std::vector<uint64_t> words;
  for (const Point &p : columns) words.push_back(frame.word(p));
  const linear::Solved solved = linear::solve(words, frame.width);
  if (solved.superfluous)
    return No{"two elements have one position: the index bit " + std::to_string(*solved.superfluous) +
              " moves to where others do"};
  if (solved.missing) return No{"nothing lies at " + frame.text(*solved.missing)};
  InverseBits result;
  for (const uint64_t made_of : solved.by_bit) {
    Point index;
    for (size_t k = 0; k < bits.index.size(); ++k)
      if (made_of >> k & 1) index.add(to, int64_t{1} << k);
    result.bits.index.push_back(std::move(index));
  }
  for (const auto &axis : frame.axes) result.space.emplace_back(axis.name, int64_t{1} << axis.width);
  return result;
}

// As Triton writes one: for each bit of each unit of hardware ("register", "lane", "warp", "block") the coordinates in
// a tensor of `shape` that it moves to. Units and their bits lowest first.
struct Linear {
  struct Unit {
    std::string name;
    std::vector<std::vector<int64_t>> bases;
    friend bool operator==(const Unit &, const Unit &) = default;
  };
  std::vector<Unit> units;
  std::vector<int64_t> shape;
  friend bool operator==(const Linear &, const Linear &) = default;
};

inline Result<Layout> from_linear(const Linear &linear) {
  unsigned width = 0;
  for (const int64_t e : linear.shape) {
    if (!power_of_two(e))
      return No{"an extent of " + std::to_string(e) + " is no power of two, and so not linear over F2"};
    width += log2_of(e);
  }
  const auto coordinates = [&](uint64_t index) {
    std::string text;
    for (size_t k = linear.shape.size(); k-- > 0; index /= static_cast<uint64_t>(linear.shape[k]))
      text = std::to_string(index % static_cast<uint64_t>(linear.shape[k])) + (text.empty() ? "" : ", ") + text;
    return "(" + text + ")";
  };
  Bits bits;
  std::vector<uint64_t> words;
  std::vector<Point> points;
  for (const Linear::Unit &unit : linear.units)
    for (size_t k = 0; k < unit.bases.size(); ++k) {
      uint64_t word = 0;
      const std::string named = unit.name + " " + std::to_string(int64_t{1} << k);
      if (unit.bases[k].size() != linear.shape.size()) return No{named + " has not one coordinate for each dimension"};
      for (size_t d = 0; d < linear.shape.size(); ++d) {
        if (unit.bases[k][d] < 0 || unit.bases[k][d] >= linear.shape[d])
          return No{named + " moves to " + std::to_string(unit.bases[k][d]) + " in a dimension of " +
                    std::to_string(linear.shape[d])};
        word = word * static_cast<uint64_t>(linear.shape[d]) + static_cast<uint64_t>(unit.bases[k][d]);
      }
      const Point point(unit.name, int64_t{1} << k);
      if (word == 0) {
        bits.replicate.push_back({2, {point}});
      } else {
        words.push_back(word);
        points.push_back(point);
      }
    }
  if (words.size() > 60) return No{"the layout reaches further than whole numbers go"};
  const auto solved = linear::solve(words, width);
  if (solved.missing) return No{"no unit holds the element " + coordinates(*solved.missing)};
  if (solved.superfluous) {
    const auto &[unit, at] = *points[*solved.superfluous].begin();
    return No{unit + " " + std::to_string(at) +
              " holds what other units hold, and not as a copy of its own: its basis is made of theirs"};
  }
  for (const uint64_t made_of : solved.by_bit) {
    Point point;
    for (size_t k = 0; k < points.size(); ++k)
      if (made_of >> k & 1) point = point ^ points[k];
    bits.index.push_back(std::move(point));
  }
  return layout_of(bits);
}

// `units` in Triton's order, registers first.
inline Result<Linear> to_linear(const Layout &layout, const std::vector<int64_t> &shape,
                                const std::vector<std::string> &units) {
  if (product_of(shape) != layout.size())
    return No{"a layout of " + std::to_string(layout.size()) + " elements has not this shape"};
  if (!layout.pending().empty()) return No{"a linear layout over F2 has no partial values"};
  if (!layout.offset().nowhere()) return No{"a linear layout over F2 has no offset"};
  for (const int64_t e : shape)
    if (!power_of_two(e))
      return No{"an extent of " + std::to_string(e) + " is no power of two, and so not linear over F2"};
  for (const auto &[axis, n] : reach_of(layout.fields()).high)
    if (std::ranges::find(units, axis) == units.end()) return No{"the axis \"" + axis + "\" is no unit"};
  const auto bits = bits_of(layout);
  if (!bits) return No{"steps whose bits meet carry, which is not linear over F2"};
  const auto inverse = invert(*bits, {units.rbegin(), units.rend()}, "i");
  if (!inverse) return inverse.no();
  Linear result{{}, shape};
  size_t bit = 0;
  for (const std::string &name : units) {
    Linear::Unit unit{name, {}};
    const auto space = std::ranges::find(inverse->space, name, &std::pair<std::string, int64_t>::first);
    for (int64_t n = 1; n < space->second; n *= 2) {
      int64_t index = inverse->bits.index[bit++]["i"];
      std::vector<int64_t> basis(shape.size());
      for (size_t d = shape.size(); d-- > 0; index /= shape[d]) basis[d] = index % shape[d];
      unit.bases.push_back(std::move(basis));
    }
    result.units.push_back(std::move(unit));
  }
  return result;
}

} // namespace htp::layout
