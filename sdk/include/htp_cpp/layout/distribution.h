// htp_cpp/layout/distribution.h — layouts as distribution over a mesh of devices: each dimension of a tensor is cut
// over mesh axes, S(x), or whole on each device, R; and a value may be pending: each device of an axis holds a partial
// value, and the value is their sum. What an operation makes of its operands' distributions stands here too.
#pragma once

#include "htp_cpp/layout/memory.h"

namespace htp::layout {

struct Sharding {
  Space mesh;                                 // axes and how many devices each has
  std::vector<std::vector<std::string>> dims; // of each dimension the axes it is cut over, slowest first; none: R
  std::vector<std::pair<std::string, std::string>> pending{}; // axis, op; sorted

  int64_t devices(std::string_view axis) const {
    for (const auto &[name, count] : mesh)
      if (name == axis) return count;
    return 0;
  }
  bool is_pending(std::string_view axis) const {
    return std::ranges::any_of(pending, [&](const auto &p) { return p.first == axis; });
  }
  // Whether no dimension is cut over the axis and nothing is pending on it: every device has a copy.
  bool copied(std::string_view axis) const {
    return !is_pending(axis) &&
           std::ranges::none_of(dims, [&](const auto &cut) { return std::ranges::find(cut, axis) != cut.end(); });
  }
  friend bool operator==(const Sharding &, const Sharding &) = default;
  friend auto operator<=>(const Sharding &, const Sharding &) = default;
};

// `[S(x), R]`, `[S(x, y), R] with sum over z pending`.
inline std::string text_of(const Sharding &s) {
  std::string text;
  for (const auto &cut : s.dims) {
    std::string axes;
    for (const std::string &axis : cut) axes += (axes.empty() ? "" : ", ") + axis;
    text += (text.empty() ? "" : ", ") + (axes.empty() ? "R" : "S(" + axes + ")");
  }
  text = "[" + text + "]";
  for (const auto &[axis, op] : s.pending) text += " with " + op + " over " + axis + " pending";
  return text;
}

// What one device has of a tensor of `shape`.
inline Result<std::vector<int64_t>> local_shape(const Sharding &s, const std::vector<int64_t> &shape) {
  if (s.dims.size() != shape.size()) return No{"a distribution says S or R of each dimension"};
  std::vector<std::string> seen;
  const auto use = [&](const std::string &axis) -> std::string {
    if (s.devices(axis) == 0) return "the mesh has no axis `" + axis + "`";
    if (std::ranges::find(seen, axis) != seen.end()) return "the axis `" + axis + "` is used twice";
    seen.push_back(axis);
    return {};
  };
  std::vector<int64_t> local = shape;
  for (size_t k = 0; k < shape.size(); ++k) {
    int64_t devices = 1;
    for (const std::string &axis : s.dims[k]) {
      if (std::string why = use(axis); !why.empty()) return No{std::move(why)};
      devices = times(devices, s.devices(axis));
    }
    if (shape[k] % devices != 0)
      return No{"dimension " + std::to_string(k) + " of " + std::to_string(shape[k]) + " is not divisible over " +
                std::to_string(devices) + " devices"};
    local[k] /= devices;
  }
  for (const auto &[axis, op] : s.pending)
    if (std::string why = use(axis); !why.empty()) return No{std::move(why)};
  return local;
}

// Each device's slice lies in its memory as `local` says, a layout of the local shape.
inline Result<Layout> from_sharding(const Sharding &s, const std::vector<int64_t> &shape, const Layout &local) {
  const auto inner = local_shape(s, shape);
  if (!inner) return inner.no();
  Fields fields;
  std::vector<int64_t> outer;
  for (const auto &cut : s.dims) {
    outer.push_back(1);
    for (const std::string &axis : cut) {
      fields.terms.push_back(Term::of(s.devices(axis), 1, axis));
      outer.back() *= s.devices(axis);
    }
  }
  for (const auto &[axis, op] : s.pending) fields.pending.push_back({op, Term::of(s.devices(axis), 1, axis)});
  for (const auto &[axis, count] : s.mesh)
    if (s.copied(axis)) fields.replicate.push_back(Term::of(count, 1, axis));
  const auto devices = Layout::make(std::move(fields));
  return devices ? blocked(*devices, outer, local, *inner) : devices;
}
inline Result<Layout> from_sharding(const Sharding &s, const std::vector<int64_t> &shape) {
  const auto inner = local_shape(s, shape);
  if (!inner) return inner.no();
  const auto local = row_major(*inner);
  return local ? from_sharding(s, shape, *local) : local;
}

struct Distributed {
  Sharding sharding;
  Layout local; // of one device's slice
};
inline Result<Distributed> to_sharding(const Layout &layout, const Space &mesh, const std::vector<int64_t> &shape) {
  Sharding s{mesh, {}, {}};
  const auto whole_axis = [&](const Term &t) -> const std::string * {
    if (t.is_xor() || t.steps[0].axes() != 1) return nullptr;
    const auto &[axis, step] = *t.steps[0].begin();
    return step == 1 && s.devices(axis) == t.extent ? &axis : nullptr;
  };
  const auto on_mesh = [&](const Term &t) {
    return std::ranges::any_of(t.steps, [&](const Point &p) {
      return std::ranges::any_of(p, [&](const auto &at) { return s.devices(at.first) > 0; });
    });
  };
  // Of digits of exclusive ors only the bits that go from device to device matter here; the rest lies in one.
  Fields digits{};
  for (const Term &t : layout.terms()) {
    if (!t.is_xor()) {
      digits.terms.push_back(t);
      continue;
    }
    for (size_t k = t.steps.size(); k-- > 0;)
      digits.terms.push_back(on_mesh({2, {t.steps[k]}}) ? Term{2, {t.steps[k]}}
                                                        : Term::of(2, int64_t{1} << k, memory_axis));
  }
  const auto plain = Layout::make(std::move(digits));
  const auto dims = plain ? by_dimension(*plain, shape) : Result<std::vector<std::vector<Term>>>(plain.no());
  if (!dims) return dims.no();
  std::vector<int64_t> local = shape;
  for (size_t k = 0; k < shape.size(); ++k) {
    std::vector<std::string> cut;
    for (const Term &t : (*dims)[k]) {
      if (!on_mesh(t)) break;
      const std::string *axis = whole_axis(t);
      if (!axis)
        return No{"dimension " + std::to_string(k) + " goes to some devices of an axis only, or not in their order"};
      cut.push_back(*axis);
      local[k] /= t.extent;
    }
    for (size_t d = cut.size(); d < (*dims)[k].size(); ++d)
      if (on_mesh((*dims)[k][d]))
        return No{"dimension " + std::to_string(k) + " is dealt out in turns, not cut into one piece for each device"};
    s.dims.push_back(std::move(cut));
  }
  for (const Pending &p : layout.pending()) {
    const std::string *axis = whole_axis(p.term);
    if (!axis) return No{"partial values lie on some devices of an axis only"};
    s.pending.emplace_back(*axis, p.op);
  }
  std::ranges::sort(s.pending);
  Fields inside{.offset = layout.offset()};
  for (const Term &t : layout.replicate()) {
    if (!on_mesh(t))
      inside.replicate.push_back(t);
    else if (!whole_axis(t))
      return No{"copies lie on some devices of an axis only"};
  }
  const auto own =
      slice(layout, shape, std::vector<int64_t>(shape.size(), 0), local, std::vector<int64_t>(shape.size(), 1));
  if (!own) return own.no();
  inside.terms = own->terms();
  const auto made = Layout::make(std::move(inside));
  if (!made) return made.no();
  const auto again = from_sharding(s, shape, *made);
  if (!again || !(*again == layout))
    return No{"the elements lie on one device of an axis, or elsewhere in the memories of different devices"};
  return Distributed{std::move(s), *made};
}

// ── what operations make of distributions ──────────────────────────────────────────────────────────────────────────

// What an operation does with a partial value instead of the value.
enum class Combining {
  any,   // nothing sensible: exp(a + b) is not made of exp(a) and exp(b)
  sum,   // a + b: partial sums are added
  scale, // a * b: one operand's partial values are multiplied with the other's value
};

namespace distribution {
inline std::string pending_text(const Sharding &s) {
  const auto &[axis, op] = s.pending.front();
  return "the " + op + " over `" + axis + "` is pending: all_reduce or reduce_scatter it first";
}
// Per dimension R joins S, and S joins the same S.
inline Result<std::vector<std::string>> joined(const std::vector<std::string> &a, const std::vector<std::string> &b,
                                               size_t k) {
  if (a.empty() || a == b) return b;
  if (b.empty()) return a;
  return No{"dimension " + std::to_string(k) + " is cut over " + text_of({{}, {a}}) + " and over " +
            text_of({{}, {b}})};
}
// Whether every device has, or can cut from what it has, what the result needs.
inline std::string clash(const Sharding &s) {
  std::vector<std::string> seen;
  for (const auto &cut : s.dims)
    for (const std::string &axis : cut) {
      if (std::ranges::find(seen, axis) != seen.end()) return "two dimensions would be cut over `" + axis + "`";
      seen.push_back(axis);
    }
  for (const auto &[axis, op] : s.pending)
    if (std::ranges::find(seen, axis) != seen.end())
      return "a dimension would be cut over `" + axis + "`, on which a " + op + " is pending";
  return {};
}
} // namespace distribution

// The distribution of an elementwise result. A copy of which only a slice is needed costs nothing.
inline Result<Sharding> join(const Sharding &a, const Sharding &b, Combining combining = Combining::any) {
  if (a.mesh != b.mesh) return No{"the operands lie on different meshes"};
  if (a.dims.size() != b.dims.size())
    return No{"the operands have " + std::to_string(a.dims.size()) + " and " + std::to_string(b.dims.size()) +
              " dimensions"};
  Sharding result{a.mesh, {}, {}};
  for (size_t k = 0; k < a.dims.size(); ++k) {
    const auto cut = distribution::joined(a.dims[k], b.dims[k], k);
    if (!cut) return cut.no();
    result.dims.push_back(*cut);
  }
  if (!a.pending.empty() || !b.pending.empty()) {
    const auto sums = [](const Sharding &s) {
      return std::ranges::all_of(s.pending, [](const auto &p) { return p.second == "sum"; });
    };
    const Sharding &partial = a.pending.empty() ? b : a;
    const bool both = !a.pending.empty() && !b.pending.empty();
    const bool good = sums(a) && sums(b) &&
                      (combining == Combining::sum ? a.pending == b.pending : combining == Combining::scale && !both);
    if (!good) return No{distribution::pending_text(partial)};
    result.pending = partial.pending;
  }
  if (std::string why = distribution::clash(result); !why.empty()) return No{std::move(why)};
  return result;
}

// Of an m × k and a k × n operand: where k is cut, each device has a partial sum over it.
inline Result<Sharding> matmul(const Sharding &a, const Sharding &b) {
  if (a.mesh != b.mesh) return No{"the operands lie on different meshes"};
  if (a.dims.size() != 2 || b.dims.size() != 2) return No{"an m × k and a k × n tile are multiplied"};
  for (const Sharding *s : {&a, &b})
    if (!s->pending.empty()) return No{distribution::pending_text(*s)};
  const auto inner = distribution::joined(a.dims[1], b.dims[0], 1);
  if (!inner) return No{"the dimension that is summed over " + inner.reason().substr(inner.reason().find("is cut"))};
  Sharding result{a.mesh, {a.dims[0], b.dims[1]}, {}};
  for (const std::string &axis : *inner) result.pending.emplace_back(axis, "sum");
  std::ranges::sort(result.pending);
  if (std::string why = distribution::clash(result); !why.empty()) return No{std::move(why)};
  return result;
}

// Along a dimension, which stays with extent 1.
inline Result<Sharding> reduce(const Sharding &a, size_t dim, const std::string &op) {
  if (dim >= a.dims.size()) return No{"there is no dimension " + std::to_string(dim)};
  if (std::ranges::any_of(a.pending, [&](const auto &p) { return p.second != op; }))
    return No{distribution::pending_text(a)};
  Sharding result = a;
  for (const std::string &axis : a.dims[dim]) result.pending.emplace_back(axis, op);
  std::ranges::sort(result.pending);
  result.dims[dim].clear();
  return result;
}

} // namespace htp::layout
