// htp_cpp/layout/text.h — the canonical constructor expression, the only form in which a layout crosses a boundary:
//
//     htp.layout(((4, 1, "core"), (64, 1, "m")), replicate=((2, 1, "x"),), pending=((4, 1, "y", "sum"),), offset={"m":
//     8})
//
// A digit is (extent, stride, "axis"); (extent, {"axis": stride, …}) when it moves along several axes; (extent,
// (step, step, …), "axis") or (extent, ({"axis": step}, …)) when each of its bits has a step and they are combined by
// exclusive or. A digit that moves nowhere is (extent, 0, "m").
#pragma once

#include "htp_cpp/layout/core.h"
#include "htp_cpp/layout/literal.h"

namespace htp::layout {

namespace text {

inline std::string quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }
inline std::string dict(const Point &p) {
  std::string result;
  for (const auto &[axis, n] : p)
    result += (result.empty() ? "" : ", ") + text::quoted(axis) + ": " + std::to_string(n);
  return "{" + result + "}";
}
// Of a tuple: with the comma that one item needs.
inline std::string tuple(const std::vector<std::string> &items) {
  std::string result;
  for (const std::string &item : items) result += (result.empty() ? "" : ", ") + item;
  return "(" + result + (items.size() == 1 ? ",)" : ")");
}

inline std::string term(const Term &t, std::string_view op = {}) {
  Point all;
  for (const Point &step : t.steps)
    for (const auto &[axis, n] : step) all.add(axis, std::abs(n));
  std::vector<std::string> items{std::to_string(t.extent)};
  const std::string axis = all.nowhere() ? "m" : all.begin()->first;
  std::vector<std::string> steps;
  for (const Point &step : t.steps) steps.push_back(all.axes() > 1 ? dict(step) : std::to_string(step[axis]));
  items.push_back(t.is_xor() ? tuple(steps) : steps[0]);
  if (all.axes() <= 1) items.push_back(text::quoted(axis));
  if (!op.empty()) items.push_back(text::quoted(op));
  return tuple(items);
}

inline const No wrong{"a digit of a layout is (extent, stride, \"axis\")"};

inline Result<Point> point(const Literal &l) {
  if (!l.is(Literal::dict)) return No{"coordinates are written {\"axis\": number}"};
  Point p;
  for (size_t k = 0; k < l.items.size(); ++k) {
    if (!l.items[k].is(Literal::number)) return No{"coordinates are written {\"axis\": number}"};
    p.add(l.keys[k], l.items[k].value);
  }
  return p;
}
// The term of a tuple; with `op` the last item is the operation there.
inline Result<Term> term(const Literal &l, std::string *op = nullptr) {
  if (!l.is(Literal::tuple)) return wrong;
  std::vector<Literal> items = l.items;
  if (op) {
    if (items.empty() || !items.back().is(Literal::text))
      return No{"what is pending is (extent, stride, \"axis\", \"op\")"};
    *op = items.back().spelling;
    items.pop_back();
  }
  if (items.size() < 2 || items.size() > 3 || !items[0].is(Literal::number)) return wrong;
  const std::string *axis = items.size() == 3 && items[2].is(Literal::text) ? &items[2].spelling : nullptr;
  if (items.size() == 3 && !axis) return wrong;
  Term t{items[0].value, {}};
  for (const Literal &step : items[1].is(Literal::tuple) ? items[1].items : std::vector{items[1]}) {
    if (axis && step.is(Literal::number)) {
      t.steps.emplace_back(*axis, step.value);
    } else if (!axis && step.is(Literal::dict)) {
      const auto p = point(step);
      if (!p) return p.no();
      t.steps.push_back(*p);
    } else {
      return wrong;
    }
  }
  if (items[1].is(Literal::tuple) && t.extent == 1 && t.steps.empty()) t.steps.emplace_back();
  return t;
}
inline Result<std::vector<Term>> terms(const Literal *l) {
  std::vector<Term> result;
  if (!l) return result;
  if (!l->is(Literal::tuple)) return No{"the digits of a layout are a tuple: ((64, 1, \"m\"),)"};
  for (const Literal &item : l->items) {
    auto t = term(item);
    if (!t) return t.no();
    result.push_back(std::move(*t));
  }
  return result;
}

} // namespace text

inline std::string write(const Layout &layout) {
  const auto listed = [](const std::vector<Term> &terms) {
    std::vector<std::string> items;
    for (const Term &t : terms) items.push_back(text::term(t));
    return text::tuple(items);
  };
  std::string result = "htp.layout(" + listed(layout.terms());
  if (!layout.replicate().empty()) result += ", replicate=" + listed(layout.replicate());
  std::vector<std::string> pending;
  for (const Pending &p : layout.pending()) pending.push_back(text::term(p.term, p.op));
  if (!pending.empty()) result += ", pending=" + text::tuple(pending);
  if (!layout.offset().nowhere()) result += ", offset=" + text::dict(layout.offset());
  return result + ")";
}

// The layout of a call of htp.layout with literal arguments.
inline Result<Layout> read_core(const Literal &call) {
  auto terms = text::terms(call.argument(0, "terms")), replicate = text::terms(call.keyword("replicate"));
  if (!terms || !replicate) return terms ? replicate.no() : terms.no();
  Fields fields{.terms = std::move(*terms), .replicate = std::move(*replicate)};
  if (const Literal *pending = call.keyword("pending")) {
    if (!pending->is(Literal::tuple)) return No{"what is pending is a tuple: ((4, 1, \"x\", \"sum\"),)"};
    for (const Literal &item : pending->items) {
      Pending p;
      auto t = text::term(item, &p.op);
      if (!t) return t.no();
      p.term = std::move(*t);
      fields.pending.push_back(std::move(p));
    }
  }
  if (const Literal *offset = call.keyword("offset"); offset && !offset->is(Literal::none)) {
    const auto p = text::point(*offset);
    if (!p) return p.no();
    fields.offset = *p;
  }
  return Layout::make(std::move(fields));
}

} // namespace htp::layout
