#include "host/manifest/term.h"

#include <algorithm>
#include <charconv>

namespace htp {

std::string Version::text() const {
  std::string text;
  for (const uint32_t part : parts) text += (text.empty() ? "" : ".") + std::to_string(part);
  return text;
}

std::optional<Version> Version::parse(std::string_view text) {
  Version version;
  const char *at = text.data(), *end = text.data() + text.size();
  while (true) {
    uint32_t part = 0;
    const auto [next, error] = std::from_chars(at, end, part);
    const bool leading_zero = next - at > 1 && *at == '0';
    if (error != std::errc() || next == at || leading_zero || version.parts.size() == 8) return std::nullopt;
    version.parts.push_back(part);
    if (next == end) return version;
    if (*next != '.') return std::nullopt;
    at = next + 1;
  }
}

std::strong_ordering operator<=>(const Version &a, const Version &b) {
  for (size_t i = 0; i < std::max(a.parts.size(), b.parts.size()); ++i) {
    const uint32_t left = i < a.parts.size() ? a.parts[i] : 0, right = i < b.parts.size() ? b.parts[i] : 0;
    if (left != right) return left <=> right;
  }
  return std::strong_ordering::equal;
}

std::string_view comparator_spelling(Comparator::Op op) {
  switch (op) {
  case Comparator::lt: return "<";
  case Comparator::le: return "<=";
  case Comparator::ge: return ">=";
  case Comparator::gt: return ">";
  case Comparator::eq: break;
  }
  return "==";
}

bool VersionRange::contains(const Version &version) const {
  return std::all_of(comparators.begin(), comparators.end(), [&](const Comparator &c) {
    switch (c.op) {
    case Comparator::lt: return version < c.version;
    case Comparator::le: return version <= c.version;
    case Comparator::ge: return version >= c.version;
    case Comparator::gt: return version > c.version;
    case Comparator::eq: break;
    }
    return version == c.version;
  });
}

std::string VersionRange::text() const {
  std::string text;
  for (const Comparator &c : comparators) {
    if (!text.empty()) text += ',';
    text += comparator_spelling(c.op);
    text += c.version.text();
  }
  return text;
}

} // namespace htp
