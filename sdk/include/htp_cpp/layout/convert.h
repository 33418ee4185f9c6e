// htp_cpp/layout/convert.h — every notation to every other, through the core form. A layout may be written with any of
// these constructors of `htp.layouts`; each means one canonical expression, and most canonical expressions can be
// written with some of them:
//
//     strided(shape, strides, offset=0)   ordered(shape, order)   packed(shape, block, outer, inner)
//     cute(shape, stride, offset=0)       swizzle(layout, bits, base, shift)
//     linear(units, shape)                shard(shape, cut, mesh=…, pending=…, local=…)   levels(core=4, …)
#pragma once

#include "htp_cpp/layout/hardware.h"
#include "htp_cpp/layout/relayout.h"
#include "htp_cpp/layout/text.h"

namespace htp::layout {

namespace convert {

inline Result<int64_t> number(const Literal *l, std::string_view what) {
  if (!l || !l->is(Literal::number)) return No{"`" + std::string(what) + "` is an int"};
  return l->value;
}
template <class T = int64_t> Result<std::vector<T>> numbers(const Literal *l, std::string_view what) {
  const No wrong{"`" + std::string(what) + "` is a tuple of ints"};
  if (!l || !l->is(Literal::tuple)) return wrong;
  std::vector<T> result;
  for (const Literal &item : l->items) {
    if (!item.is(Literal::number) || (std::is_unsigned_v<T> && item.value < 0)) return wrong;
    result.push_back(static_cast<T>(item.value));
  }
  return result;
}
inline Result<Nest> nest(const Literal *l, std::string_view what) {
  if (l && l->is(Literal::number)) return Nest::of(l->value);
  if (!l || !l->is(Literal::tuple)) return No{"`" + std::string(what) + "` is an int or a tuple of them, nested"};
  std::vector<Nest> items;
  for (const Literal &item : l->items) {
    auto inner = nest(&item, what);
    if (!inner) return inner;
    items.push_back(std::move(*inner));
  }
  return Nest::of(std::move(items));
}
inline Result<Linear> linear_of(const Literal *units, const Literal *shape) {
  const No wrong{
      "`units` is {\"register\": ((row, column), …), \"lane\": …}: for each bit of a unit the coordinates it moves to"};
  auto extents = numbers(shape, "shape");
  if (!extents) return extents.no();
  if (!units || !units->is(Literal::dict)) return wrong;
  Linear result{{}, std::move(*extents)};
  for (size_t k = 0; k < units->items.size(); ++k) {
    if (!units->items[k].is(Literal::tuple)) return wrong;
    result.units.push_back({units->keys[k], {}});
    for (const Literal &basis : units->items[k].items) {
      auto at = numbers(&basis, "basis");
      if (!at) return wrong;
      result.units.back().bases.push_back(std::move(*at));
    }
  }
  return result;
}

struct Distributed {
  Sharding sharding;
  std::vector<int64_t> shape;
};
inline Result<Distributed> sharding_of(const Literal &call) {
  auto shape = numbers(call.argument(0, "shape"), "shape");
  if (!shape) return shape.no();
  Distributed result{{}, std::move(*shape)};
  const Literal *mesh = call.keyword("mesh"), *cut = call.argument(1, "cut"), *pending = call.keyword("pending");
  if (!mesh || !mesh->is(Literal::dict)) return No{"`mesh` is {\"x\": 4, …}: its axes and how many devices each has"};
  for (size_t k = 0; k < mesh->items.size(); ++k) {
    const auto count = number(&mesh->items[k], "mesh");
    if (!count || *count < 1) return No{"`mesh` is {\"x\": 4, …}: its axes and how many devices each has"};
    if (is_local(mesh->keys[k])) return No{"`" + mesh->keys[k] + "` is memory and no axis of a mesh"};
    if (*count > 1) result.sharding.mesh.emplace_back(mesh->keys[k], *count);
  }
  std::ranges::sort(result.sharding.mesh);
  const auto one_of = [&](const std::string &axis) {
    return std::ranges::find(mesh->keys, axis) != mesh->keys.end() && result.sharding.devices(axis) == 0;
  };
  const No wrong{"`cut` says of each dimension the axis it is cut over, a tuple of them, or None"};
  if (!cut || !cut->is(Literal::tuple)) return wrong;
  for (const Literal &item : cut->items) {
    auto &axes = result.sharding.dims.emplace_back();
    for (const Literal &axis : item.is(Literal::tuple) ? item.items : std::vector{item}) {
      if (axis.is(Literal::none)) continue;
      if (!axis.is(Literal::text)) return wrong;
      if (!one_of(axis.spelling)) axes.push_back(axis.spelling);
    }
  }
  if (pending && !pending->is(Literal::none)) {
    if (!pending->is(Literal::dict))
      return No{"`pending` is {\"x\": \"sum\"}: the axes of partial values, and how they are combined"};
    for (size_t k = 0; k < pending->items.size(); ++k)
      if (!one_of(pending->keys[k])) result.sharding.pending.emplace_back(pending->keys[k], pending->items[k].spelling);
    std::ranges::sort(result.sharding.pending);
  }
  return result;
}

} // namespace convert

// The layout that a constructor expression means, in any notation.
inline Result<Layout> read(const Literal &call);

namespace convert {

inline Result<Layout> read_strided(const Literal &call) {
  const auto shape = numbers(call.argument(0, "shape"), "shape"),
             strides = numbers(call.argument(1, "strides"), "strides");
  if (!shape || !strides) return (shape ? strides : shape).no();
  const auto offset = call.keyword("offset") ? number(call.keyword("offset"), "offset") : Result<int64_t>(0);
  return offset ? strided(*shape, *strides, *offset) : Result<Layout>(offset.no());
}
inline Result<Layout> read_ordered(const Literal &call) {
  const auto shape = numbers(call.argument(0, "shape"), "shape");
  const auto order = numbers<size_t>(call.argument(1, "order"), "order");
  if (!shape) return shape.no();
  return order ? ordered(*shape, *order) : Result<Layout>(order.no());
}
inline Result<Layout> read_packed(const Literal &call) {
  const auto shape = numbers(call.argument(0, "shape"), "shape"), block = numbers(call.argument(1, "block"), "block");
  const auto outer = numbers<size_t>(call.argument(2, "outer"), "outer"),
             inner = numbers<size_t>(call.argument(3, "inner"), "inner");
  if (!shape || !block) return (shape ? block : shape).no();
  if (!outer || !inner) return (outer ? inner : outer).no();
  return packed(*shape, *block, *outer, *inner);
}
inline Result<Layout> read_cute(const Literal &call) {
  auto shape = nest(call.argument(0, "shape"), "shape"), stride = nest(call.argument(1, "stride"), "stride");
  if (!shape || !stride) return (shape ? stride : shape).no();
  const auto offset = call.keyword("offset") ? number(call.keyword("offset"), "offset") : Result<int64_t>(0);
  return offset ? from_cute({std::move(*shape), std::move(*stride), *offset}) : Result<Layout>(offset.no());
}
inline Result<Layout> read_swizzle(const Literal &call) {
  const Literal *inner = call.argument(0, "layout");
  if (!inner) return No{"`layout` is what is swizzled"};
  const auto of = read(*inner);
  const auto bits = number(call.argument(1, "bits"), "bits"), base = number(call.argument(2, "base"), "base"),
             shift = number(call.argument(3, "shift"), "shift");
  if (!of) return of;
  if (!bits || !base || !shift) return (!bits ? bits : !base ? base : shift).no();
  return swizzled(*of, {*bits, *base, *shift});
}
inline Result<Layout> read_linear(const Literal &call) {
  const auto linear = linear_of(call.argument(0, "units"), call.argument(1, "shape"));
  return linear ? from_linear(*linear) : Result<Layout>(linear.no());
}
inline Result<Layout> read_shard(const Literal &call) {
  const auto distributed = sharding_of(call);
  if (!distributed) return distributed.no();
  const Literal *local = call.keyword("local");
  if (!local || local->is(Literal::none)) return from_sharding(distributed->sharding, distributed->shape);
  const auto inner = read(*local);
  return inner ? from_sharding(distributed->sharding, distributed->shape, *inner) : inner;
}
inline Result<Layout> read_levels(const Literal &call) {
  std::vector<Level> levels;
  for (const auto &[name, value] : call.keywords) {
    const auto units = number(&value, name);
    if (!units) return units.no();
    levels.push_back({name, *units});
  }
  return from_levels(levels);
}

// The names of parameters, of which there are four at most.
struct Parameters {
  std::string_view names[4];

  const std::string_view *begin() const { return names; }
  const std::string_view *end() const { return std::ranges::find(names, std::string_view()); }
  size_t size() const { return static_cast<size_t>(end() - begin()); }
  bool has(std::string_view name) const { return std::find(begin(), end(), name) != end(); }
};
// A constructor with its signature, as Python has it: what is given by position or by name, and by name alone.
struct Notation {
  std::string_view name;
  Result<Layout> (*read)(const Literal &call);
  Parameters positional{}, required{}, optional{};
  bool any = false; // more arguments by name

  bool takes(std::string_view parameter) const {
    return any || positional.has(parameter) || required.has(parameter) || optional.has(parameter);
  }
};
inline constexpr Notation notations[] = {
    {"layout", read_core, {{"terms"}}, {}, {{"replicate", "pending", "offset"}}},
    {"strided", read_strided, {{"shape", "strides"}}, {}, {{"offset"}}},
    {"ordered", read_ordered, {{"shape", "order"}}},
    {"packed", read_packed, {{"shape", "block", "outer", "inner"}}},
    {"cute", read_cute, {{"shape", "stride"}}, {}, {{"offset"}}},
    {"swizzle", read_swizzle, {{"layout", "bits", "base", "shift"}}},
    {"linear", read_linear, {{"units", "shape"}}},
    {"shard", read_shard, {{"shape", "cut"}}, {{"mesh"}}, {{"pending", "local"}}},
    {"levels", read_levels, {}, {}, {}, true},
};
// Why Python would not make the call: each parameter without a default is given once, and nothing else is.
inline std::optional<No> unfitting(const Notation &notation, const Literal &call) {
  const std::string name = "`" + std::string(notation.name) + "`";
  if (call.items.size() > notation.positional.size())
    return No{"only " + std::to_string(notation.positional.size()) + " of the " + std::to_string(call.items.size()) +
              " arguments of " + name + " may be given by position"};
  size_t at = 0;
  for (const std::string_view parameter : notation.positional) {
    if (!call.argument(at, parameter)) return No{name + " has no argument `" + std::string(parameter) + "`"};
    if (at++ < call.items.size() && call.keyword(parameter))
      return No{name + " has two arguments `" + std::string(parameter) + "`"};
  }
  for (const std::string_view parameter : notation.required)
    if (!call.keyword(parameter)) return No{name + " has no argument `" + std::string(parameter) + "=`"};
  for (const auto &[parameter, given] : call.keywords) {
    if (!notation.takes(parameter)) return No{name + " has no parameter `" + parameter + "`"};
    if (std::ranges::count(call.keywords, parameter, &std::pair<std::string, Literal>::first) > 1)
      return No{name + " has two arguments `" + parameter + "`"};
  }
  return std::nullopt;
}

inline std::string ints(const std::vector<int64_t> &numbers) { return shape_text(numbers); }
inline std::string nest(const Nest &n) {
  if (!n.tuple) return std::to_string(n.value);
  std::vector<std::string> items;
  for (const Nest &item : n.items) items.push_back(nest(item));
  return text::tuple(items);
}

} // namespace convert

inline Result<Layout> read(const Literal &call) {
  if (!call.is(Literal::call))
    return No{"a layout is written with a constructor: htp.layout(((64, 64, \"m\"), (64, 1, \"m\")))"};
  for (const convert::Notation &n : convert::notations) {
    if (call.last_name() != n.name) continue;
    const auto wrong = convert::unfitting(n, call);
    return wrong ? Result<Layout>(*wrong) : n.read(call);
  }
  return No{"`" + call.spelling + "` is no constructor of layouts"};
}
inline Result<Layout> read(std::string_view text) {
  const auto literal = read_literal(text);
  return literal ? read(*literal) : Result<Layout>(literal.no());
}

// ── in the notations that people know ──────────────────────────────────────────────────────────────────────────────

inline Result<std::string> write_strided(const Layout &layout, const std::vector<int64_t> &shape) {
  const auto s = to_strides(layout, shape);
  if (!s) return s.no();
  return "htp.layouts.strided(" + convert::ints(shape) + ", " + convert::ints(s->strides) +
         (s->offset ? ", offset=" + std::to_string(s->offset) : "") + ")";
}
inline Result<std::string> write_cute(const Layout &layout, const std::vector<int64_t> &shape) {
  const auto c = to_cute(layout, shape);
  if (!c) return c.no();
  std::string text = "htp.layouts.cute(" + convert::nest(c->shape) + ", " + convert::nest(c->stride) +
                     (c->offset ? ", offset=" + std::to_string(c->offset) : "") + ")";
  if (const Swizzle &s = c->swizzle; s.bits)
    text = "htp.layouts.swizzle(" + text + ", " + std::to_string(s.bits) + ", " + std::to_string(s.base) + ", " +
           std::to_string(s.shift) + ")";
  return text;
}
inline Result<std::string> write_linear(const Layout &layout, const std::vector<int64_t> &shape,
                                        const std::vector<std::string> &units) {
  const auto l = to_linear(layout, shape, units);
  if (!l) return l.no();
  std::string text;
  for (const Linear::Unit &unit : l->units) {
    std::vector<std::string> bases;
    for (const auto &basis : unit.bases) bases.push_back(convert::ints(basis));
    text += (text.empty() ? "" : ", ") + text::quoted(unit.name) + ": " + text::tuple(bases);
  }
  return "htp.layouts.linear({" + text + "}, " + convert::ints(shape) + ")";
}
inline Result<std::string> write_shard(const Layout &layout, const std::vector<int64_t> &shape, const Space &mesh) {
  const auto d = to_sharding(layout, mesh, shape);
  if (!d) return d.no();
  std::vector<std::string> cut;
  for (const auto &axes : d->sharding.dims) {
    std::vector<std::string> names;
    for (const std::string &axis : axes) names.push_back(text::quoted(axis));
    cut.push_back(names.empty() ? "None" : names.size() == 1 ? names[0] : text::tuple(names));
  }
  Point devices;
  for (const auto &[axis, count] : mesh) devices.add(axis, count);
  std::string text =
      "htp.layouts.shard(" + convert::ints(shape) + ", " + text::tuple(cut) + ", mesh=" + text::dict(devices);
  std::string pending;
  for (const auto &[axis, op] : d->sharding.pending)
    pending += (pending.empty() ? "" : ", ") + text::quoted(axis) + ": " + text::quoted(op);
  if (!pending.empty()) text += ", pending={" + pending + "}";
  const auto inner = local_shape(d->sharding, shape);
  const auto plain = inner ? row_major(*inner) : Result<Layout>(inner.no());
  if (!plain || !(*plain == d->local)) text += ", local=" + write(d->local);
  return text + ")";
}
inline Result<std::string> write_levels(const Layout &layout) {
  const auto levels = to_levels(layout);
  if (!levels) return levels.no();
  std::string text;
  for (const Level &level : *levels)
    text += (text.empty() ? "" : ", ") + level.name + "=" + std::to_string(level.units);
  return "htp.layouts.levels(" + text + ")";
}

} // namespace htp::layout
