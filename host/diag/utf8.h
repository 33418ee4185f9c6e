// host/diag/utf8.h — UTF-8 as a terminal shows it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace htp {

// Takes one code point off the front of `text` (not empty); a byte that is no UTF-8 comes out as U+FFFD, one at a time.
char32_t take_code_point(std::string_view &text);
void append_code_point(std::string &out, char32_t c);

// Is all of it well-formed UTF-8? `*bad` is the offset of the first byte that is not.
bool is_utf8(std::string_view text, size_t *bad = nullptr);

// Code points in `text`; bytes that are no UTF-8 count one each.
size_t count_code_points(std::string_view text);

// Columns of a terminal that `c` takes: 0 for marks that combine, 2 for wide East Asian characters and emoji, else 1.
unsigned display_width(char32_t c);

// `text` made safe to print: control characters as their pictures (␛), bidirectional controls and bad bytes as U+FFFD.
// Newlines stay only when `keep_newlines`; a tab stays a space.
std::string printable(std::string_view text, bool keep_newlines = false);
char32_t printable(char32_t c);

} // namespace htp
