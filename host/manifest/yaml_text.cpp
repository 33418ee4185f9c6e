#include "host/manifest/yaml_text.h"

#include "host/diag/utf8.h"

#include <fmt/format.h>

#include <algorithm>

namespace htp {

size_t Offsets::line_of(size_t offset) const {
  size_t low = 1, high = source_->line_count();
  while (low < high) {
    const size_t middle = (low + high + 1) / 2;
    if (source_->offset(static_cast<uint32_t>(middle), 0) <= offset)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

Span Offsets::span(size_t begin, size_t end) const {
  const size_t size = source_->text.size();
  begin = std::min(begin, size);
  end = std::clamp(end, begin, size);
  const auto first = static_cast<uint32_t>(line_of(begin)), last = static_cast<uint32_t>(line_of(end));
  return {source_, first, static_cast<uint32_t>(begin - source_->offset(first, 0)), last,
          static_cast<uint32_t>(end - source_->offset(last, 0))};
}

size_t Offsets::closing_quote(size_t begin) const {
  const std::string_view text = source_->text;
  const char quote = text[begin];
  for (size_t i = begin + 1; i < text.size(); ++i) {
    const bool doubled = quote == '\'' && i + 1 < text.size() && text[i] == quote && text[i + 1] == quote;
    if (doubled || (quote == '"' && text[i] == '\\'))
      ++i;
    else if (text[i] == quote)
      return i + 1;
  }
  return std::string_view::npos;
}

bool Offsets::unclosed(size_t begin) const {
  const std::string_view text = source_->text;
  const bool quoted = begin < text.size() && (text[begin] == '\'' || text[begin] == '"');
  return quoted && closing_quote(begin) == std::string_view::npos;
}

Span Offsets::scalar(size_t begin, std::string_view value) const {
  const std::string_view text = source_->text;
  const std::string_view rest = text.substr(std::min(begin, text.size()));
  if (rest.empty()) return span(begin, begin);
  if ((rest[0] == '\'' || rest[0] == '"') && !unclosed(begin)) return span(begin, closing_quote(begin));
  if (rest.substr(0, value.size()) == value) return span(begin, begin + value.size());
  // A block scalar, or a plain one over several lines: its first line.
  size_t end = std::min(rest.find('\n'), rest.size());
  while (end > 0 && (rest[end - 1] == ' ' || rest[end - 1] == '\r')) --end;
  return span(begin, begin + end);
}

bool check_text(const SourceRef &source, Diagnostics &diagnostics, const YamlLimits &limits) {
  const std::string_view text = source->text;
  const Offsets offsets(source);
  const Span whole{source};
  if (text.size() > limits.bytes) {
    diagnostics.report(diag::manifest_too_large, whole, text.size(), limits.bytes);
    return false;
  }
  size_t bad = 0;
  if (!is_utf8(text, &bad)) {
    auto &d =
        diagnostics.report(diag::manifest_bad_text, offsets.span(bad, bad + 1), static_cast<unsigned char>(text[bad]));
    if (bad == 0 && text.size() > 1 && (text.substr(0, 2) == "\xff\xfe" || text.substr(0, 2) == "\xfe\xff"))
      d.hint("the file looks like UTF-16; save it as UTF-8");
    return false;
  }
  for (size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const bool line_end = c == '\n' || (c == '\r' && at + 1 < text.size() && text[at + 1] == '\n');
    if (line_end || c == '\t' || (c >= 0x20 && c != 0x7F)) continue;
    diagnostics.report(diag::manifest_control_character, offsets.span(at, at + 1), c);
    return false;
  }
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find('\n', begin), text.size());
    if (end - begin > limits.line_bytes) {
      diagnostics.report(diag::manifest_long_line, offsets.span(begin, begin + 1), end - begin, limits.line_bytes);
      return false;
    }
    begin = end + 1;
  }
  return true;
}

} // namespace htp
