#include "host/base/suggest.h"

#include <algorithm>

namespace htp {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool joins(char c) { return c == '.' || c == '_' || c == '-'; }

// The parts of dotted names that both begin or end with tell nothing of how close the rest is.
void leave_common_parts(std::string_view &a, std::string_view &b) {
  const std::string_view whole_a = a, whole_b = b;
  for (const bool at_end : {false, true}) {
    const size_t most = std::min(a.size(), b.size());
    size_t parts = 0;
    for (size_t k = 0; k < most; ++k) {
      const char x = at_end ? a[a.size() - 1 - k] : a[k], y = at_end ? b[b.size() - 1 - k] : b[k];
      if (lower(x) != lower(y)) break;
      if (joins(x)) parts = k + 1;
    }
    (at_end ? a.remove_suffix(parts) : a.remove_prefix(parts));
    (at_end ? b.remove_suffix(parts) : b.remove_prefix(parts));
  }
  if (a.empty() || b.empty()) a = whole_a, b = whole_b; // a part is missing
}

constexpr size_t longest_word = 128; // longer ones are no slips of a finger, and the search stays cheap

} // namespace

size_t edit_distance(std::string_view a, std::string_view b, size_t limit) {
  const size_t apart = a.size() < b.size() ? b.size() - a.size() : a.size() - b.size();
  if (apart > limit || std::max(a.size(), b.size()) > longest_word) return a == b ? 0 : limit + 1;
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return std::min(last[b.size()], limit + 1);
}

std::string_view did_you_mean(std::string_view word, const std::vector<std::string_view> &candidates) {
  size_t best = std::max<size_t>(1, word.size() / 3) + 1;
  std::string_view found;
  for (std::string_view candidate : candidates) {
    std::string_view part = word, other = candidate;
    leave_common_parts(part, other);
    const size_t most = std::max<size_t>(1, part.size() / 3);
    const size_t distance = edit_distance(part, other, best);
    if (candidate.empty() || distance > most || distance >= std::max(part.size(), other.size())) continue;
    if (distance < best || (distance == best && !found.empty() && candidate < found)) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string_view did_you_mean(std::string_view word, const std::vector<std::string> &candidates) {
  return did_you_mean(word, std::vector<std::string_view>(candidates.begin(), candidates.end()));
}

bool is_slip(std::string_view word, std::string_view meant, const std::vector<std::string_view> &candidates) {
  constexpr size_t most = 2;
  const size_t distance = edit_distance(word, meant, most);
  if (meant.empty() || distance > most || 2 * distance >= word.size()) return false;
  return std::none_of(candidates.begin(), candidates.end(), [&](std::string_view other) {
    return other != meant && edit_distance(word, other, distance) <= distance;
  });
}

} // namespace htp
