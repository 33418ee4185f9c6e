#include "host/diag/utf8.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace htp {

namespace {

constexpr char32_t replacement = 0xFFFD;

struct Range {
  char32_t first, last;
};

// What combines with the character before it. Sorted.
constexpr Range zero_width[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},   {0x064B, 0x065F}, {0x0900, 0x0902},
    {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E31, 0x0E31},   {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200D}, {0x20D0, 0x20F0},   {0x302A, 0x302D}, {0x3099, 0x309A},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0xE0100, 0xE01EF},
};
// East Asian wide and full-width characters, and emoji (Unicode's EastAsianWidth W and F, in blocks). Sorted.
constexpr Range double_width[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x25FD, 0x25FE},   {0x2614, 0x2615},
    {0x2648, 0x2653},   {0x26A1, 0x26A1},   {0x26BD, 0x26BE},   {0x2705, 0x2705},   {0x2728, 0x2728},
    {0x274C, 0x274C},   {0x2753, 0x2755},   {0x2795, 0x2797},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},
    {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},   {0xA000, 0xA4CF},
    {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
    {0xFFE0, 0xFFE6},   {0x16FE0, 0x18CFF}, {0x1B000, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F0CF, 0x1F0CF},
    {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F320}, {0x1F32D, 0x1F64F}, {0x1F680, 0x1F6FF},
    {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD},
};

template <size_t N> bool within(const Range (&ranges)[N], char32_t c) {
  const Range *at = std::upper_bound(std::begin(ranges), std::end(ranges), c,
                                     [](char32_t value, const Range &range) { return value < range.first; });
  return at != std::begin(ranges) && c <= std::prev(at)->last;
}

// The length of the well-formed sequence at the front of `text`, with its value; 0 when there is none.
size_t decode(std::string_view text, char32_t &c) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return c = lead, 1;
  const size_t length = lead >= 0xF0 && lead <= 0xF4  ? 4
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                                                      : 0;
  if (length == 0 || text.size() < length) return 0;
  c = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    c = (c << 6) | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> least = {0, 0, 0x80, 0x800, 0x10000};
  if (c < least[length] || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return 0;
  return length;
}

} // namespace

char32_t take_code_point(std::string_view &text) {
  char32_t c = replacement;
  const size_t length = decode(text, c);
  text.remove_prefix(std::max<size_t>(length, 1));
  return length == 0 ? replacement : c;
}

void append_code_point(std::string &out, char32_t c) {
  const auto put = [&](char32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (c < 0x80) {
    put(c);
  } else if (c < 0x800) {
    put(0xC0 | (c >> 6)), put(0x80 | (c & 0x3F));
  } else if (c < 0x10000) {
    put(0xE0 | (c >> 12)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  } else {
    put(0xF0 | (c >> 18)), put(0x80 | ((c >> 12) & 0x3F)), put(0x80 | ((c >> 6) & 0x3F)), put(0x80 | (c & 0x3F));
  }
}

bool is_utf8(std::string_view text, size_t *bad) {
  for (size_t at = 0; at < text.size();) {
    char32_t c = 0;
    const size_t length = decode(text.substr(at, 4), c);
    if (length == 0) {
      if (bad) *bad = at;
      return false;
    }
    at += length;
  }
  return true;
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) take_code_point(text);
  return count;
}

unsigned display_width(char32_t c) {
  if (c < 0x300) return 1;
  if (within(zero_width, c)) return 0;
  return within(double_width, c) ? 2 : 1;
}

char32_t printable(char32_t c) {
  if (c == '\t') return ' ';
  if (c < 0x20) return 0x2400 + c;
  if (c == 0x7F) return 0x2421;
  const bool bidirectional = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0x200E || c == 0x200F;
  return bidirectional || (c >= 0x80 && c < 0xA0) ? replacement : c;
}

std::string printable(std::string_view text, bool keep_newlines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    append_code_point(out, c == '\n' && keep_newlines ? c : printable(c));
  }
  return out;
}

} // namespace htp
