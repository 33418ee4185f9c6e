// host/parse/trivia_scan.h — finds in Python text what its tree does not hold: comments, blank lines, and the lines of
// clauses that are no nodes.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace htp {

enum class TriviaKind : uint8_t {
  comment,          // on a line of its own
  trailing_comment, // behind a statement or its header
  inner_comment,    // within brackets
  blank,            // a line with nothing on it, outside brackets
  else_line,        // `else:` begins here
  finally_line,     // `finally:`
  case_line,        // `case …`, or a statement that begins with that name
  decorator_line    // `@…`
};

struct TriviaToken {
  TriviaKind kind;
  uint32_t offset, size; // of a comment: its text from `#`
  uint32_t line, col;    // 1-based, 0-based bytes
  uint32_t indent;       // the column as CPython's tokenizer counts it: tabs to multiples of 8
  uint32_t statement;    // the line on which the logical line begins
};

// In the text's order. The text is Python that CPython 3.11 accepts (elsewhere the answer means nothing), UTF-8 with
// `\n` as newlines.
std::vector<TriviaToken> scan_trivia(std::string_view text);

// The column of `offset` in its line as the tokenizer counts indentation; UINT32_MAX when something else stands before
// it.
uint32_t indent_of(std::string_view line, size_t col);

} // namespace htp
