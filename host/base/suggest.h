// host/base/suggest.h — what a person probably meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace htp {

// Damerau-Levenshtein distance (optimal string alignment, letters compared without case), or `limit + 1` when it is
// larger than `limit`.
size_t edit_distance(std::string_view a, std::string_view b, size_t limit);

// The candidate closest to `word`, when it is close enough to be a slip: at most a third of the letters off, of those
// parts of a dotted name that differ. Of equally close ones the first in alphabetical order; empty when there is none.
// The result points into `candidates`.
std::string_view did_you_mean(std::string_view word, const std::vector<std::string_view> &candidates);
std::string_view did_you_mean(std::string_view word, const std::vector<std::string> &candidates);

// May a tool write `meant` for `word` unasked? At most two letters are off, fewer than stay, and no other candidate is
// as close.
bool is_slip(std::string_view word, std::string_view meant, const std::vector<std::string_view> &candidates);

} // namespace htp
