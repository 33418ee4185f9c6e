// htp_cpp/layout/annotation.h — layouts as annotation expressions: the only header in which the algebra meets the tree.
#pragma once

#include "htp/layout.h"
#include "htp_cpp/layout/array.h"
#include "htp_cpp/layout/convert.h"
#include "htp_cpp/types.h"

#include <optional>

namespace htp::sdk {

// The literals that a layout is written in; `integer` gives the value of an int that is none: of a module's constant.
template <class Integer>
layout::Result<layout::Literal> layout_literal(const Reader &r, Node n, const Integer &integer) {
  using layout::Literal;
  Literal value;
  const auto within = [&](Node part) { return layout_literal(r, part, integer); };
  const auto listed = [&](Literal::Kind kind, Nodes items) -> layout::Result<Literal> {
    value.kind = kind;
    for (const Node item : items) {
      auto part = within(item);
      if (!part) return part;
      value.items.push_back(std::move(*part));
    }
    return value;
  };
  std::string_view text;
  if (auto tuple = r.as<ast::Tuple>(n)) return listed(Literal::tuple, tuple.elts());
  if (auto dict = r.as<ast::Dict>(n)) {
    for (const Node key : dict.keys()) {
      if (!r.string(key, &text) || value.has_key(text)) return layout::not_literal;
      value.keys.emplace_back(text);
    }
    return listed(Literal::dict, dict.values());
  }
  if (auto call = r.as<ast::Call>(n)) {
    value.spelling = r.dotted(call.func());
    for (const Node k : call.keywords()) {
      auto keyword = r.get<ast::keyword>(k);
      auto given = within(keyword.value());
      if (!given) return given;
      if (value.spelling.empty() || keyword.arg().empty()) return layout::not_literal;
      value.keywords.emplace_back(keyword.arg(), std::move(*given));
    }
    return listed(Literal::call, call.args());
  }
  if (r.string(n, &text)) {
    value.kind = Literal::text, value.spelling = text;
    return value;
  }
  if (auto constant = r.as<ast::Constant>(n); constant && constant.value().type == HTP_CONST_NONE) return value;
  const std::optional<int64_t> number = integer(n);
  if (!number) return layout::not_literal;
  value.kind = Literal::number, value.value = *number;
  return value;
}

// The layout that an annotation expression means.
template <class Integer>
layout::Result<layout::Layout> read_layout(const Reader &r, Node expression, const Integer &integer) {
  const auto literal = layout_literal(r, expression, integer);
  return literal ? layout::read(*literal) : layout::Result<layout::Layout>(literal.no());
}
// Where its arguments are literals.
inline layout::Result<layout::Layout> read_layout(const Reader &r, Node expression) {
  return read_layout(r, expression, [&](Node n) {
    int64_t value = 0;
    return r.integer(n, &value) ? std::optional(value) : std::nullopt;
  });
}

// A step along a dimension: a number of elements, or a dim that a call's array gives its value.
struct RunTimeStep {
  std::string dim; // empty: `size`
  int64_t size = 0;
  bool operator==(const RunTimeStep &) const = default;
};
// The steps of `htp.layouts.strided((M, N), (S0, 1))`, of which only a call says where elements lie; nothing of other
// layouts.
template <class Integer>
std::optional<std::vector<RunTimeStep>> run_time_steps(const Reader &r, Node layout, const Integer &integer) {
  const auto call = r.as<ast::Call>(layout);
  if (!call || call.args().size() != 2 || !call.keywords().empty() ||
      last_component(r.dotted(call.func())) != "strided")
    return std::nullopt;
  const auto shape = r.as<ast::Tuple>(call.args()[0]), steps = r.as<ast::Tuple>(call.args()[1]);
  if (!shape || !steps || shape.elts().size() != steps.elts().size()) return std::nullopt;
  bool fixed = true;
  for (const Node extent : shape.elts()) fixed = fixed && integer(extent);
  std::vector<RunTimeStep> found;
  for (const Node step : steps.elts()) {
    const std::optional<int64_t> size = integer(step);
    const std::string_view dim = r.name_of(step);
    if (!size && dim.empty()) return std::nullopt;
    found.push_back(size ? RunTimeStep{{}, *size} : RunTimeStep{std::string(dim), 0});
    fixed = fixed && size;
  }
  return fixed ? std::nullopt : std::optional(std::move(found));
}

// The same in HTP's own notations or, by its facet, in that of a plugin. `names` are the module's: another's notation
// may be called like one of ours.
template <class Context, class Names, class Integer> layout::Result<layout::Layout>
read_layout_by_facet(const Context &c, const Names &names, Node expression, const Integer &integer) {
  const std::string constructor = names.called(expression);
  if (constructor.empty() || constructor == "htp.layout" || constructor.starts_with("htp.layouts."))
    return read_layout(c, expression, integer);
  const htp_layout_facet *facet = c.host()->layout(c.ctx(), str(constructor));
  const Node core = facet ? facet->to_core(c.host(), c.ctx(), expression) : HTP_NONE;
  return core ? read_layout(c, core, integer) : layout::No{"no facet reads `" + constructor + "`"};
}

// Whether a tensor of this type lies row-major in one memory: it does without a layout. As above.
template <class Context, class Names, class Integer>
bool is_row_major(const Context &c, const Names &names, const Type &type, const Integer &integer) {
  if (!type.layout) return true;
  const auto layout = read_layout_by_facet(c, names, type.layout, integer);
  return layout && layout::is_row_major(*layout);
}

// The canonical constructor expression, which comes from `origin`.
inline Node write_layout(const Tree &t, const layout::Layout &layout, Node origin) {
  return t.parse(layout::write(layout), origin);
}

} // namespace htp::sdk
