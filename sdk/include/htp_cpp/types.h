// htp_cpp/types.h — annotations as data: `Tile[f32, i, N, <layout>, <space>]` and its kin (R5), read, compared,
// written.
#pragma once

#include "htp_cpp/ints.h"
#include "htp_cpp/tree.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

// An extent: an int, the name of a dim or a block, or a sum of dims, `N + 2`, as ints.h spells it.
struct Extent {
  std::string name; // empty: `size`
  int64_t size = 0;

  static Extent of(int64_t n) { return {{}, n}; }
  bool is(int64_t n) const { return name.empty() && size == n; }
  std::string text() const { return name.empty() ? std::to_string(size) : name; }
  // Whether it is made of several things.
  bool sum() const { return name.find_first_of(" -") != std::string::npos; }
  static Extent of(const IntExpr &e) {
    const auto n = e.constant();
    return n ? of(*n) : Extent{e.text(), 0};
  }
  friend bool operator==(const Extent &, const Extent &) = default;
};
inline std::optional<Extent> read_extent(const Reader &r, Node n) {
  int64_t size = 0;
  if (r.integer(n, &size)) return Extent::of(size);
  if (const std::string_view name = r.name_of(n); !name.empty()) return Extent{std::string(name), 0};
  const MaybeInt sum = r.is(n, HTP_BinOp) || r.is(n, HTP_UnaryOp) ? read_int(r, n) : std::nullopt;
  return sum ? std::optional(Extent::of(*sum)) : std::nullopt;
}
inline Node write_extent(const Tree &t, const Extent &e, Node origin) {
  if (e.name.empty()) return t.integer_node(e.size, origin);
  return e.sum() ? t.parse(e.name, origin) : t.name(e.name, origin);
}

// A type constructor over a dtype and extents: Tensor, Tile, Block … A bare dtype is a scalar: `form` is empty then.
struct Type {
  std::string form;  // "Tile", without the module it was reached through
  std::string dtype; // "f32", likewise
  std::vector<Extent> extents;
  Node layout = HTP_NONE; // an annotation expression: a call of a facet's constructor
  Node space = HTP_NONE;

  size_t rank() const { return extents.size(); }
};

inline std::string last_component(std::string_view dotted) { return std::string(dotted.substr(dotted.rfind('.') + 1)); }

// Reads an annotation, looking through In[…], Out[…] and InOut[…]. Nothing when it has another shape (a foreign type).
inline std::optional<Type> read_type(const Reader &r, Node annotation) {
  auto s = r.as<ast::Subscript>(annotation);
  if (!s) {
    const std::string dtype = r.dotted(annotation);
    if (dtype.empty()) return std::nullopt;
    Type scalar;
    scalar.dtype = last_component(dtype);
    return scalar;
  }
  Type t;
  t.form = last_component(r.dotted(s.value()));
  if (t.form == "In" || t.form == "Out" || t.form == "InOut") return read_type(r, s.slice());
  const Node one[] = {s.slice()};
  Nodes arguments = one;
  if (auto tuple = r.as<ast::Tuple>(s.slice())) arguments = tuple.elts();
  if (t.form.empty() || arguments.empty()) return std::nullopt;
  t.dtype = last_component(r.dotted(arguments[0]));
  if (t.dtype.empty()) return std::nullopt;
  for (const Node a : arguments.subspan(1)) {
    std::string_view text;
    if (t.layout || t.space || r.is(a, HTP_Call) || r.string(a, &text)) {
      auto call = r.as<ast::Call>(a);
      const bool space = !call || t.layout || last_component(r.dotted(call.func())) == "space";
      (space ? t.space : t.layout) = a;
    } else if (const auto extent = read_extent(r, a)) {
      t.extents.push_back(*extent);
    } else {
      return std::nullopt;
    }
  }
  return t;
}

// "In", "Out", "InOut" of a parameter's annotation; empty when it has none.
inline std::string direction_of(const Reader &r, Node annotation) {
  auto s = r.as<ast::Subscript>(annotation);
  const std::string head = s ? last_component(r.dotted(s.value())) : std::string();
  return head == "In" || head == "Out" || head == "InOut" ? head : std::string();
}

// A copy of an expression: within one stage a node has one parent.
inline Node copy_of(const Tree &t, Node n, Node origin) { return n ? t.parse(t.show(n), origin) : HTP_NONE; }

// The annotation expression. `form` and `dtype` spell the constructor and the dtype; their plain names when empty.
inline Node write_type(const Tree &t, const Type &type, Node origin, std::string_view form = {},
                       std::string_view dtype = {}) {
  const Node element = t.path(dtype.empty() ? type.dtype : dtype, origin);
  if (type.form.empty()) return element;
  std::vector<uint32_t> arguments{element};
  for (const Extent &e : type.extents) arguments.push_back(write_extent(t, e, origin));
  if (type.layout) arguments.push_back(copy_of(t, type.layout, origin));
  if (type.space) arguments.push_back(copy_of(t, type.space, origin));
  const Node slice =
      arguments.size() == 1 ? arguments[0] : t.make(make::Tuple{.elts = std::move(arguments), .ctx = HTP_LOAD}, origin);
  return t.make(
      make::Subscript{.value = t.path(form.empty() ? type.form : form, origin), .slice = slice, .ctx = HTP_LOAD},
      origin);
}

// As messages show it: `Tile[f32, i, N]`.
inline std::string text_of(const Tree &t, const Type &type) {
  if (type.form.empty()) return type.dtype;
  std::string result = type.form + "[" + type.dtype;
  for (const Extent &e : type.extents) result += ", " + e.text();
  if (type.layout) result += ", " + t.show(type.layout);
  if (type.space) result += ", " + t.show(type.space);
  return result + "]";
}

// Equality of two types, layouts and spaces by their canonical text.
inline bool same_type(const Tree &t, const Type &a, const Type &b) { return text_of(t, a) == text_of(t, b); }

// `Block[M]`: how a loop variable of `tiles` is described to typing rules: a block of that extent, however deep it was
// cut.
inline Node write_block(const Tree &t, const Extent &of, Node origin) {
  return t.make(
      make::Subscript{.value = t.name("Block", origin), .slice = write_extent(t, of, origin), .ctx = HTP_LOAD}, origin);
}
inline std::optional<Extent> read_block(const Reader &r, Node annotation) {
  auto s = r.as<ast::Subscript>(annotation);
  if (!s || r.name_of(s.value()) != "Block") return std::nullopt;
  return read_extent(r, s.slice());
}

// ── dtypes ──────────────────────────────────────────────────────────────────────────────────────────────────────────

// storage: a float that is loaded, stored and cast, and not calculated with.
enum class DtypeClass : uint8_t { none, boolean, integer, floating, storage };
inline DtypeClass dtype_class(std::string_view dtype) {
  if (dtype == "bool_") return DtypeClass::boolean;
  for (const std::string_view name : {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"})
    if (dtype == name) return DtypeClass::integer;
  for (const std::string_view name : {"f16", "bf16", "f32", "f64"})
    if (dtype == name) return DtypeClass::floating;
  if (dtype == "f8e4m3" || dtype == "f8e5m2") return DtypeClass::storage;
  return DtypeClass::none;
}

} // namespace htp::sdk
