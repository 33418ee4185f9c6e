#include "host/diag/suggestion.h"

#include "host/base/suggest.h"

#include <fmt/format.h>

namespace htp {

bool suggest(Diagnostic &d, std::string_view word, const std::vector<std::string_view> &candidates, const Span &span) {
  const std::string_view meant = did_you_mean(word, candidates);
  if (meant.empty()) return false;
  d.hint(fmt::format("did you mean `{}`?", meant));
  const bool whole = span.line == span.end_line && span.file &&
                     span.file->line(span.line).substr(span.col, span.end_col - span.col) == word;
  if (whole && is_slip(word, meant, candidates)) d.fix({fmt::format("use `{}`", meant), {{span, std::string(meant)}}});
  return true;
}

} // namespace htp
