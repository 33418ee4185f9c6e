#include "host/ast/unparse_printer.h"

namespace htp {

bool Printer::enter(htp_node n) {
  // CPython's parser gives up far below; every level takes a few hundred bytes of stack.
  constexpr uint32_t MostLevels = 6000;
  if (depth_ == MostLevels) {
    fail(n, "it is nested too deeply");
    return false;
  }
  ++depth_;
  return true;
}

void Printer::expression(htp_node n, Precedence wanted) {
  switch (kind(n)) {
  case HTP_Name: {
    const size_t span = open(n);
    out_.write(string(HTP_FIELDS(Name, &store_, n)->id));
    close(span);
    return;
  }
  case HTP_Constant: return constant_node(n, wanted);
  case HTP_Attribute:
  case HTP_Call:
  case HTP_Subscript:
  case HTP_BinOp: return chain(n, wanted);
  default: break;
  }
  if (!enter(n)) return;
  other_expression(n, wanted);
  leave();
}

void Printer::chain(htp_node n, Precedence wanted) {
  if (!enter(n)) return;
  const size_t base = links_.size();
  for (bool more = true; more;) {
    Link link{n, 0, false};
    htp_node next = 0;
    Precedence next_wanted = Precedence::atom;
    switch (kind(n)) {
    case HTP_BinOp: {
      const auto *f = HTP_FIELDS(BinOp, &store_, n);
      const Precedence level = operator_row(f->op).level;
      link.parenthesised = wanted > level;
      next_wanted = f->op == HTP_Pow ? tighter(level) : level;
      next = f->left;
      break;
    }
    case HTP_Attribute: next = HTP_FIELDS(Attribute, &store_, n)->value; break;
    case HTP_Call: next = HTP_FIELDS(Call, &store_, n)->func; break;
    case HTP_Subscript: next = HTP_FIELDS(Subscript, &store_, n)->value; break;
    default: more = false; continue;
    }
    if (link.parenthesised) begin('(');
    link.span = open(n);
    links_.push_back(link);
    n = next;
    wanted = next_wanted;
  }
  expression(n, wanted);
  while (links_.size() > base) {
    const Link link = links_.back();
    links_.pop_back();
    finish(link);
    close(link.span);
    if (link.parenthesised) end(')');
  }
  leave();
}

// What stands right of the chain's next link.
void Printer::finish(const Link &link) {
  const htp_node n = link.node;
  switch (kind(n)) {
  case HTP_BinOp: {
    const auto *f = HTP_FIELDS(BinOp, &store_, n);
    const Operator &op = operator_row(f->op);
    out_.write(op.text);
    return expression(f->right, f->op == HTP_Pow ? op.level : tighter(op.level));
  }
  case HTP_Attribute: {
    const auto *f = HTP_FIELDS(Attribute, &store_, n);
    if (kind(f->value) == HTP_Constant) {
      // `1.real` would be a float.
      const uint32_t type = store_.consts[HTP_FIELDS(Constant, &store_, f->value)->value].type;
      if (type == HTP_CONST_INT || type == HTP_CONST_TRUE || type == HTP_CONST_FALSE) out_.put(' ');
    }
    out_.put('.');
    return out_.write(string(f->attr));
  }
  case HTP_Call: {
    const auto *f = HTP_FIELDS(Call, &store_, n);
    begin('(');
    call_arguments(f->args, f->keywords);
    return end(')');
  }
  default: {
    const htp_node index = HTP_FIELDS(Subscript, &store_, n)->slice;
    begin('[');
    const bool bare = kind(index) == HTP_Tuple && HTP_FIELDS(Tuple, &store_, index)->elts != 0;
    if (bare) {
      const size_t span = open(index);
      items(HTP_FIELDS(Tuple, &store_, index)->elts);
      close(span);
    } else {
      expression(index);
    }
    return end(']');
  }
  }
}

void Printer::other_expression(htp_node n, Precedence wanted) {
  const uint16_t which = kind(n);
  Precedence level = Precedence::atom;
  switch (which) {
  case HTP_BoolOp: level = operator_row(HTP_FIELDS(BoolOp, &store_, n)->op).level; break;
  case HTP_UnaryOp: level = operator_row(HTP_FIELDS(UnaryOp, &store_, n)->op).level; break;
  case HTP_NamedExpr: level = Precedence::named; break;
  case HTP_Lambda:
  case HTP_IfExp: level = Precedence::test; break;
  case HTP_Await: level = Precedence::await_; break;
  case HTP_Yield:
  case HTP_YieldFrom: level = Precedence::yield; break;
  case HTP_Compare: level = Precedence::cmp; break;
  default: break;
  }
  const bool parenthesise = wanted > level || (which == HTP_JoinedStr && form_needs_brackets(n));
  if (parenthesise) begin('(');
  const size_t span = open(n);
  switch (which) {
  case HTP_BoolOp: bool_op(n); break;
  case HTP_NamedExpr: {
    const auto *f = HTP_FIELDS(NamedExpr, &store_, n);
    expression(f->target, Precedence::atom);
    out_.write(" := ");
    expression(f->value, Precedence::atom);
    break;
  }
  case HTP_UnaryOp: {
    const auto *f = HTP_FIELDS(UnaryOp, &store_, n);
    out_.write(operator_row(f->op).text);
    expression(f->operand, level);
    break;
  }
  case HTP_Lambda: lambda(n); break;
  case HTP_IfExp: {
    const auto *f = HTP_FIELDS(IfExp, &store_, n);
    expression(f->body, tighter(Precedence::test));
    out_.write(" if ");
    expression(f->test, tighter(Precedence::test));
    out_.write(" else ");
    expression(f->orelse, Precedence::test);
    break;
  }
  case HTP_Dict: dict(n); break;
  case HTP_Set: {
    const uint32_t elts = HTP_FIELDS(Set, &store_, n)->elts;
    if (elts == 0) {
      out_.write("{*()}"); // `{}` is a dict, and `set` may mean something else
      break;
    }
    begin('{');
    joined(elts);
    end('}');
    break;
  }
  case HTP_ListComp:
  case HTP_SetComp:
  case HTP_GeneratorExp: {
    const auto *f = HTP_FIELDS(ListComp, &store_, n); // the three have the same fields
    begin(which == HTP_ListComp ? '[' : which == HTP_SetComp ? '{' : '(');
    comprehension(f->elt, 0, f->generators);
    end(which == HTP_ListComp ? ']' : which == HTP_SetComp ? '}' : ')');
    break;
  }
  case HTP_DictComp: {
    const auto *f = HTP_FIELDS(DictComp, &store_, n);
    begin('{');
    comprehension(f->key, f->value, f->generators);
    end('}');
    break;
  }
  case HTP_Await: {
    out_.write("await ");
    expression(HTP_FIELDS(Await, &store_, n)->value, Precedence::atom);
    break;
  }
  case HTP_Yield: {
    const htp_node value = HTP_FIELDS(Yield, &store_, n)->value;
    out_.write("yield");
    if (value != 0) (out_.put(' '), expression(value, Precedence::atom));
    break;
  }
  case HTP_YieldFrom: {
    out_.write("yield from ");
    expression(HTP_FIELDS(YieldFrom, &store_, n)->value, Precedence::atom);
    break;
  }
  case HTP_Compare: compare(n); break;
  case HTP_FormattedValue:
  case HTP_Interpolation: fstring_value(n, false); break;
  case HTP_JoinedStr: fstring(n, HTP_FIELDS(JoinedStr, &store_, n)->values, 'f'); break;
  case HTP_TemplateStr: fstring(n, HTP_FIELDS(TemplateStr, &store_, n)->values, 't'); break;
  case HTP_Starred:
    out_.put('*');
    expression(HTP_FIELDS(Starred, &store_, n)->value, Precedence::bor);
    break;
  case HTP_List:
    begin('[');
    joined(HTP_FIELDS(List, &store_, n)->elts);
    end(']');
    break;
  case HTP_Tuple: {
    const uint32_t elts = HTP_FIELDS(Tuple, &store_, n)->elts;
    parenthesised(elts == 0 || wanted > Precedence::tuple, [&] { items(elts); });
    break;
  }
  case HTP_Slice: slice(n); break;
  default: fail(n, "it is not an expression"); break;
  }
  close(span);
  if (parenthesise) end(')');
}

void Printer::bool_op(htp_node n) {
  const auto *f = HTP_FIELDS(BoolOp, &store_, n);
  const Operator &op = operator_row(f->op);
  Precedence wanted = op.level;
  bool first = true;
  for (const htp_node value : list(f->values)) {
    if (!std::exchange(first, false)) out_.write(op.text);
    wanted = tighter(wanted); // with every operand, as `ast.unparse` does
    expression(value, wanted);
  }
}

void Printer::compare(htp_node n) {
  const auto *f = HTP_FIELDS(Compare, &store_, n);
  const Precedence wanted = tighter(Precedence::cmp);
  expression(f->left, wanted);
  const List ops = list(f->ops), comparators = list(f->comparators);
  for (uint32_t k = 0; k < ops.count && k < comparators.count; ++k) {
    out_.write(operator_row(ops[k]).text);
    expression(comparators[k], wanted);
  }
}

void Printer::lambda(htp_node n) {
  const auto *f = HTP_FIELDS(Lambda, &store_, n);
  const auto *a = HTP_FIELDS(arguments, &store_, f->args);
  out_.write("lambda");
  if (a->posonlyargs || a->args || a->vararg || a->kwonlyargs || a->kwarg) out_.put(' ');
  arguments(f->args);
  out_.write(": ");
  expression(f->body, Precedence::test);
}

void Printer::dict(htp_node n) {
  const auto *f = HTP_FIELDS(Dict, &store_, n);
  const List keys = list(f->keys), values = list(f->values);
  begin('{');
  for (uint32_t k = 0; k < keys.count && k < values.count; ++k) {
    if (k != 0) out_.write(", ");
    if (keys[k] == 0) {
      out_.write("**");
      expression(values[k], Precedence::bor);
    } else {
      expression(keys[k]);
      out_.write(": ");
      expression(values[k]);
    }
  }
  end('}');
}

void Printer::slice(htp_node n) {
  const auto *f = HTP_FIELDS(Slice, &store_, n);
  if (f->lower != 0) expression(f->lower);
  out_.put(':');
  if (f->upper != 0) expression(f->upper);
  if (f->step != 0) (out_.put(':'), expression(f->step));
}

void Printer::comprehension(htp_node elt, htp_node value, uint32_t generators) {
  expression(elt);
  if (value != 0) (out_.write(": "), expression(value));
  for (const htp_node g : list(generators)) generator(g);
}

void Printer::generator(htp_node n) {
  const auto *f = HTP_FIELDS(comprehension, &store_, n);
  out_.write(f->is_async ? " async for " : " for ");
  expression(f->target, Precedence::tuple);
  out_.write(" in ");
  expression(f->iter, tighter(Precedence::test));
  for (const htp_node condition : list(f->ifs)) {
    out_.write(" if ");
    expression(condition, tighter(Precedence::test));
  }
}

void Printer::items(uint32_t id) {
  joined(id);
  if (htp_list_size(&store_, id) == 1) out_.put(',');
}

void Printer::joined(uint32_t id) {
  bool first = true;
  for (const htp_node n : list(id)) {
    if (!std::exchange(first, false)) out_.write(", ");
    expression(n);
  }
}

} // namespace htp
