// What passes make of a tree's pieces.
#pragma once

#include "language/module.h"

#include "htp_cpp/edit.h"

namespace htp::tile {

// The node with what `f` gives for each of its children.
template <class F> Node with_each_child(const Context &c, Node n, const F &f) {
  const htp_kind_info &k = c.info(n);
  std::vector<uint32_t> slots(k.field_count);
  for (unsigned i = 0; i < k.field_count; ++i) {
    slots[i] = c.slot(n, i);
    const auto type = k.fields[i].type;
    if (!slots[i]) continue;
    if (type == HTP_FIELD_NODE || type == HTP_FIELD_OPT) slots[i] = f(slots[i]);
    if (type == HTP_FIELD_LIST || type == HTP_FIELD_LISTN) {
      std::vector<uint32_t> items;
      for (const Node item : c.list(slots[i])) items.push_back(item ? f(item) : item);
      slots[i] = c.make_list(items);
    }
  }
  return c.host()->with(c.ctx(), n, slots.data(), k.field_count);
}

// A `while` whose condition does something, from one of its parts on: `first` holds those before, which can stay where
// they are; each of `rest` is asked at the begin of an iteration, in this order.
struct WhileTest {
  Node first;
  std::vector<Node> rest;
};
template <class F> WhileTest split_test(const Context &c, Node test, const F &does) {
  auto both = c.as<ast::BoolOp>(test);
  const std::vector<Node> alone{test};
  const Nodes parts = both && both.op() == HTP_And ? both.values() : Nodes(alone);
  size_t stay = 0;
  while (stay < parts.size() && !does(parts[stay])) ++stay;
  if (stay == parts.size()) return {test, {}};
  const Node first = stay == 0   ? c.make(make::Constant{.value = Literal::boolean(true)}, test)
                     : stay == 1 ? parts[0]
                                 : with_list(c, test, HTP_FIELD(BoolOp, values), parts.first(stay));
  return {first, {parts.begin() + static_cast<std::ptrdiff_t>(stay), parts.end()}};
}

// `if not condition: break`
inline Node leave_unless(const Context &c, Node condition) {
  auto negated = c.as<ast::UnaryOp>(condition);
  const Node test = negated && negated.op() == HTP_Not
                        ? negated.operand()
                        : c.make(make::UnaryOp{.op = HTP_Not, .operand = condition}, condition);
  return c.make(make::If{.test = test, .body = {c.make(make::Break{}, condition)}}, condition);
}

} // namespace htp::tile
