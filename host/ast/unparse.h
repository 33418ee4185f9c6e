// host/ast/unparse.h — the tree as Python text.
#pragma once

#include <htp/ast.h>

#include <string>
#include <vector>

namespace htp {

// Where a node stands in the text that was printed, in the terms of CPython's positions: 1-based lines, 0-based byte
// columns, end exclusive, without the parentheses that are not the node's own.
struct LineSpan {
  htp_node node;
  uint32_t line, col, end_line, end_col;
};

// Why a tree cannot be written. Trees that were parsed always can.
struct UnparseFailure {
  htp_node node = HTP_NONE;
  const char *reason = nullptr; // ends "cannot write this as Python: …"
};

struct UnparseOptions {
  // false: the canonical text, byte for byte that of CPython 3.11's `ast.unparse`; kinds that 3.11 has not, as the
  // later
  //        CPython writes them.
  // true:  the same with comments, blank lines and the forms of literals as they were written. What a pass made stands
  //        apart as people write it: two blank lines around definitions at the top, one around others. The text of a
  //        module ends with a newline.
  bool trivia = false;
  // Receives each printed node that has a position in Python, in the order of their beginnings. What stands inside an
  // f-string stands where the f-string does.
  std::vector<LineSpan> *spans = nullptr;
  // Receives the first failure; the text is then not to be used.
  UnparseFailure *failure = nullptr;
};

// The canonical text differs from `ast.unparse`'s only where that one's would not read back as the same tree or is an
// error: a tuple as the only item of a `with`, f-strings whose quotes, braces or `u` prefix `ast.unparse` loses,
// negative constants that a pass made, integers of more than 4,300 digits (hexadecimal here).
std::string unparse(const htp_store &store, htp_node root, const UnparseOptions &options = {});

} // namespace htp
