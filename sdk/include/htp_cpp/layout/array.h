// htp_cpp/layout/array.h — the array that a tensor's layout means: which strides it has, on one device.
#pragma once

#include "htp_cpp/layout/relayout.h"

#include <optional>

namespace htp::layout {

// The axes of a layout that are no memory: units of a machine, or devices of a mesh.
inline std::vector<std::string> units_of(const Layout &layout) {
  std::vector<std::string> axes;
  for (const auto &[axis, count] : moves::devices_of(layout, layout)) axes.push_back(axis);
  return axes;
}

// What of a layout lies in one memory: without the digits, the copies and the partial values that go from unit to unit.
inline Result<Layout> in_memory(const Layout &layout) {
  Fields fields{{}, {}, {}, {}};
  const auto along = [](const Term &t, bool memory) {
    return std::ranges::any_of(t.steps, [&](const Point &p) {
      return std::ranges::any_of(p, [&](const auto &at) { return is_local(at.first) == memory; });
    });
  };
  for (const auto &[from, to] : {std::pair(&layout.terms(), &fields.terms), {&layout.replicate(), &fields.replicate}})
    for (const Term &t : *from) {
      if (along(t, true) && along(t, false))
        return No{"a digit of " + std::to_string(t.extent) + " goes along memory and from unit to unit"};
      if (along(t, true)) to->push_back(t);
    }
  for (const Pending &p : layout.pending())
    if (along(p.term, true)) return No{"partial values lie beside each other in memory"};
  for (const auto &[axis, n] : layout.offset())
    if (is_local(axis)) fields.offset.add(axis, n);
  return Layout::make(std::move(fields));
}

// Whether what lies in one memory lies there row-major, without gaps, from its beginning on.
inline bool is_row_major(const Layout &layout) {
  const auto local = in_memory(layout);
  if (!local || !local->plain() || !local->offset().nowhere() || local->terms().size() > 1) return false;
  return local->terms().empty() || local->terms()[0] == Term::of(local->size(), 1, memory_axis);
}

// The steps in elements along each dimension of an array of this shape that lies as the layout says. Where it is
// distributed one device holds all of it, row-major, as each device's slice is said to lie. An array begins at its
// first element, so its layout has no offset; a dimension of one element has the step of a row-major array.
inline Result<std::vector<int64_t>> array_steps(const Layout &layout, const std::vector<int64_t> &shape) {
  const std::vector<int64_t> rows = row_strides(shape);
  if (layout.size() != product_of(shape))
    return No{"a layout of " + std::to_string(layout.size()) + " elements has not the shape " + shape_text(shape)};
  if (!units_of(layout).empty()) {
    if (!is_row_major(layout)) return No{"the slice of a device does not lie row-major"};
    return rows;
  }
  auto steps = to_strides(layout, shape);
  if (!steps) return steps.no();
  if (steps->offset != 0)
    return No{"it begins at element " + std::to_string(steps->offset) + ", and an array begins at its first"};
  for (size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 1) steps->strides[k] = rows[k];
    if (steps->strides[k] < 0) return No{"dimension " + std::to_string(k) + " runs backwards"};
  }
  return steps->strides;
}

// The elements from the first of an array to its last, gaps between them included.
inline int64_t array_span(const std::vector<int64_t> &steps, const std::vector<int64_t> &shape) {
  int64_t last = 0;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (shape[k] == 0) return 0;
    last = plus(last, times(shape[k] - 1, steps[k]));
  }
  return plus(last, 1);
}

// Where each element of a tensor lies in its storage, counted from the first element: of any layout in one memory, in
// blocks and swizzled too. Of what is spread over devices, one holds all of it, row-major.
class Places {
public:
  static Result<Places> of(const Layout &layout, const std::vector<int64_t> &shape) {
    if (layout.size() != product_of(shape))
      return No{"a layout of " + std::to_string(layout.size()) + " elements has not the shape " + shape_text(shape)};
    Places made;
    if (!units_of(layout).empty()) {
      if (!is_row_major(layout)) return No{"the slice of a device does not lie row-major"};
      made.digits_ = {{layout.size(), {1}}};
      made.span_ = layout.size();
      return made;
    }
    if (!layout.plain()) return No{"its elements lie in more than one place"};
    if (!layout.offset().nowhere())
      return No{"it begins at element " + std::to_string(layout.offset()[memory_axis]) +
                ", and an array begins at its first"};
    for (size_t k = layout.terms().size(); k-- > 0;) {
      Digit digit{layout.terms()[k].extent, {}};
      for (const Point &step : layout.terms()[k].steps) digit.steps.push_back(step[memory_axis]);
      if (std::ranges::any_of(digit.steps, [](int64_t step) { return step < 0; })) return No{"it runs backwards"};
      made.span_ =
          plus(made.span_, digit.steps.size() > 1 ? most_of(digit.steps) : times(digit.extent - 1, digit.steps[0]));
      made.digits_.push_back(std::move(digit));
    }
    return made;
  }
  // Of the element with this row-major index.
  int64_t at(int64_t index) const {
    int64_t place = 0;
    for (const Digit &d : digits_) {
      const int64_t value = index % d.extent;
      index /= d.extent;
      if (d.steps.size() == 1) {
        place += value * d.steps[0];
        continue;
      }
      int64_t both = 0;
      for (size_t bit = 0; bit < d.steps.size(); ++bit)
        if (value >> bit & 1) both ^= d.steps[bit];
      place += both;
    }
    return place;
  }
  // The elements from the first of the storage to its last, gaps between them included.
  int64_t span() const { return span_; }
  // The digits of the index, fastest first: a step, or one for each bit of what is combined by exclusive or.
  struct Digit {
    int64_t extent;
    std::vector<int64_t> steps;
  };
  const std::vector<Digit> &digits() const { return digits_; }

private:
  std::vector<Digit> digits_;
  int64_t span_ = 1;
};

// A digit of an index of a tensor: `index / unit % extent` moves an element by its step, or each of its bits by one,
// combined by exclusive or.
struct IndexDigit {
  std::optional<size_t> dimension; // of the tensor; none: its row-major index
  int64_t unit = 1, extent = 1;
  bool highest = false; // nothing of the index is behind it
  std::vector<int64_t> steps;
};

// The digits of places as digits of an index along one dimension each, where they are that; the last dimension's first,
// and of each dimension the fastest.
inline std::vector<IndexDigit> index_digits(const Places &places, const std::vector<int64_t> &shape) {
  const std::vector<int64_t> rows = row_strides(shape);
  const int64_t count = product_of(shape);
  std::vector<IndexDigit> found;
  int64_t at = 1;
  for (Places::Digit d : places.digits()) {
    while (d.extent > 1) {
      size_t k = shape.size() - 1; // the dimension that it begins in
      while (k > 0 && rows[k] * shape[k] <= at) --k;
      const int64_t unit = at / rows[k], left = shape[k] / unit;
      const bool begins = at % rows[k] == 0 && shape[k] % unit == 0;
      IndexDigit one{k, unit, d.extent, unit * d.extent == shape[k], d.steps};
      if (begins && left % d.extent == 0) {
        d.extent = 1;
      } else if (begins && d.steps.size() == 1 && left > 1 && d.extent % left == 0) {
        one.extent = left, one.highest = true;
        d.extent /= left, d.steps[0] *= left;
      } else {
        one = {std::nullopt, at, d.extent, at * d.extent == count, d.steps};
        d.extent = 1;
      }
      at *= one.extent;
      found.push_back(std::move(one));
    }
  }
  return found;
}

} // namespace htp::layout
