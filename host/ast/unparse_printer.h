// host/ast/unparse_printer.h — what walks the tree and writes it; unparse.cpp and its neighbours hold its parts.
#pragma once

#include "host/ast/precedence.h"
#include "host/ast/unparse.h"
#include "host/ast/unparse_literals.h"
#include "host/ast/unparse_text.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace htp {

class Printer {
public:
  Printer(const htp_store &store, const UnparseOptions &options)
      : store_(store), trivia_(options.trivia), spans_(options.spans), failure_(options.failure) {}

  // Any node: a module, a statement, an expression, a clause …
  void print(htp_node n);
  std::string_view text() const { return out_.text(); }

private:
  // ── reading the store ─────────────────────────────────────────────────────────────────────────────────────────────

  struct List {
    const uint32_t *first;
    uint32_t count;
    const uint32_t *begin() const { return first; }
    const uint32_t *end() const { return first + count; }
    uint32_t operator[](uint32_t k) const { return first[k]; }
  };
  List list(uint32_t id) const { return {htp_list_items(&store_, id), htp_list_size(&store_, id)}; }
  std::string_view string(uint32_t id) const {
    const htp_str s = htp_text(&store_, id);
    return {s.data, s.size};
  }
  const htp_record &at(htp_node n) const { return *htp_at(&store_, n); }
  uint16_t kind(htp_node n) const { return n < store_.record_count ? htp_kind_of(&store_, n) : 0; }

  // ── spans and failures ────────────────────────────────────────────────────────────────────────────────────────────

  // A node's text begins here; the answer goes to `close`.
  size_t open(htp_node n) {
    if (!spans_) return 0;
    spans_->push_back({n, out_.line(), out_.col(), 0, 0});
    return spans_->size() - 1;
  }
  void close(size_t span) { close(span, out_.line(), out_.col()); }
  void close(size_t span, uint32_t line, uint32_t col) {
    if (!spans_) return;
    (*spans_)[span].end_line = line;
    (*spans_)[span].end_col = col;
  }
  void fail(htp_node n, const char *reason) {
    if (failure_ && !failure_->reason) *failure_ = {n, reason};
  }
  // One more level of nesting; false when it is too deep, which is then reported.
  bool enter(htp_node n);
  void leave() { --depth_; }

  // ── statements: unparse_statements.cpp ────────────────────────────────────────────────────────────────────────────

  enum class Follows { nothing, statement, definition, made_statement, made_definition };

  void module(htp_node n);
  void statement(htp_node n);
  void simple(htp_node n);
  void compound(htp_node n);
  void definition(htp_node n);
  void if_chain(htp_node n);
  void try_statement(htp_node n);
  void match(htp_node n);
  void handler(htp_node n);
  void match_case(htp_node n);
  void names(uint32_t strings);
  void type_comment(htp_node n, uint32_t comment);
  void type_params(uint32_t list);

  // The lines of a block one level deeper; `docstring`: its first string is one. `inner`: comments at its end.
  void block(uint32_t statements, bool docstring, uint32_t inner);
  void statements(uint32_t list, bool docstring);
  void docstring(htp_node expr_statement);
  // `else:` or `finally:` and its block, when it has statements.
  void clause(std::string_view keyword, uint32_t statements, uint32_t trivia);

  void fill(); // begins a line
  void blank_line();
  void comment_lines(uint32_t lines);
  // Blank lines before a comment that came to stand where it would name the text's encoding.
  void keep_off_the_top(std::string_view comment);
  void trailing(const htp_trivia &trivia) {
    if (trivia.trailing != 0) (out_.write("  "), out_.write(string(trivia.trailing)));
  }
  // What stands before a statement: its comments and blank lines, or those that definitions are set apart by.
  void leading(htp_node n, const htp_trivia &trivia);
  const htp_trivia &trivia(htp_node n) const;
  // A statement's text ends here, but for comments.
  void end_here() { end_line_ = out_.line(), end_col_ = out_.col(); }

  // ── expressions: unparse_expressions.cpp, unparse_arguments.cpp ───────────────────────────────────────────────────

  void expression(htp_node n, Precedence wanted = Precedence::test);
  // A chain down the left of operators, attributes, calls and subscripts, of any length.
  void chain(htp_node n, Precedence wanted);
  struct Link {
    htp_node node;
    size_t span;
    bool parenthesised;
  };
  void finish(const Link &link);
  void other_expression(htp_node n, Precedence wanted);
  void bool_op(htp_node n);
  void compare(htp_node n);
  void lambda(htp_node n);
  void dict(htp_node n);
  void slice(htp_node n);
  void comprehension(htp_node elt, htp_node value, uint32_t generators);
  void generator(htp_node n);
  void items(uint32_t list); // one item: with a comma after it
  void joined(uint32_t list);
  void call_arguments(uint32_t args, uint32_t keywords);
  void arguments(htp_node n);
  void arg(htp_node n);
  void keyword(htp_node n);
  void alias(htp_node n);
  void withitem(htp_node n);
  void type_param(htp_node n);
  void pattern(htp_node n, Precedence wanted = Precedence::test);
  void match_class(htp_node n);
  void match_mapping(htp_node n);

  void begin(char bracket) { out_.put(bracket), ++brackets_; }
  void end(char bracket) { out_.put(bracket), --brackets_; }
  // Parentheses around what `write` writes, if so.
  template <class Write> void parenthesised(bool needed, const Write &write) {
    if (needed) begin('(');
    write();
    if (needed) end(')');
  }

  // ── literals and f-strings: unparse_strings.cpp ───────────────────────────────────────────────────────────────────

  void constant_node(htp_node n, Precedence wanted);
  void constant(uint32_t id);
  // A string inside an f-string's expression, or a docstring: with as few backslashes as may be.
  void sparing_string(std::string_view text, Quotes quotes);
  // Inside an f-string's expression, where text would need a backslash: as it is, if some quotes allow it.
  bool raw_string(std::string_view text);
  // Whether the literal is printed as it was written.
  bool has_form(htp_node n) const { return trivia_ && nested_ == 0 && at(n).note != 0; }
  bool form_needs_brackets(htp_node n) const;

  struct Segment {
    std::string text;
    bool constant; // literal text, in which quotes and backslashes may be escaped; else source
    bool spec;     // in a format spec, where braces cannot be doubled
  };
  using Segments = std::vector<Segment>;
  // What stands after the prefix: as CPython 3.11 and 3.14 quote it, which goes wrong for some, and as is always right.
  // False: it cannot be done.
  static bool quoted_as_311(const Segments &parts, std::string &out);
  static bool quoted_as_314(const Segments &parts, std::string &out);
  static bool quoted_safely(const Segments &segments, std::string &out);
  void fstring(htp_node n, uint32_t values, char prefix);
  // Whether the f-string was joined to a `u''` before it, which its constants remember.
  bool joins_unicode(uint32_t values) const;
  void fstring_text(htp_node n, uint32_t values, char prefix);
  void fstring_value(htp_node n, bool spec);
  void fstring_segments(uint32_t values, bool spec, Segments &segments);
  // `{expression!r` of a replacement field, up to its format spec, which is the answer (0: none).
  htp_node replacement(htp_node n);
  void spans_within(htp_node n, const LineSpan &span);
  template <class Write> std::string buffered(const Write &write) {
    const TextBuilder::Mark mark = out_.mark();
    write();
    return out_.cut(mark);
  }

  const htp_store &store_;
  const bool trivia_;
  std::vector<LineSpan> *const spans_;
  UnparseFailure *const failure_;

  TextBuilder out_;
  std::string scratch_;
  std::vector<Link> links_;
  std::vector<std::pair<uint32_t, uint32_t>> type_ignores_; // line, tag
  uint32_t depth_ = 0, indent_ = 0;
  uint32_t brackets_ = 0; // open ones: a newline inside them ends no statement
  uint32_t nested_ = 0;   // expressions of f-strings around this one, where no backslash may stand
  uint32_t end_line_ = 1, end_col_ = 0;
  bool started_ = false;
  bool try_star_ = false;
  bool unusual_ = false; // braces in a format spec, or a raw string, were met, where `ast.unparse` goes wrong
  Follows follows_ = Follows::nothing;
};

} // namespace htp
