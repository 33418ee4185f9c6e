// htp_cpp/suggest.h — did you mean: the nearest of the names that would have been right.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

// Insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`.
inline size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  std::iota(last.begin(), last.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

// The nearest of `known`, the first of equally near ones; empty when none is near enough to be what was meant.
inline std::string nearest(std::string_view name, const std::vector<std::string> &known) {
  size_t best = std::max<size_t>(1, name.size() / 3) + 1;
  std::string found;
  for (const std::string &k : known)
    if (const size_t d = edit_distance(name, k); d < best) best = d, found = k;
  return found;
}

} // namespace htp::sdk
