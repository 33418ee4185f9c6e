#include "host/parse/read_back.h"

#include "host/parse/decode.h"
#include "host/parse/trivia.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace htp {

namespace {

// Far within what CPython's parser takes, whatever brackets a level is printed with.
constexpr unsigned deepest = 40;

// Keywords of any CPython, words that are keywords in some places, and a name that it treats as one.
constexpr std::array<std::string_view, 39> Reserved{
    "False", "None",   "True",     "__debug__", "and", "as",   "assert", "async",  "await",    "break",
    "case",  "class",  "continue", "def",       "del", "elif", "else",   "except", "finally",  "for",
    "from",  "global", "if",       "import",    "in",  "is",   "lambda", "match",  "nonlocal", "not",
    "or",    "pass",   "raise",    "return",    "try", "type", "while",  "with",   "yield"};
static_assert(std::ranges::is_sorted(Reserved));

bool is_name(std::string_view text) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (text.empty() || !letter(text[0])) return false;
  return std::ranges::all_of(text, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); }) &&
         !std::ranges::binary_search(Reserved, text);
}

// Copies a tree as it would be read. Each function answers 0, or false, where that is not certain.
class ReadBack {
public:
  ReadBack(Store &store, uint16_t file, const std::vector<LineSpan> &spans)
      : store_(store), spans_(spans), file_(file), span_of_(store.abi()->record_count), names_(store.string_count()) {}

  htp_node run(htp_node module) {
    for (size_t k = 0; k < spans_.size(); ++k)
      if (std::exchange(span_of_[spans_[k].node], static_cast<uint32_t>(k + 1))) return 0;
    if (store_.kind(module) != HTP_Module || store_.slot(module, HTP_FIELD(Module, type_ignores))) return 0;
    const htp_node made = open(module, false);
    return made && block(made, module, HTP_FIELD(Module, body)) ? made : 0;
  }

private:
  // ── nodes and their slots ─────────────────────────────────────────────────────────────────────────────────────────

  // A node like `n`, with nothing in its slots, where that stands.
  htp_node open(htp_node n, bool stands = true) {
    NodeLocation location;
    if (stands) {
      if (n >= span_of_.size() || !span_of_[n]) return 0;
      const LineSpan &s = spans_[span_of_[n] - 1];
      location = {s.line, s.col, s.end_line, s.end_col};
    }
    return store_.open_node(store_.kind(n), file_, location);
  }
  void put(htp_node made, unsigned field, uint32_t value) { store_.set_slot(store_.at(made).slots + field, value); }
  uint32_t slot(htp_node n, unsigned field) const { return store_.slot(n, field); }
  bool none(htp_node n, unsigned field) const { return slot(n, field) == 0; }
  size_t count(htp_node n, unsigned field) const { return store_.items(slot(n, field)).size(); }

  template <class F> bool one(htp_node made, htp_node n, unsigned field, F &&f) {
    const htp_node child = f(slot(n, field));
    put(made, field, child);
    return child != 0;
  }
  template <class F> bool list(htp_node made, htp_node n, unsigned field, F &&f) {
    const Slots from = store_.items(slot(n, field));
    if (from.empty()) return true;
    const uint32_t to = store_.open_list(from.size());
    put(made, field, to);
    for (size_t k = 0; to && k < from.size(); ++k) {
      const htp_node child = f(from[k]);
      if (!child) return false;
      store_.set_slot(static_cast<uint32_t>(to + 1 + k), child);
    }
    return to != 0;
  }
  bool value(htp_node made, htp_node n, unsigned field) {
    return one(made, n, field, [&](htp_node e) { return expression(e); });
  }
  bool maybe(htp_node made, htp_node n, unsigned field) { return none(n, field) || value(made, n, field); }
  bool values(htp_node made, htp_node n, unsigned field) {
    return list(made, n, field, [&](htp_node e) { return expression(e); });
  }
  bool name(htp_node made, htp_node n, unsigned field) {
    const uint32_t id = slot(n, field);
    put(made, field, id);
    if (id >= names_.size()) return false;
    char &known = names_[id];
    if (!known) known = is_name(store_.text(id)) ? 'y' : 'n';
    return known == 'y';
  }
  bool maybe_name(htp_node made, htp_node n, unsigned field) { return none(n, field) || name(made, n, field); }
  // `a.b`
  bool dotted(htp_node made, htp_node n, unsigned field) {
    const uint32_t id = slot(n, field);
    put(made, field, id);
    for (std::string_view rest = id ? store_.text(id) : "";;) {
      const size_t dot = std::min(rest.find('.'), rest.size());
      if (!is_name(rest.substr(0, dot))) return false;
      if (dot == rest.size()) return true;
      rest.remove_prefix(dot + 1);
    }
  }
  bool same(htp_node made, htp_node n, unsigned field) { return put(made, field, slot(n, field)), true; }

  // ── expressions ───────────────────────────────────────────────────────────────────────────────────────────────────

  htp_node expression(htp_node n, htp_expr_ctx ctx = HTP_LOAD) {
    if (depth_ == deepest) return 0;
    const htp_node made = open(n);
    if (!made) return 0;
    ++depth_;
    const bool certain = ctx == HTP_STORE ? target(made, n) : filled(made, n);
    --depth_;
    return certain ? made : 0;
  }

  bool target(htp_node made, htp_node n) {
    switch (store_.kind(n)) {
    case HTP_Name: put(made, HTP_FIELD(Name, ctx), HTP_STORE); return name(made, n, HTP_FIELD(Name, id));
    case HTP_Attribute: put(made, HTP_FIELD(Attribute, ctx), HTP_STORE); return attribute(made, n);
    case HTP_Subscript: put(made, HTP_FIELD(Subscript, ctx), HTP_STORE); return subscript(made, n);
    case HTP_Tuple: // whose fields a list has too
    case HTP_List:
      put(made, HTP_FIELD(Tuple, ctx), HTP_STORE);
      return !none(n, HTP_FIELD(Tuple, elts)) &&
             list(made, n, HTP_FIELD(Tuple, elts), [&](htp_node e) { return expression(e, HTP_STORE); });
    default: return false;
    }
  }

  bool filled(htp_node made, htp_node n) {
    switch (store_.kind(n)) {
    case HTP_Name: put(made, HTP_FIELD(Name, ctx), HTP_LOAD); return name(made, n, HTP_FIELD(Name, id));
    case HTP_Constant: return constant(made, n);
    case HTP_Attribute: put(made, HTP_FIELD(Attribute, ctx), HTP_LOAD); return attribute(made, n);
    case HTP_Subscript: put(made, HTP_FIELD(Subscript, ctx), HTP_LOAD); return subscript(made, n);
    case HTP_Call:
      return value(made, n, HTP_FIELD(Call, func)) && values(made, n, HTP_FIELD(Call, args)) &&
             list(made, n, HTP_FIELD(Call, keywords), [&](htp_node k) { return keyword(k); });
    case HTP_Tuple:
    case HTP_List: put(made, HTP_FIELD(Tuple, ctx), HTP_LOAD); return values(made, n, HTP_FIELD(Tuple, elts));
    case HTP_Dict:
      return count(n, HTP_FIELD(Dict, keys)) == count(n, HTP_FIELD(Dict, values)) &&
             list(made, n, HTP_FIELD(Dict, keys), [&](htp_node k) { return k ? expression(k) : 0; }) &&
             values(made, n, HTP_FIELD(Dict, values));
    case HTP_BinOp:
      return value(made, n, HTP_FIELD(BinOp, left)) && same(made, n, HTP_FIELD(BinOp, op)) &&
             value(made, n, HTP_FIELD(BinOp, right));
    case HTP_UnaryOp: return same(made, n, HTP_FIELD(UnaryOp, op)) && value(made, n, HTP_FIELD(UnaryOp, operand));
    case HTP_BoolOp:
      return count(n, HTP_FIELD(BoolOp, values)) >= 2 && same(made, n, HTP_FIELD(BoolOp, op)) &&
             values(made, n, HTP_FIELD(BoolOp, values));
    case HTP_Compare: {
      const Slots ops = store_.items(slot(n, HTP_FIELD(Compare, ops)));
      if (ops.empty() || ops.size() != count(n, HTP_FIELD(Compare, comparators))) return false;
      return value(made, n, HTP_FIELD(Compare, left)) &&
             list(made, n, HTP_FIELD(Compare, ops), [](uint32_t op) { return op; }) &&
             values(made, n, HTP_FIELD(Compare, comparators));
    }
    case HTP_IfExp:
      return value(made, n, HTP_FIELD(IfExp, test)) && value(made, n, HTP_FIELD(IfExp, body)) &&
             value(made, n, HTP_FIELD(IfExp, orelse));
    default: return false;
    }
  }

  bool constant(htp_node made, htp_node n) {
    if (!none(n, HTP_FIELD(Constant, kind))) return false;
    same(made, n, HTP_FIELD(Constant, value));
    const htp_const &c = store_.constant_at(slot(n, HTP_FIELD(Constant, value)));
    switch (c.type) {
    case HTP_CONST_NONE:
    case HTP_CONST_TRUE:
    case HTP_CONST_FALSE:
    case HTP_CONST_ELLIPSIS: return true;
    case HTP_CONST_INT: return c.u.i >= 0;
    case HTP_CONST_FLOAT: return std::isfinite(c.u.f) && !std::signbit(c.u.f);
    case HTP_CONST_STR: return store_.text(c.text).find('\xed') == std::string_view::npos; // no surrogates
    default: return false;
    }
  }
  bool attribute(htp_node made, htp_node n) {
    return value(made, n, HTP_FIELD(Attribute, value)) && name(made, n, HTP_FIELD(Attribute, attr));
  }
  bool subscript(htp_node made, htp_node n) {
    return value(made, n, HTP_FIELD(Subscript, value)) &&
           one(made, n, HTP_FIELD(Subscript, slice), [&](htp_node s) { return index(s); });
  }
  htp_node index(htp_node n) {
    if (store_.kind(n) != HTP_Tuple) return slice(n);
    const htp_node made = open(n);
    if (!made) return 0;
    put(made, HTP_FIELD(Tuple, ctx), HTP_LOAD);
    return list(made, n, HTP_FIELD(Tuple, elts), [&](htp_node s) { return slice(s); }) ? made : 0;
  }
  htp_node slice(htp_node n) {
    if (store_.kind(n) != HTP_Slice) return expression(n);
    const htp_node made = open(n);
    return made && maybe(made, n, HTP_FIELD(Slice, lower)) && maybe(made, n, HTP_FIELD(Slice, upper)) &&
                   maybe(made, n, HTP_FIELD(Slice, step))
               ? made
               : 0;
  }
  htp_node keyword(htp_node n) {
    const htp_node made = open(n);
    return made && name(made, n, HTP_FIELD(keyword, arg)) && value(made, n, HTP_FIELD(keyword, value)) ? made : 0;
  }

  // ── statements ────────────────────────────────────────────────────────────────────────────────────────────────────

  bool block(htp_node made, htp_node n, unsigned field) {
    return list(made, n, field, [&](htp_node s) { return statement(s); });
  }
  bool body(htp_node made, htp_node n, unsigned field) { return !none(n, field) && block(made, n, field); }

  htp_node statement(htp_node n) {
    if (depth_ == deepest) return 0;
    const htp_node made = open(n);
    if (!made) return 0;
    ++depth_;
    const bool certain = said(made, n);
    --depth_;
    return certain ? made : 0;
  }

  bool said(htp_node made, htp_node n) {
    const auto store = [&](htp_node t) { return expression(t, HTP_STORE); };
    switch (store_.kind(n)) {
    case HTP_Pass:
    case HTP_Break:
    case HTP_Continue: return true;
    case HTP_Expr: return value(made, n, HTP_FIELD(Expr, value));
    case HTP_Return: return maybe(made, n, HTP_FIELD(Return, value));
    case HTP_Assert: return value(made, n, HTP_FIELD(Assert, test)) && maybe(made, n, HTP_FIELD(Assert, msg));
    case HTP_Assign:
      return none(n, HTP_FIELD(Assign, type_comment)) && !none(n, HTP_FIELD(Assign, targets)) &&
             list(made, n, HTP_FIELD(Assign, targets), store) && value(made, n, HTP_FIELD(Assign, value));
    case HTP_AugAssign: {
      const uint16_t kind = store_.kind(slot(n, HTP_FIELD(AugAssign, target)));
      return kind != HTP_Tuple && kind != HTP_List && one(made, n, HTP_FIELD(AugAssign, target), store) &&
             same(made, n, HTP_FIELD(AugAssign, op)) && value(made, n, HTP_FIELD(AugAssign, value));
    }
    case HTP_AnnAssign: {
      const uint16_t kind = store_.kind(slot(n, HTP_FIELD(AnnAssign, target)));
      return kind != HTP_Tuple && kind != HTP_List &&
             slot(n, HTP_FIELD(AnnAssign, simple)) == (kind == HTP_Name ? 1U : 0U) &&
             same(made, n, HTP_FIELD(AnnAssign, simple)) && one(made, n, HTP_FIELD(AnnAssign, target), store) &&
             value(made, n, HTP_FIELD(AnnAssign, annotation)) && maybe(made, n, HTP_FIELD(AnnAssign, value));
    }
    case HTP_If:
      return value(made, n, HTP_FIELD(If, test)) && body(made, n, HTP_FIELD(If, body)) &&
             block(made, n, HTP_FIELD(If, orelse));
    case HTP_While:
      return value(made, n, HTP_FIELD(While, test)) && body(made, n, HTP_FIELD(While, body)) &&
             block(made, n, HTP_FIELD(While, orelse));
    case HTP_For:
      return none(n, HTP_FIELD(For, type_comment)) && one(made, n, HTP_FIELD(For, target), store) &&
             value(made, n, HTP_FIELD(For, iter)) && body(made, n, HTP_FIELD(For, body)) &&
             block(made, n, HTP_FIELD(For, orelse));
    case HTP_With:
      return none(n, HTP_FIELD(With, type_comment)) && !none(n, HTP_FIELD(With, items)) &&
             list(made, n, HTP_FIELD(With, items), [&](htp_node i) { return withitem(i); }) &&
             body(made, n, HTP_FIELD(With, body));
    case HTP_Import:
      return !none(n, HTP_FIELD(Import, names)) &&
             list(made, n, HTP_FIELD(Import, names), [&](htp_node a) { return alias(a); });
    case HTP_ImportFrom:
      return none(n, HTP_FIELD(ImportFrom, level)) && dotted(made, n, HTP_FIELD(ImportFrom, module)) &&
             store_.text(slot(n, HTP_FIELD(ImportFrom, module))) != "__future__" &&
             !none(n, HTP_FIELD(ImportFrom, names)) &&
             list(made, n, HTP_FIELD(ImportFrom, names), [&](htp_node a) { return alias(a); });
    case HTP_FunctionDef:
      return none(n, HTP_FIELD(FunctionDef, type_comment)) && none(n, HTP_FIELD(FunctionDef, type_params)) &&
             name(made, n, HTP_FIELD(FunctionDef, name)) &&
             one(made, n, HTP_FIELD(FunctionDef, args), [&](htp_node a) { return arguments(a); }) &&
             body(made, n, HTP_FIELD(FunctionDef, body)) && values(made, n, HTP_FIELD(FunctionDef, decorator_list)) &&
             maybe(made, n, HTP_FIELD(FunctionDef, returns));
    default: return false;
    }
  }

  htp_node withitem(htp_node n) {
    const htp_node with = slot(n, HTP_FIELD(withitem, context_expr)), as = slot(n, HTP_FIELD(withitem, optional_vars));
    if (store_.kind(with) != HTP_Call && store_.kind(with) != HTP_Name) return 0;
    if (as && store_.kind(as) != HTP_Name) return 0;
    const htp_node made = open(n, false);
    if (!made || !value(made, n, HTP_FIELD(withitem, context_expr))) return 0;
    const auto store = [&](htp_node t) { return expression(t, HTP_STORE); };
    return !as || one(made, n, HTP_FIELD(withitem, optional_vars), store) ? made : 0;
  }
  htp_node alias(htp_node n) {
    const htp_node made = open(n);
    return made && dotted(made, n, HTP_FIELD(alias, name)) && maybe_name(made, n, HTP_FIELD(alias, asname)) ? made : 0;
  }
  htp_node arguments(htp_node n) {
    const htp_node made = open(n, false);
    const auto arg = [&](htp_node a) { return argument(a); };
    const auto maybe_arg = [&](unsigned field) { return none(n, field) || one(made, n, field, arg); };
    const size_t plain = count(n, HTP_FIELD(arguments, posonlyargs)) + count(n, HTP_FIELD(arguments, args));
    return made && count(n, HTP_FIELD(arguments, defaults)) <= plain && none(n, HTP_FIELD(arguments, kwonlyargs)) &&
                   none(n, HTP_FIELD(arguments, kw_defaults)) &&
                   list(made, n, HTP_FIELD(arguments, posonlyargs), arg) &&
                   list(made, n, HTP_FIELD(arguments, args), arg) && maybe_arg(HTP_FIELD(arguments, vararg)) &&
                   maybe_arg(HTP_FIELD(arguments, kwarg)) && values(made, n, HTP_FIELD(arguments, defaults))
               ? made
               : 0;
  }
  htp_node argument(htp_node n) {
    if (!none(n, HTP_FIELD(arg, type_comment))) return 0;
    const htp_node made = open(n);
    return made && name(made, n, HTP_FIELD(arg, arg)) && maybe(made, n, HTP_FIELD(arg, annotation)) ? made : 0;
  }

  Store &store_;
  const std::vector<LineSpan> &spans_;
  const uint16_t file_;
  std::vector<uint32_t> span_of_; // from 1 on
  std::vector<char> names_;       // of strings: whether they are one, once that is known
  unsigned depth_ = 0;
};

} // namespace

htp_node read_back(const SourceRef &text, htp_node printed, const std::vector<LineSpan> &spans, Store &store) {
  if (!is_plain(text->text)) return 0;
  const uint16_t file = store.add_file(text);
  const htp_node root = file ? ReadBack(store, file, spans).run(printed) : HTP_NONE;
  if (root) attach_trivia(store, root, *text);
  return root;
}

} // namespace htp
