#include "host/ast/unparse_printer.h"

namespace htp {

namespace {

bool defines(uint16_t kind) { return kind == HTP_FunctionDef || kind == HTP_AsyncFunctionDef || kind == HTP_ClassDef; }

// As it was parsed; else a pass made it, and its surroundings are ours to lay out.
bool parsed(const htp_record &r) { return r.origin == 0 && r.file != 0; }

// Whether Python would take the comment, in one of the first two lines, for the name of an encoding other than UTF-8.
bool names_encoding(std::string_view comment) {
  for (size_t at = 0; (at = comment.find("coding", at)) != comment.npos;) {
    at += 6;
    if (at == comment.size() || (comment[at] != ':' && comment[at] != '=')) continue;
    const size_t name = comment.find_first_not_of(" \t", at + 1);
    if (name != comment.npos && !comment.substr(name).starts_with("utf-8")) return true;
  }
  return false;
}

} // namespace

// ── lines, comments, blank lines ────────────────────────────────────────────────────────────────────────────────────

void Printer::fill() {
  if (std::exchange(started_, true)) out_.newline();
  out_.blanks(size_t{4} * indent_);
}

void Printer::blank_line() {
  if (std::exchange(started_, true)) out_.newline();
}

void Printer::comment_lines(uint32_t lines) {
  for (const uint32_t line : list(lines)) {
    const std::string_view text = string(line);
    if (text.empty()) {
      blank_line();
      continue;
    }
    if (!started_ || out_.line() == 1) keep_off_the_top(text);
    fill();
    out_.write(text);
  }
}

void Printer::keep_off_the_top(std::string_view comment) {
  const std::string_view text = out_.text();
  const bool top = text.empty() || text[0] == '#' || text[0] == '\n';
  if (!top || !names_encoding(comment)) return;
  while (!started_ || out_.line() < 2) blank_line();
}

const htp_trivia &Printer::trivia(htp_node n) const {
  static constexpr htp_trivia None{};
  return trivia_ && at(n).note != 0 ? store_.trivia[at(n).note] : None;
}

void Printer::leading(htp_node n, const htp_trivia &trivia) {
  if (!trivia_) return;
  const bool by_pass = !parsed(at(n)) || follows_ == Follows::made_statement || follows_ == Follows::made_definition;
  const bool apart = defines(kind(n)) || follows_ == Follows::definition || follows_ == Follows::made_definition;
  if (by_pass && apart && follows_ != Follows::nothing) {
    uint32_t blank = indent_ == 0 ? 2 : 1;
    for (const uint32_t line : list(trivia.leading)) {
      if (blank == 0 || !string(line).empty()) break;
      --blank;
    }
    for (; blank != 0; --blank) blank_line();
  }
  comment_lines(trivia.leading);
}

// ── blocks ──────────────────────────────────────────────────────────────────────────────────────────────────────────

void Printer::module(htp_node n) {
  const auto *f = HTP_FIELDS(Module, &store_, n);
  for (const htp_node ignore : list(f->type_ignores)) {
    const auto *i = HTP_FIELDS(TypeIgnore, &store_, ignore);
    type_ignores_.emplace_back(i->lineno, i->tag);
  }
  const htp_trivia &t = trivia(n);
  comment_lines(t.leading);
  statements(f->body, true);
  comment_lines(t.inner);
  if (trivia_ && started_) out_.newline();
  type_ignores_.clear();
}

void Printer::block(uint32_t list, bool docstring, uint32_t inner) {
  ++indent_;
  statements(list, docstring);
  comment_lines(inner);
  --indent_;
}

void Printer::statements(uint32_t id, bool has_docstring) {
  const Follows outer = std::exchange(follows_, Follows::nothing);
  for (const htp_node n : list(id)) {
    if (std::exchange(has_docstring, false) && kind(n) == HTP_Expr) {
      const htp_node value = HTP_FIELDS(Expr, &store_, n)->value;
      if (kind(value) == HTP_Constant &&
          store_.consts[HTP_FIELDS(Constant, &store_, value)->value].type == HTP_CONST_STR) {
        docstring(n);
        follows_ = parsed(at(n)) ? Follows::statement : Follows::made_statement;
        continue;
      }
    }
    statement(n);
    if (parsed(at(n)))
      follows_ = defines(kind(n)) ? Follows::definition : Follows::statement;
    else
      follows_ = defines(kind(n)) ? Follows::made_definition : Follows::made_statement;
  }
  follows_ = outer;
}

void Printer::docstring(htp_node n) {
  const htp_trivia &t = trivia(n);
  const htp_node value = HTP_FIELDS(Expr, &store_, n)->value;
  const auto *f = HTP_FIELDS(Constant, &store_, value);
  leading(n, t);
  fill();
  const size_t span = open(n);
  if (has_form(value)) {
    constant_node(value, Precedence::yield);
  } else {
    const size_t inner = open(value);
    if (f->kind != 0 && string(f->kind) == "u") out_.put('u');
    sparing_string(string(store_.consts[f->value].text), Quotes::triple());
    close(inner);
  }
  close(span);
  end_here();
  trailing(t);
}

void Printer::clause(std::string_view keyword, uint32_t statements, uint32_t index) {
  if (statements == 0) return;
  const htp_trivia none{};
  const htp_trivia &t = trivia_ && index != 0 ? store_.trivia[index] : none;
  comment_lines(t.leading);
  fill();
  out_.write(keyword);
  trailing(t);
  block(statements, false, t.inner);
}

// ── statements ──────────────────────────────────────────────────────────────────────────────────────────────────────

void Printer::statement(htp_node n) {
  if (!enter(n)) return;
  switch (kind(n)) {
  case HTP_FunctionDef:
  case HTP_AsyncFunctionDef:
  case HTP_ClassDef: definition(n); break;
  case HTP_If: if_chain(n); break;
  case HTP_Try:
  case HTP_TryStar: try_statement(n); break;
  case HTP_Match: match(n); break;
  case HTP_For:
  case HTP_AsyncFor:
  case HTP_While:
  case HTP_With:
  case HTP_AsyncWith: compound(n); break;
  default: {
    const htp_trivia &t = trivia(n);
    leading(n, t);
    fill();
    const size_t span = open(n);
    simple(n);
    close(span);
    end_here();
    trailing(t);
  }
  }
  leave();
}

void Printer::simple(htp_node n) {
  switch (kind(n)) {
  case HTP_Expr: return expression(HTP_FIELDS(Expr, &store_, n)->value, Precedence::yield);
  case HTP_Assign: {
    const auto *f = HTP_FIELDS(Assign, &store_, n);
    for (const htp_node target : list(f->targets)) {
      expression(target, Precedence::tuple);
      out_.write(" = ");
    }
    expression(f->value);
    return type_comment(n, f->type_comment);
  }
  case HTP_AugAssign: {
    const auto *f = HTP_FIELDS(AugAssign, &store_, n);
    expression(f->target);
    std::string_view op = operator_row(f->op).text;
    if (!op.empty()) op.remove_suffix(1);
    out_.write(op);
    out_.write("= ");
    return expression(f->value);
  }
  case HTP_AnnAssign: {
    const auto *f = HTP_FIELDS(AnnAssign, &store_, n);
    parenthesised(f->simple == 0 && kind(f->target) == HTP_Name, [&] { expression(f->target); });
    out_.write(": ");
    expression(f->annotation);
    if (f->value != 0) (out_.write(" = "), expression(f->value));
    return;
  }
  case HTP_Return: {
    const htp_node value = HTP_FIELDS(Return, &store_, n)->value;
    out_.write("return");
    if (value != 0) (out_.put(' '), expression(value));
    return;
  }
  case HTP_Delete: out_.write("del "); return joined(HTP_FIELDS(Delete, &store_, n)->targets);
  case HTP_Raise: {
    const auto *f = HTP_FIELDS(Raise, &store_, n);
    out_.write("raise");
    if (f->exc != 0) (out_.put(' '), expression(f->exc));
    if (f->cause != 0) (out_.write(" from "), expression(f->cause));
    return;
  }
  case HTP_Assert: {
    const auto *f = HTP_FIELDS(Assert, &store_, n);
    out_.write("assert ");
    expression(f->test);
    if (f->msg != 0) (out_.write(", "), expression(f->msg));
    return;
  }
  case HTP_Import:
  case HTP_ImportFrom: {
    uint32_t aliases = 0;
    if (kind(n) == HTP_Import) {
      out_.write("import ");
      aliases = HTP_FIELDS(Import, &store_, n)->names;
    } else {
      const auto *f = HTP_FIELDS(ImportFrom, &store_, n);
      out_.write("from ");
      for (uint32_t k = 0; k < f->level; ++k) out_.put('.');
      if (f->module != 0) out_.write(string(f->module));
      out_.write(" import ");
      aliases = f->names;
    }
    bool first = true;
    for (const htp_node a : list(aliases)) {
      if (!std::exchange(first, false)) out_.write(", ");
      alias(a);
    }
    return;
  }
  case HTP_Global: out_.write("global "); return names(HTP_FIELDS(Global, &store_, n)->names);
  case HTP_Nonlocal: out_.write("nonlocal "); return names(HTP_FIELDS(Nonlocal, &store_, n)->names);
  case HTP_Pass: return out_.write("pass");
  case HTP_Break: return out_.write("break");
  case HTP_Continue: return out_.write("continue");
  case HTP_TypeAlias: {
    const auto *f = HTP_FIELDS(TypeAlias, &store_, n);
    out_.write("type ");
    expression(f->name);
    type_params(f->type_params);
    out_.write(" = ");
    return expression(f->value);
  }
  default: return fail(n, "it is not a statement");
  }
}

void Printer::names(uint32_t strings) {
  bool first = true;
  for (const uint32_t name : list(strings)) {
    if (!std::exchange(first, false)) out_.write(", ");
    out_.write(string(name));
  }
}

void Printer::type_comment(htp_node n, uint32_t comment) {
  if (trivia(n).trailing != 0) return; // it is the comment that is kept
  for (size_t k = type_ignores_.size(); k-- != 0;) {
    if (type_ignores_[k].first != at(n).line) continue;
    out_.write(" # type: ignore");
    return out_.write(string(type_ignores_[k].second));
  }
  if (comment != 0) (out_.write(" # type: "), out_.write(string(comment)));
}

void Printer::definition(htp_node n) {
  const htp_trivia &t = trivia(n);
  const bool is_class = kind(n) == HTP_ClassDef;
  const auto *function = is_class ? nullptr : HTP_FIELDS(FunctionDef, &store_, n); // as AsyncFunctionDef's
  const auto *c = is_class ? HTP_FIELDS(ClassDef, &store_, n) : nullptr;
  if (trivia_)
    leading(n, t);
  else if (started_)
    out_.newline();
  for (const htp_node decorator : list(is_class ? c->decorator_list : function->decorator_list)) {
    fill();
    out_.put('@');
    expression(decorator);
  }
  fill();
  const size_t span = open(n);
  if (is_class) {
    out_.write("class ");
    out_.write(string(c->name));
    type_params(c->type_params);
    if (c->bases != 0 || c->keywords != 0) {
      begin('(');
      call_arguments(c->bases, c->keywords);
      end(')');
    }
    out_.put(':');
  } else {
    out_.write(kind(n) == HTP_AsyncFunctionDef ? "async def " : "def ");
    out_.write(string(function->name));
    type_params(function->type_params);
    begin('(');
    arguments(function->args);
    end(')');
    if (function->returns != 0) (out_.write(" -> "), expression(function->returns));
    out_.put(':');
    type_comment(n, function->type_comment);
  }
  end_here();
  trailing(t);
  block(is_class ? c->body : function->body, true, t.inner);
  close(span, end_line_, end_col_);
}

void Printer::compound(htp_node n) {
  const htp_trivia &t = trivia(n);
  const uint16_t which = kind(n);
  leading(n, t);
  fill();
  const size_t span = open(n);
  uint32_t body = 0, orelse = 0;
  if (which == HTP_While) {
    const auto *f = HTP_FIELDS(While, &store_, n);
    out_.write("while ");
    expression(f->test);
    out_.put(':');
    body = f->body, orelse = f->orelse;
  } else if (which == HTP_For || which == HTP_AsyncFor) {
    const auto *f = HTP_FIELDS(For, &store_, n); // as AsyncFor's
    out_.write(which == HTP_For ? "for " : "async for ");
    expression(f->target, Precedence::tuple);
    out_.write(" in ");
    expression(f->iter);
    out_.put(':');
    type_comment(n, f->type_comment);
    body = f->body, orelse = f->orelse;
  } else {
    const auto *f = HTP_FIELDS(With, &store_, n); // as AsyncWith's
    out_.write(which == HTP_With ? "with " : "async with ");
    const List items = list(f->items);
    // `with (a, b):` has two items: a tuple alone needs parentheses of its own.
    bool lone_tuple = false;
    if (items.count == 1) {
      const auto *item = HTP_FIELDS(withitem, &store_, items[0]);
      lone_tuple = item->optional_vars == 0 && kind(item->context_expr) == HTP_Tuple;
      if (lone_tuple) {
        const List elts = list(HTP_FIELDS(Tuple, &store_, item->context_expr)->elts);
        lone_tuple = elts.count != 0;
        for (const htp_node e : elts) lone_tuple &= kind(e) != HTP_Starred;
      }
    }
    parenthesised(lone_tuple, [&] {
      for (uint32_t k = 0; k < items.count; ++k) {
        if (k != 0) out_.write(", ");
        withitem(items[k]);
      }
    });
    out_.put(':');
    type_comment(n, f->type_comment);
    body = f->body;
  }
  end_here();
  trailing(t);
  block(body, false, t.inner);
  clause("else:", orelse, t.orelse);
  close(span, end_line_, end_col_);
}

void Printer::if_chain(htp_node n) {
  leading(n, trivia(n));
  std::vector<size_t> spans;
  for (std::string_view keyword = "if ";; keyword = "elif ") {
    const auto *f = HTP_FIELDS(If, &store_, n);
    const htp_trivia &t = trivia(n);
    fill();
    spans.push_back(open(n));
    out_.write(keyword);
    expression(f->test);
    out_.put(':');
    end_here();
    trailing(t);
    block(f->body, false, t.inner);
    const List orelse = list(f->orelse);
    const htp_node next = orelse.count == 1 && kind(orelse[0]) == HTP_If ? orelse[0] : 0;
    bool elif = next != 0;
    // An `if` that was written inside an `else:` stays there.
    if (elif && trivia_) elif = t.orelse == 0 && !(parsed(at(n)) && parsed(at(next)) && at(n).col != at(next).col);
    if (!elif) {
      clause("else:", f->orelse, t.orelse);
      break;
    }
    comment_lines(trivia(next).leading);
    n = next;
  }
  for (const size_t span : spans) close(span, end_line_, end_col_);
}

void Printer::try_statement(htp_node n) {
  const auto *f = HTP_FIELDS(Try, &store_, n); // as TryStar's
  const htp_trivia &t = trivia(n);
  const bool outer = std::exchange(try_star_, kind(n) == HTP_TryStar);
  leading(n, t);
  fill();
  const size_t span = open(n);
  out_.write("try:");
  end_here();
  trailing(t);
  block(f->body, false, t.inner);
  for (const htp_node h : list(f->handlers)) handler(h);
  clause("else:", f->orelse, t.orelse);
  clause("finally:", f->finalbody, t.finalbody);
  close(span, end_line_, end_col_);
  try_star_ = outer;
}

void Printer::handler(htp_node n) {
  const auto *f = HTP_FIELDS(ExceptHandler, &store_, n);
  const htp_trivia &t = trivia(n);
  comment_lines(t.leading);
  fill();
  const size_t span = open(n);
  out_.write(try_star_ ? "except*" : "except");
  if (f->type != 0) (out_.put(' '), expression(f->type));
  if (f->name != 0) (out_.write(" as "), out_.write(string(f->name)));
  out_.put(':');
  end_here();
  trailing(t);
  block(f->body, false, t.inner);
  close(span, end_line_, end_col_);
}

void Printer::match(htp_node n) {
  const auto *f = HTP_FIELDS(Match, &store_, n);
  const htp_trivia &t = trivia(n);
  leading(n, t);
  fill();
  const size_t span = open(n);
  out_.write("match ");
  expression(f->subject);
  out_.put(':');
  end_here();
  trailing(t);
  ++indent_;
  for (const htp_node c : list(f->cases)) match_case(c);
  comment_lines(t.inner);
  --indent_;
  close(span, end_line_, end_col_);
}

void Printer::match_case(htp_node n) {
  const auto *f = HTP_FIELDS(match_case, &store_, n);
  const htp_trivia &t = trivia(n);
  comment_lines(t.leading);
  fill();
  out_.write("case ");
  pattern(f->pattern);
  if (f->guard != 0) (out_.write(" if "), expression(f->guard));
  out_.put(':');
  end_here();
  trailing(t);
  block(f->body, false, t.inner);
}

} // namespace htp
