// htp_cpp/layout/memory.h — layouts as memory: strides, the order of dimensions, packed blocks, CuTe's shape:stride
// with nested modes, and its swizzles.
#pragma once

#include "htp_cpp/layout/algebra.h"
#include "htp_cpp/layout/dims.h"

namespace htp::layout {

inline constexpr std::string_view memory_axis = "m";

// ── strides, order, blocks ──────────────────────────────────────────────────────────────────────────────────────────

// One stride for each dimension, in elements.
inline Result<Layout> strided(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides,
                              int64_t offset = 0) {
  if (shape.size() != strides.size()) return No{"there is one stride for each dimension"};
  Fields fields{.offset = Point(memory_axis, offset)};
  for (size_t k = 0; k < shape.size(); ++k) fields.terms.push_back(Term::of(shape[k], strides[k], memory_axis));
  return Layout::make(std::move(fields));
}

// Without gaps; `order` names the dimensions from the slowest to the fastest: row-major is 0, 1, ….
inline Result<Layout> ordered(const std::vector<int64_t> &shape, const std::vector<size_t> &order) {
  std::vector<size_t> sorted = order;
  std::ranges::sort(sorted);
  bool all = order.size() == shape.size();
  for (size_t k = 0; k < sorted.size(); ++k) all &= sorted[k] == k;
  if (!all) return No{"an order names each dimension once"};
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t k = order.size(); k-- > 0;) {
    strides[order[k]] = stride;
    stride = times(stride, shape[order[k]]);
  }
  return strided(shape, strides);
}
inline Result<Layout> row_major(const std::vector<int64_t> &shape) { return strided(shape, row_strides(shape)); }

// Blocks one after the other, each without gaps: fractal formats, tiles for a matrix unit. `outer` is the order of
// the blocks, `inner` that of the elements of one.
inline Result<Layout> packed(const std::vector<int64_t> &shape, const std::vector<int64_t> &block,
                             const std::vector<size_t> &outer, const std::vector<size_t> &inner) {
  if (block.size() != shape.size()) return No{"a block has as many dimensions as the tensor"};
  std::vector<int64_t> blocks;
  for (size_t k = 0; k < shape.size(); ++k) {
    if (block[k] < 1 || shape[k] % block[k] != 0)
      return No{"dimension " + std::to_string(k) + " of " + std::to_string(shape[k]) +
                " is not divisible into blocks of " + std::to_string(block[k])};
    blocks.push_back(shape[k] / block[k]);
  }
  const auto big = ordered(blocks, outer), small = ordered(block, inner);
  if (!big || !small) return big ? small : big;
  return blocked(*big, blocks, *small, block);
}

// Only memory: no copies, no partial values, no other axis.
inline std::string not_memory(const Layout &layout) {
  if (!layout.pending().empty()) return "partial values have no address in memory alone";
  if (!layout.replicate().empty()) return "copies have no address in memory alone";
  const Reach reach = reach_of(layout.fields());
  for (const Point &p : {reach.low, reach.high, layout.offset()})
    for (const auto &[axis, n] : p)
      if (axis != memory_axis) return "the axis \"" + axis + "\" is not memory";
  return {};
}

struct Strides {
  std::vector<int64_t> strides;
  int64_t offset = 0;
  friend bool operator==(const Strides &, const Strides &) = default;
};
inline Result<Strides> to_strides(const Layout &layout, const std::vector<int64_t> &shape) {
  if (std::string why = not_memory(layout); !why.empty()) return No{std::move(why)};
  const auto dims = by_dimension(layout, shape);
  if (!dims) return dims.no();
  Strides result{{}, layout.offset()[memory_axis]};
  for (size_t k = 0; k < shape.size(); ++k) {
    const auto &digits = (*dims)[k];
    if (digits.size() > 1 || (!digits.empty() && digits[0].is_xor()))
      return No{"dimension " + std::to_string(k) +
                " has no one stride: " + (digits.size() > 1 ? "it is cut into blocks" : "it is swizzled")};
    result.strides.push_back(digits.empty() ? 0 : digits[0].steps[0][memory_axis]);
  }
  return result;
}

// The dimensions from the slowest to the fastest; dimensions of extent 1 come first.
inline Result<std::vector<size_t>> to_order(const Layout &layout, const std::vector<int64_t> &shape) {
  const auto strides = to_strides(layout, shape);
  if (!strides) return strides.no();
  std::vector<size_t> order(shape.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater<>(),
                           [&](size_t k) { return shape[k] == 1 ? far : strides->strides[k]; });
  const auto compact = ordered(shape, order);
  if (!compact || !(*compact == layout)) return No{"the elements do not lie one after the other without gaps"};
  return order;
}

// ── swizzles ────────────────────────────────────────────────────────────────────────────────────────────────────────

// CuTe's Swizzle<bits, base, shift>: `bits` bits of an address from `base` on are combined with those `shift` above.
struct Swizzle {
  int64_t bits = 0, base = 0, shift = 0;

  int64_t apply(int64_t address) const {
    const int64_t mask = ((int64_t{1} << bits) - 1) << (base + std::max<int64_t>(shift, 0));
    return address ^ (shift >= 0 ? (address & mask) >> shift : (address & (mask)) << -shift);
  }
  // Addresses that are multiples of this are not touched, and touch nothing.
  int64_t period() const { return int64_t{1} << (bits + base + std::abs(shift)); }
  friend bool operator==(const Swizzle &, const Swizzle &) = default;
};

inline Result<Layout> swizzled(const Layout &layout, const Swizzle &s) {
  if (s.bits < 0 || s.base < 0 || s.bits + s.base + std::abs(s.shift) > 40 ||
      (s.bits > 0 && std::abs(s.shift) < s.bits))
    return No{"a swizzle of " + std::to_string(s.bits) + " bits from " + std::to_string(s.base) +
              " is shifted by at least as many bits, not by " + std::to_string(s.shift)};
  if (s.bits == 0) return layout;
  const int64_t period = s.period();
  const auto untouched = [&](const Point &p) { return p[memory_axis] % period == 0; };
  const auto untouched_term = [&](const Term &t) { return std::ranges::all_of(t.steps, untouched); };
  const std::string multiple = " a multiple of " + std::to_string(period);
  if (!untouched(layout.offset()))
    return No{"the offset " + std::to_string(layout.offset()[memory_axis]) + " is swizzled: it is not" + multiple};
  for (const Term &t : layout.replicate())
    if (!untouched_term(t)) return No{"copies lie at distances that are swizzled: they are not" + multiple};
  for (const Pending &p : layout.pending())
    if (!untouched_term(p.term))
      return No{"partial values lie at distances that are swizzled: they are not" + multiple};
  Fields fields = layout.fields();
  auto first = fields.terms.begin();
  while (first != fields.terms.end() && untouched_term(*first)) ++first;
  std::vector<Term> low(first, fields.terms.end());
  if (low.empty()) return layout;
  fields.terms.erase(first, fields.terms.end());
  auto bits = linear::steps(low);
  if (!bits)
    return No{"a swizzle works on bits, and " +
              std::to_string(std::accumulate(low.begin(), low.end(), int64_t{1},
                                             [](int64_t n, const Term &t) { return n * t.extent; })) +
              " elements lie at steps that are no bits: extents and strides are to be powers of two"};
  for (Point &step : *bits) {
    const int64_t at = step[memory_axis];
    step.add(memory_axis, s.apply(at) - at);
  }
  fields.terms.push_back({int64_t{1} << bits->size(), std::move(*bits)});
  return Layout::make(std::move(fields));
}

struct Unswizzled {
  Layout layout;
  Swizzle swizzle;
};
// The swizzle of the fewest bits and the layout without exclusive ors that it swizzles.
inline Result<Unswizzled> find_swizzle(const Layout &layout) {
  const auto straight = [](const Layout &l) { return std::ranges::none_of(l.terms(), &Term::is_xor); };
  if (straight(layout)) return Unswizzled{layout, {}};
  const unsigned width = linear::width_of(reach_of(layout.fields()).high[memory_axis]);
  for (int64_t bits = 1; 2 * bits <= width; ++bits)
    for (int64_t distance = bits; distance + bits <= width; ++distance)
      for (int64_t base = 0; base + bits + distance <= width; ++base)
        for (const int64_t shift : {distance, -distance}) {
          const Swizzle s{bits, base, shift};
          if (const auto plain = swizzled(layout, s); plain && straight(*plain)) return Unswizzled{*plain, s};
        }
  return No{"no one swizzle makes strides of it"};
}

// ── CuTe ────────────────────────────────────────────────────────────────────────────────────────────────────────────

// A number or a tuple of them, nested.
struct Nest {
  int64_t value = 0;
  std::vector<Nest> items{};
  bool tuple = false;

  static Nest of(int64_t n) { return {n, {}, false}; }
  static Nest of(std::vector<Nest> items) { return {0, std::move(items), true}; }
  friend bool operator==(const Nest &, const Nest &) = default;
};

// `shape:stride`; within a mode the first number counts fastest. `offset` and `swizzle` as in Sw<b,m,s> o offset o ….
struct Cute {
  Nest shape, stride;
  int64_t offset = 0;
  Swizzle swizzle{};
  friend bool operator==(const Cute &, const Cute &) = default;
};

namespace cute {
inline bool flatten(const Nest &shape, const Nest &stride, std::vector<Term> &low_first) {
  if (shape.tuple != stride.tuple || shape.items.size() != stride.items.size()) return false;
  if (!shape.tuple) {
    low_first.push_back(Term::of(shape.value, stride.value, memory_axis));
    return true;
  }
  for (size_t k = 0; k < shape.items.size(); ++k)
    if (!flatten(shape.items[k], stride.items[k], low_first)) return false;
  return true;
}
} // namespace cute

// The modes are the dimensions of the tensor, the first being dimension 0.
inline Result<Layout> from_cute(const Cute &c) {
  Fields fields{.offset = Point(memory_axis, c.offset)};
  const No differ{"a shape and its strides are nested alike"};
  if (c.shape.tuple != c.stride.tuple || c.shape.items.size() != c.stride.items.size()) return differ;
  for (size_t k = 0; k < std::max<size_t>(c.shape.items.size(), c.shape.tuple ? 0 : 1); ++k) {
    std::vector<Term> mode;
    const bool alike = c.shape.tuple ? cute::flatten(c.shape.items[k], c.stride.items[k], mode)
                                     : cute::flatten(c.shape, c.stride, mode);
    if (!alike) return differ;
    fields.terms.insert(fields.terms.end(), mode.rbegin(), mode.rend());
  }
  const auto made = Layout::make(std::move(fields));
  return made ? swizzled(*made, c.swizzle) : made;
}

inline Result<Cute> to_cute(const Layout &layout, const std::vector<int64_t> &shape) {
  if (std::string why = not_memory(layout); !why.empty()) return No{std::move(why)};
  const auto plain = find_swizzle(layout);
  if (!plain) return plain.no();
  const auto dims = by_dimension(plain->layout, shape);
  if (!dims) return dims.no();
  Cute result{Nest::of(std::vector<Nest>{}), Nest::of(std::vector<Nest>{}), layout.offset()[memory_axis],
              plain->swizzle};
  for (size_t k = 0; k < shape.size(); ++k) {
    const auto &digits = (*dims)[k];
    std::vector<Nest> extents, strides;
    for (size_t d = digits.size(); d-- > 0;) {
      extents.push_back(Nest::of(digits[d].extent));
      strides.push_back(Nest::of(digits[d].steps[0][memory_axis]));
    }
    const bool one = digits.size() == 1, none = digits.empty();
    result.shape.items.push_back(none ? Nest::of(1) : one ? extents[0] : Nest::of(std::move(extents)));
    result.stride.items.push_back(none ? Nest::of(0) : one ? strides[0] : Nest::of(std::move(strides)));
  }
  return result;
}

} // namespace htp::layout
