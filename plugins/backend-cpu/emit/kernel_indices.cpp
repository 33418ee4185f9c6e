// Ints of a program as C: index expressions, where elements lie in memory, and what is checked of both.
#include "printer.h"

#include <algorithm>

namespace htp::cpu::ready {

std::optional<int64_t> Printer::most(Node bound) const {
  const auto it = integers_.find(c.name_of(bound));
  if (c.name_of(bound).empty() || it == integers_.end()) return std::nullopt;
  std::optional<int64_t> most;
  for (const Statement *s : it->second) {
    auto call = c.as<ast::Call>(s->test);
    if (!call || c.name_of(call.func()) != "min") return std::nullopt;
    std::optional<int64_t> least;
    Value v;
    for (const Node each : call.args())
      if (constants_.number(each, v)) least = std::min(least.value_or(v.i), v.i);
    if (!least) return std::nullopt;
    most = std::max(most.value_or(*least), *least);
  }
  return most;
}

std::string Printer::index(Node n, const Mode &m, unsigned copy, int level) {
  Value v;
  const auto id = c.name_of(n);
  if (!id.empty() && c_names_.contains(std::string(id))) {
    if (!m.plan || id != m.variable || copy == 0) return name(id);
    const std::string text = name(id) + " + " + elements_of(m.lanes(), copy);
    return level > 0 ? "(" + text + ")" : text;
  }
  if (constants_.number(n, v)) return v.i < 0 ? "(" + std::to_string(v.i) + ")" : std::to_string(v.i);
  if (!id.empty()) return name(id);
  const bool may_overflow = unproved_.overflows.contains(n);
  if (auto u = c.as<ast::UnaryOp>(n); u && may_overflow)
    return h.checked("sub") + "(0, " + index(u.operand(), m, copy) + ", " + status("sub", n, statement_) + ")";
  if (auto u = c.as<ast::UnaryOp>(n))
    return "(" + std::string(u.op() == HTP_USub ? "-" : "") + index(u.operand(), m, copy, 2) + ")";
  if (auto call = c.as<ast::Call>(n))
    return h.index(std::string(c.name_of(call.func()))) + "(" + index(call.args()[0], m, copy) + ", " +
           index(call.args()[1], m, copy) + ")";
  auto b = c.get<ast::BinOp>(n);
  const htp_op op = b.op();
  if (op == HTP_FloorDiv || op == HTP_Mod) {
    const std::string operation = op == HTP_Mod ? "mod" : "floordiv";
    const bool guarded = unproved_.divisions.contains(n);
    return (guarded ? h.guarded_index(operation) : h.index(operation)) + "(" + index(b.left(), m, copy) + ", " +
           index(b.right(), m, copy) + (guarded ? ", " + status(operation, n, statement_) : "") + ")";
  }
  if (may_overflow) {
    const std::string operation = op == HTP_Mult ? "mul" : op == HTP_Add ? "add" : "sub";
    return h.checked(operation) + "(" + index(b.left(), m, copy) + ", " + index(b.right(), m, copy) + ", " +
           status(operation, n, statement_) + ")";
  }
  const int own = op == HTP_Mult ? 1 : 0;
  const std::string text = index(b.left(), m, copy, own) +
                           (op == HTP_Mult  ? " * "
                            : op == HTP_Add ? " + "
                                            : " - ") +
                           index(b.right(), m, copy, op == HTP_Add ? 0 : own + 1);
  return level > own ? "(" + text + ")" : text;
}

std::string Printer::condition(Node n) {
  if (auto cmp = c.as<ast::Compare>(n)) {
    static constexpr std::string_view ops[] = {" == ", " != ", " < ", " <= ", " > ", " >= "};
    std::string text;
    Node left = cmp.left();
    for (size_t k = 0; k < cmp.ops().size(); ++k) {
      if (k) text += " && ";
      text += index(left, 1) + std::string(ops[cmp.ops()[k] - HTP_Eq]) + index(cmp.comparators()[k], 1);
      left = cmp.comparators()[k];
    }
    return text;
  }
  if (auto b = c.as<ast::BoolOp>(n))
    return join(b.values(), b.op() == HTP_And ? " && " : " || ", [&](Node v) { return "(" + condition(v) + ")"; });
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return "!(" + condition(u.operand()) + ")";
  return index(n);
}

std::string Printer::element(const Statement &s, const Mode &m, unsigned copy) {
  if (s.memory->scalar) return name(s.memory->name);
  std::string text;
  if (s.memory->storage) return name(s.memory->name) + "[" + place(s, m, copy) + "]";
  if (!s.memory->by_call.empty()) {
    for (size_t d = 0; d < s.index.size(); ++d)
      text += (text.empty() ? "" : " + ") + index(s.index[d], m, copy, s.memory->unit(d) ? 1 : 2) +
              (s.memory->unit(d) ? "" : " * " + index(s.memory->by_call[d], 2));
    return name(s.memory->name) + "[" + text + "]";
  }
  if (!s.memory->steps.empty()) {
    for (size_t d = 0; d < s.index.size(); ++d) {
      const int64_t step = s.memory->steps[d];
      text += (text.empty() ? "" : " + ") + index(s.index[d], m, copy, step == 1 ? 1 : 2) +
              (step == 1 ? "" : " * " + std::to_string(step));
    }
    return name(s.memory->name) + "[" + text + "]";
  }
  text = in_rows(s, m, copy);
  return name(s.memory->name) + "[" + (text.empty() ? "0" : text) + "]";
}

// The row-major index.
std::string Printer::in_rows(const Statement &s, const Mode &m, unsigned copy) {
  std::string text;
  for (size_t d = 0; d < s.index.size(); ++d) {
    if (d == 0) {
      text = index(s.index[0], m, copy, s.index.size() > 1 ? 1 : 0);
      continue;
    }
    if (d > 1) text = "(" + text + ")";
    text += " * " + index(s.memory->extents[d], 2) + " + " + index(s.index[d], m, copy);
  }
  return text;
}

// Where an element lies that no steps lead to: in blocks, swizzled.
std::string Printer::place(const Statement &s, const Mode &m, unsigned copy) {
  std::string text;
  for (const layout::IndexDigit &d : s.memory->digits) {
    std::string value = d.dimension ? index(s.index[*d.dimension], m, copy, 2) : "(" + in_rows(s, m, copy) + ")";
    if (d.unit > 1) value += " / " + std::to_string(d.unit);
    if (!d.highest) value += " % " + std::to_string(d.extent);
    if (d.steps.size() == 1) {
      value += d.steps[0] == 1 ? "" : " * " + std::to_string(d.steps[0]);
    } else {
      std::string bits;
      for (size_t k = 0; k < d.steps.size(); ++k)
        bits += (k ? " ^ " : "") + std::string("((") + value + ") >> " + std::to_string(k) + " & 1) * " +
                std::to_string(d.steps[k]);
      value = "(" + bits + ")";
    }
    text += (text.empty() ? "" : " + ") + value;
  }
  return text.empty() ? "0" : text;
}

std::string Printer::status(const std::string &what, Node at, Node statement, const Memory *memory, int64_t dimension) {
  fails_ = fails_any_ = true;
  const auto [it, fresh] = check_numbers_.try_emplace({what, at, dimension}, checks_.size());
  if (fresh) checks_.push_back({what, memory ? memory->name : "", dimension, number_of(at), number_of(statement)});
  return std::to_string(it->second) + ", &failed";
}

size_t Printer::number_of(Node n) {
  if (numbers_.empty()) {
    size_t next = 0;
    c.each(root_, [&](Node each) { numbers_.try_emplace(each, next++); });
  }
  const auto it = numbers_.find(n);
  return it == numbers_.end() ? 0 : it->second;
}

std::string Printer::inside(const Statement &s, const Mode &m, unsigned copy) {
  const bool may_be_outside = s.kind == Statement::Kind::get && !s.operands.empty();
  std::string text;
  for (size_t d = 0; d < s.index.size(); ++d) {
    if (!unproved_.indices.contains(s.index[d])) continue;
    text += (text.empty() ? "" : " && ") + (may_be_outside ? h.index("within") : h.guard("inside")) + "(" +
            index(s.index[d], m, copy) + ", " + index(s.memory->extents[d]) +
            (may_be_outside ? "" : ", " + status("index", s.index[d], s.node, s.memory, static_cast<int64_t>(d))) + ")";
  }
  return text;
}

} // namespace htp::cpu::ready
