// host/parse/trivia_literals.h — the forms in which a program's literals were written.
#pragma once

#include "host/ast/store.h"
#include "host/parse/trivia_scan.h"

#include <span>

namespace htp {

// Notes on each Constant and JoinedStr below `root` its text in the source, unless it is the canonical one. `tokens`
// are all of the source's: comments between the parts of a literal are not part of it.
void attach_literals(Store &store, htp_node root, const SourceFile &source, std::span<const TriviaToken> tokens);

} // namespace htp
