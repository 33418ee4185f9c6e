// host/diag/suggestion.h — a diagnostic says what a person probably meant.
#pragma once

#include "host/diag/diagnostic.h"

#include <string_view>
#include <vector>

namespace htp {

// Hints at the candidate that `word` is a slip of. Where the word is all that the span has, and the slip is a small
// one, a fix puts the candidate there. False: none is close.
bool suggest(Diagnostic &d, std::string_view word, const std::vector<std::string_view> &candidates, const Span &span);

} // namespace htp
