// htp_cpp/layout/algebra.h — layouts made of layouts: compose, invert, product, slice, permute.
#pragma once

#include "htp_cpp/layout/linear.h"

namespace htp::layout {

// A layout whose points are logical indices has them on this axis.
inline constexpr std::string_view index_axis = "i";

// Up to so many elements a function that no rule covers is looked at element by element.
inline constexpr int64_t most_elements = int64_t{1} << 16;

// The digits of a function from [0, size) to points with f(0) = 0, by looking at all its values; nothing when it has
// none.
inline std::optional<std::vector<Term>> recognise(std::vector<Point> f) {
  std::vector<Term> low_first;
  while (f.size() > 1) {
    const auto ends_at = [&](size_t n) { // the digits below n are independent of those above
      if (f.size() % n != 0) return false;
      for (size_t x = n; x < f.size(); ++x)
        if (f[x] != f[x - x % n] + f[x % n]) return false;
      return true;
    };
    size_t run = 2, found = 0;
    while (run < f.size() && f[run] == f[1] * static_cast<int64_t>(run)) ++run;
    for (size_t n = run; n >= 2 && !found; --n)
      if (ends_at(n)) found = n;
    Term digit{static_cast<int64_t>(found), {f[1]}};
    if (!found) {
      digit.steps.clear();
      for (size_t n = 2; n <= f.size() && f.size() % n == 0; n *= 2) {
        if (f[n / 2].negative()) break;
        digit.steps.push_back(f[n / 2]);
        digit.extent = static_cast<int64_t>(n);
        bool linear = true;
        for (size_t x = n / 2; x < n && linear; ++x) linear = f[x] == (f[n / 2] ^ f[x - n / 2]);
        if (!linear) break;
        if (n > 2 && ends_at(n)) {
          found = n;
          break;
        }
      }
      if (!found) return std::nullopt;
    }
    low_first.push_back(digit);
    std::vector<Point> rest;
    for (size_t x = 0; x < f.size(); x += found) rest.push_back(f[x]);
    f = std::move(rest);
  }
  return std::vector<Term>(low_first.rbegin(), low_first.rend());
}

namespace algebra {

// The steps of b, an index of a, by a's digits.
class Composition {
public:
  Composition(const Layout &a, const Layout &b) : a_(a), b_(b) {
    int64_t position = 1;
    for (size_t k = a.terms().size(); k-- > 0;) {
      digits_.push_back({position, &a.terms()[k]});
      position *= a.terms()[k].extent;
    }
  }

  // Without a carry from one digit of a to the next each step of b is a step of a.
  Result<Layout> make() {
    Fields fields{.replicate = a_.replicate(), .pending = a_.pending(), .offset = a_.offset()};
    int64_t start = b_.offset()[index_axis];
    for (const Term &t : b_.terms())
      if (t.is_xor()) return No{"a swizzle is not composed with steps"};
    for (const auto *terms : {&b_.terms(), &b_.replicate()})
      for (const Term &t : *terms) start += std::min<int64_t>(0, t.steps[0][index_axis] * (t.extent - 1));
    used_ = start_ = split(start);
    for (size_t k = 0; k < digits_.size(); ++k) fields.offset = fields.offset + digits_[k].term->at(start_[k]);
    for (const auto *terms : {&b_.terms(), &b_.replicate()})
      for (const Term &t : *terms) {
        const auto made = steps(t, fields.offset);
        if (!made) return made.no();
        auto &into = terms == &b_.terms() ? fields.terms : fields.replicate;
        into.insert(into.end(), made->begin(), made->end());
      }
    for (size_t k = 0; k < digits_.size(); ++k)
      if (used_[k] >= digits_[k].term->extent)
        return No{"steps meet in a digit of " + std::to_string(digits_[k].term->extent) + " and reach " +
                  std::to_string(used_[k]) + " in it"};
    return Layout::make(std::move(fields));
  }

private:
  struct Digit {
    int64_t position; // what one of it is in the index
    const Term *term;
  };

  std::vector<int64_t> split(int64_t index) const {
    std::vector<int64_t> digits;
    for (const Digit &d : digits_) digits.push_back(index / d.position % d.term->extent);
    return digits;
  }

  // One digit of b as digits of the result, highest first.
  Result<std::vector<Term>> steps(const Term &t, Point &offset) {
    std::vector<Term> low_first;
    const int64_t stride = t.steps[0][index_axis];
    int64_t step = std::abs(stride), extent = t.extent;
    while (extent > 1) {
      const std::vector<int64_t> at = split(step);
      int64_t piece = extent;
      for (size_t k = 0; k < digits_.size(); ++k) {
        const int64_t values = digits_[k].term->extent;
        if (at[k] == 0 || (piece - 1) * at[k] < values) continue;
        if (values % at[k] != 0 || extent % (values / at[k]) != 0 || values / at[k] == 1)
          return No{std::to_string(extent) + " steps of " + std::to_string(step) + " do not fit a digit of " +
                    std::to_string(values) + " that starts at " + std::to_string(digits_[k].position)};
        piece = values / at[k];
      }
      Term made{piece, {Point()}};
      const Digit *block = nullptr;
      for (size_t k = 0; k < digits_.size(); ++k) {
        if (at[k] == 0) continue;
        used_[k] += (piece - 1) * at[k];
        if (digits_[k].term->is_xor())
          block = &digits_[k];
        else
          made.steps[0] = made.steps[0] + digits_[k].term->steps[0] * at[k];
      }
      if (block) {
        // Some of a block of exclusive ors: whole bits of it, and nothing beside it.
        const int64_t first = step / block->position;
        if (step % block->position != 0 || !power_of_two(first) || !power_of_two(piece) || touched_.contains(block) ||
            stride < 0 || first * piece > block->term->extent ||
            start_[static_cast<size_t>(block - digits_.data())] != 0)
          return No{"a swizzle is cut into digits that are no bits of it"};
        touched_.insert(block);
        const auto from = block->term->steps.begin() + log2_of(first);
        made.steps.assign(from, from + log2_of(piece));
      } else if (stride < 0) {
        offset = offset + made.steps[0] * (piece - 1);
        made.steps[0] = -made.steps[0];
      }
      low_first.push_back(std::move(made));
      extent /= piece;
      step *= piece;
    }
    return std::vector<Term>(low_first.rbegin(), low_first.rend());
  }

  const Layout &a_, &b_;
  std::vector<Digit> digits_;  // lowest first
  std::vector<int64_t> start_; // where b begins, by them
  std::vector<int64_t> used_;  // the most that is reached in each
  std::set<const Digit *> touched_;
};

} // namespace algebra

// x ↦ a(b(x)): b's points are indices of a, on `index_axis`. Copies of b are copies of the result.
inline Result<Layout> compose(const Layout &a, const Layout &b) {
  const Reach reach = reach_of(b.fields());
  const auto only_index = [](const Point &p) {
    return p.nowhere() || (p.axes() == 1 && p.begin()->first == index_axis);
  };
  bool indices = only_index(b.offset());
  for (const auto *terms : {&b.terms(), &b.replicate()})
    for (const Term &t : *terms) indices &= std::ranges::all_of(t.steps, only_index);
  if (!indices)
    return No{"the inner layout gives no indices: those are on the axis \"" + std::string(index_axis) + "\""};
  if (!b.pending().empty()) return No{"partial values have no index"};
  const int64_t low = b.offset()[index_axis] + reach.low[index_axis],
                high = b.offset()[index_axis] + reach.high[index_axis];
  if (low < 0 || high >= a.size())
    return No{"the index " + std::to_string(low < 0 ? low : high) + " is outside a layout of " +
              std::to_string(a.size())};
  Result<Layout> made = algebra::Composition(a, b).make();
  if (made) return made;
  if (const auto fa = bits_of(a), fb = bits_of(b); fa && fb)
    if (const auto both = compose(*fa, *fb, index_axis); both) return layout_of(*both);
  if (!b.replicate().empty() || b.size() > most_elements) return made;
  std::vector<Point> points;
  const Point first = a.at(b.at(0)[index_axis]);
  for (int64_t x = 0; x < b.size(); ++x) points.push_back(a.at(b.at(x)[index_axis]) - first);
  auto terms = recognise(std::move(points));
  if (!terms) return made;
  return Layout::make(
      {.terms = std::move(*terms), .replicate = a.replicate(), .pending = a.pending(), .offset = first});
}

// Strides of the logical index of a shape.
inline std::vector<int64_t> row_strides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t k = shape.size(); k-- > 1;) strides[k - 1] = times(strides[k], shape[k]);
  return strides;
}

// The slice of a tensor of `shape` that begins at `starts` and takes `extents` steps of `steps` along each dimension.
inline Result<Layout> slice(const Layout &layout, const std::vector<int64_t> &shape, const std::vector<int64_t> &starts,
                            const std::vector<int64_t> &extents, const std::vector<int64_t> &steps) {
  if (product_of(shape) != layout.size() || starts.size() != shape.size() || extents.size() != shape.size() ||
      steps.size() != shape.size())
    return No{"a layout of " + std::to_string(layout.size()) + " elements has not this shape"};
  Fields fields;
  const std::vector<int64_t> strides = row_strides(shape);
  for (size_t k = 0; k < shape.size(); ++k) {
    const int64_t last = plus(starts[k], times(steps[k], extents[k] - 1));
    if (extents[k] < 1 || starts[k] < 0 || starts[k] >= shape[k] || last < 0 || last >= shape[k])
      return No{"dimension " + std::to_string(k) + " of " + std::to_string(shape[k]) + " has no indices from " +
                std::to_string(starts[k]) + " to " + std::to_string(last)};
    fields.terms.push_back(Term::of(extents[k], steps[k] * strides[k], index_axis));
    fields.offset.add(index_axis, starts[k] * strides[k]);
  }
  const auto made = Layout::make(std::move(fields));
  return made ? compose(layout, *made) : made;
}

// Dimension k of the result is dimension order[k] of the tensor.
inline Result<Layout> permute(const Layout &layout, const std::vector<int64_t> &shape,
                              const std::vector<size_t> &order) {
  std::vector<size_t> sorted = order;
  std::ranges::sort(sorted);
  bool all = product_of(shape) == layout.size() && order.size() == shape.size();
  for (size_t k = 0; k < sorted.size(); ++k) all &= sorted[k] == k;
  if (!all) return No{"an order names each dimension of the layout's shape once"};
  Fields turned;
  const std::vector<int64_t> strides = row_strides(shape);
  for (const size_t k : order) turned.terms.push_back(Term::of(shape[k], strides[k], index_axis));
  const auto made = Layout::make(std::move(turned));
  return made ? compose(layout, *made) : made;
}

// How many coordinates a layout reaches along an axis.
inline int64_t span_of(const Layout &layout, std::string_view axis) {
  const Reach reach = reach_of(layout.fields());
  return plus(plus(reach.high[axis], -reach.low[axis]), 1);
}

// Every element of `outer` is a whole `inner`: index o · size(inner) + i lies at span(inner) · outer(o) + inner(i).
inline Result<Layout> product(const Layout &outer, const Layout &inner) {
  const auto scaled = [&](const Point &p) {
    Point result;
    for (const auto &[axis, n] : p) result.add(axis, times(n, span_of(inner, axis)));
    return result;
  };
  Fields fields = inner.fields();
  const Fields &big = outer.fields();
  fields.offset = fields.offset + scaled(big.offset);
  std::vector<Term> terms;
  for (Term t : big.terms) {
    for (Point &step : t.steps)
      for (const auto &[axis, n] : step)
        if (t.is_xor() && !power_of_two(span_of(inner, axis)))
          return No{"a swizzle of blocks that span " + std::to_string(span_of(inner, axis)) + " on \"" + axis +
                    "\", no power of two"};
    for (Point &step : t.steps) step = scaled(step);
    terms.push_back(std::move(t));
  }
  fields.terms.insert(fields.terms.begin(), terms.begin(), terms.end());
  for (const Term &t : big.replicate) fields.replicate.push_back({t.extent, {scaled(t.steps[0])}});
  for (const Pending &p : big.pending) fields.pending.push_back({p.op, {p.term.extent, {scaled(p.term.steps[0])}}});
  return Layout::make(std::move(fields));
}

// The product dimension by dimension: a tensor of `outer_shape` whose elements are tensors of `inner_shape`.
inline Result<Layout> blocked(const Layout &outer, const std::vector<int64_t> &outer_shape, const Layout &inner,
                              const std::vector<int64_t> &inner_shape) {
  if (outer_shape.size() != inner_shape.size()) return No{"blocks have as many dimensions as what they are blocks of"};
  auto both = product(outer, inner);
  if (!both) return both;
  std::vector<int64_t> shape = outer_shape;
  shape.insert(shape.end(), inner_shape.begin(), inner_shape.end());
  std::vector<size_t> order;
  for (size_t k = 0; k < outer_shape.size(); ++k) order.insert(order.end(), {k, k + outer_shape.size()});
  return permute(*both, shape, order);
}

// A box of points: how many coordinates there are on each axis, the last one counting fastest.
using Space = std::vector<std::pair<std::string, int64_t>>;

// From points, relative to the lowest, to the index of the element that lies there; copies lead to the same.
struct Inverse {
  Layout layout; // over the points of `space` row-major, to the axis "i"
  Space space;
};

inline Result<Inverse> invert(const Layout &layout, const std::vector<std::string> &axes) {
  struct Run {
    int64_t step, extent, index;
  };
  std::map<std::string, std::vector<Run>> runs;
  std::string refused;
  Point offset; // of the index: coordinates that digits count down from
  const auto add = [&](const Term &t, int64_t index) {
    if (t.is_xor() || t.steps[0].axes() > 1) {
      refused = "a step along several axes, or a swizzle, is inverted only when all extents are powers of two";
    } else if (t.steps[0].nowhere()) {
      refused = std::to_string(t.extent) + " elements have one position";
    } else {
      const auto &[axis, n] = *t.steps[0].begin();
      if (n < 0) offset.add(index_axis, index * (t.extent - 1));
      runs[axis].push_back({std::abs(n), t.extent, n < 0 ? -index : index});
    }
  };
  int64_t index = 1;
  for (size_t k = layout.terms().size(); k-- > 0;) {
    add(layout.terms()[k], index);
    index *= layout.terms()[k].extent;
  }
  for (const Term &t : layout.replicate()) add(t, 0);
  if (!layout.pending().empty()) return No{"what has a position is a partial value of an element"};
  for (const auto &[axis, n] : reach_of(layout.fields()).high - reach_of(layout.fields()).low)
    if (std::ranges::find(axes, axis) == axes.end()) return No{"the axis \"" + axis + "\" is none of the inverse"};
  if (!refused.empty()) {
    const auto bits = bits_of(layout);
    if (!bits) return No{refused};
    const auto inverse = invert(*bits, axes, index_axis);
    if (!inverse) return inverse.no();
    const auto made = layout_of(inverse->bits);
    if (!made) return made.no();
    return Inverse{*made, inverse->space};
  }
  Fields fields{.offset = offset};
  Space space;
  for (const std::string &axis : axes) {
    auto &line = runs[axis];
    std::ranges::sort(line, {}, &Run::step);
    int64_t span = 1;
    std::vector<Term> low_first;
    for (const Run &run : line) {
      if (run.step < span) return No{"two elements lie at " + std::to_string(run.step) + " on \"" + axis + "\""};
      if (run.step > span) return No{"nothing lies at " + std::to_string(span) + " on \"" + axis + "\""};
      low_first.push_back(Term::of(run.extent, run.index, index_axis));
      span *= run.extent;
    }
    fields.terms.insert(fields.terms.end(), low_first.rbegin(), low_first.rend());
    space.emplace_back(axis, span);
  }
  const auto made = Layout::make(std::move(fields));
  if (!made) return made.no();
  return Inverse{*made, std::move(space)};
}

} // namespace htp::layout
