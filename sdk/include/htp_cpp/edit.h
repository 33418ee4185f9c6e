// htp_cpp/edit.h — changing one field of a node: what stays equal keeps its id, so that a rewrite that changes nothing
// costs nothing.
#pragma once

#include "htp_cpp/tree.h"

#include <algorithm>
#include <vector>

namespace htp::sdk {

// `n` with the slot `field` (HTP_FIELD(For, iter)) set to `value`.
inline Node with_slot(const Tree &t, Node n, unsigned field, uint32_t value) {
  if (t.slot(n, field) == value) return n;
  const uint32_t count = t.info(n).field_count;
  std::vector<uint32_t> slots(count);
  for (unsigned i = 0; i < count; ++i) slots[i] = i == field ? value : t.slot(n, i);
  return t.host()->with(t.ctx(), n, slots.data(), count);
}

// The same for a list of nodes.
inline Node with_list(const Tree &t, Node n, unsigned field, Nodes items) {
  const Nodes old = t.list(t.slot(n, field));
  if (std::equal(old.begin(), old.end(), items.begin(), items.end())) return n;
  return with_slot(t, n, field, t.make_list(items));
}

// The module with `from` among its statements replaced by `to`; 0 drops it.
inline Node with_statement(const Tree &t, Node module, Node from, Node to) {
  if (from == to) return module;
  std::vector<uint32_t> body;
  for (const Node s : t.get<ast::Module>(module).body())
    if (s != from)
      body.push_back(s);
    else if (to)
      body.push_back(to);
  return with_list(t, module, HTP_FIELD(Module, body), body);
}

// A statement with another value: `y: T = value`, `y = value` or `value` alone.
inline Node with_value(const Tree &t, Node statement, Node value) {
  if (t.is(statement, HTP_AnnAssign)) return with_slot(t, statement, HTP_FIELD(AnnAssign, value), value);
  if (t.is(statement, HTP_Assign)) return with_slot(t, statement, HTP_FIELD(Assign, value), value);
  return with_slot(t, statement, HTP_FIELD(Expr, value), value);
}

// The statement `to` with the comments before `from` and behind it, for when another kind of statement takes its place.
inline Node with_comments_of(const Tree &t, Node from, Node to) {
  const htp_store *s = t.store();
  const htp_trivia &trivia = s->trivia[t.record(from).note];
  std::vector<std::string_view> lines;
  for (const uint32_t line : t.list(trivia.leading)) lines.push_back(t.text(line));
  if (trivia.trailing) lines.push_back(t.text(trivia.trailing));
  std::string comment;
  bool any = false;
  for (std::string_view line : lines) {
    if (line.empty()) continue; // a blank line
    line.remove_prefix(1);
    if (line.starts_with(' ')) line.remove_prefix(1);
    if (any) comment += '\n';
    comment += line;
    any = true;
  }
  return any ? t.host()->comment(t.ctx(), to, str(comment)) : to;
}

} // namespace htp::sdk
