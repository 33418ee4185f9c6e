// host/parse/parse.h — Python text into the store, by CPython's own parser. Nothing of the program is ever executed.
#pragma once

#include "host/ast/store.h"
#include "host/diag/diagnostic.h"

#include <string_view>

namespace htp {

// The Module of a program, without its comments (see trivia.h). The store keeps the decoded text as a new file. Reports
// why and returns 0 when it is not a program.
htp_node parse_tree(const SourceRef &source, Diagnostics &diagnostics, Store &store);

// An expression, or a Module of statements, from text that is no file: the nodes have no location and stand for
// `origin`.
htp_node parse_expression(std::string_view text, htp_node origin, Diagnostics &diagnostics, Store &store);
htp_node parse_statements(std::string_view text, htp_node origin, Diagnostics &diagnostics, Store &store);

} // namespace htp
