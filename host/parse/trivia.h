// host/parse/trivia.h — comments, blank lines and the forms of literals, put into the tree they were written around.
#pragma once

#include "host/ast/store.h"

namespace htp {

// Gives the nodes of `root`, freshly parsed from `source` (the decoded text, as the store has it), their notes:
// statements, clauses and the module the comments and blank lines about them, constants and f-strings the form they
// were written in where it is not the canonical one. No comment is lost: those within brackets come to stand before
// their statement.
void attach_trivia(Store &store, htp_node root, const SourceFile &source);

} // namespace htp
