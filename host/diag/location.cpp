#include "host/diag/location.h"

#include "host/diag/utf8.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace htp {

namespace {

using Key = std::tuple<std::string_view, uint32_t, uint32_t, uint32_t, uint32_t>;

Key key_of(const Span &span) {
  return {span.file ? std::string_view(span.file->path) : std::string_view(), span.line, span.col, span.end_line,
          span.end_col};
}

uint32_t column_of(const Span &span, uint32_t line, uint32_t col) {
  return static_cast<uint32_t>(count_code_points(span.file->line(line).substr(0, col))) + 1;
}

} // namespace

std::vector<const Diagnostic *> in_order(const Diagnostics &diagnostics) {
  std::vector<const Diagnostic *> order;
  std::set<std::tuple<Key, std::string_view, std::string_view>> seen;
  for (const Diagnostic &d : diagnostics.list())
    if (seen.emplace(key_of(d.span), d.code, d.message).second) order.push_back(&d);
  std::stable_sort(order.begin(), order.end(),
                   [](const Diagnostic *a, const Diagnostic *b) { return key_of(a->span) < key_of(b->span); });
  return order;
}

Location location_of(const Span &span) {
  if (!span.file || span.line == 0) return {};
  Location location{span.line, column_of(span, span.line, span.col), span.end_line, 0};
  if (std::tie(span.end_line, span.end_col) < std::tie(span.line, span.col)) {
    location.end_line = location.line;
    location.end_column = location.column;
  } else {
    location.end_column = column_of(span, span.end_line, span.end_col);
  }
  return location;
}

std::vector<std::string> hints_of(const Diagnostic &diagnostic) {
  if (!diagnostic.hints.empty() || diagnostic.usual_hint.empty()) return diagnostic.hints;
  return {std::string(diagnostic.usual_hint)};
}

std::string_view severity_name(Severity severity) {
  switch (severity) {
  case Severity::warning: return "warning";
  case Severity::note: return "note";
  case Severity::error:
  case Severity::fault: break;
  }
  return "error";
}

} // namespace htp
