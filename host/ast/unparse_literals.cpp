#include "host/ast/unparse_literals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <vector>

namespace htp {

namespace {

constexpr char Hex[] = "0123456789abcdef";

struct Range {
  uint32_t first, last;
};
constexpr Range Unprintable[] = {
#include "host/ast/unprintable.inc"
};

constexpr bool plain(unsigned char c) { return c >= 0x20 && c < 0x7f; }

// The character at `at`, and moves past it. A stray byte counts as the character of that number.
uint32_t next_character(std::string_view text, size_t &at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const uint32_t lead = byte(at++);
  const unsigned more = lead < 0xc0 ? 0 : lead < 0xe0 ? 1 : lead < 0xf0 ? 2 : lead < 0xf8 ? 3 : 0;
  if (more == 0 || text.size() - at < more) return lead;
  uint32_t character = lead & (0x3fu >> more);
  for (unsigned k = 0; k < more; ++k) {
    if ((byte(at + k) & 0xc0) != 0x80) return lead;
    character = character << 6 | (byte(at + k) & 0x3f);
  }
  at += more;
  return character;
}

void append_hex(std::string &out, char kind, uint32_t value, unsigned digits) {
  out += '\\';
  out += kind;
  for (unsigned shift = 4 * digits; shift != 0;) out += Hex[value >> (shift -= 4) & 15];
}

// A character that cannot stand as it is.
void append_escape(std::string &out, uint32_t c) {
  switch (c) {
  case '\\': out += "\\\\"; break;
  case '\t': out += "\\t"; break;
  case '\n': out += "\\n"; break;
  case '\r': out += "\\r"; break;
  default:
    if (c < 0x100)
      append_hex(out, 'x', c, 2);
    else if (c < 0x10000)
      append_hex(out, 'u', c, 4);
    else
      append_hex(out, 'U', c, 8);
  }
}

char repr_quote(std::string_view text) {
  return text.find('\'') != text.npos && text.find('"') == text.npos ? '"' : '\'';
}

// repr() of a str without its quotes.
void append_repr(std::string &out, std::string_view text, char quote) {
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const auto c = static_cast<unsigned char>(text[at]);
    if (plain(c)) {
      ++at;
      if (c == quote || c == '\\') out += '\\';
      out += static_cast<char>(c);
      continue;
    }
    const uint32_t character = next_character(text, at);
    if (is_printable(character))
      out += text.substr(begin, at - begin);
    else
      append_escape(out, character);
  }
}

// repr() of the float; `point`: with ".0" when it would else look like an int.
void append_number(std::string &out, double value, bool point) {
  if (std::isinf(value)) {
    out += value < 0 ? "-1e309" : "1e309";
    return;
  }
  if (std::isnan(value)) {
    out += "(1e309-1e309)";
    return;
  }
  // The shortest digits that read back as the same double, laid out as CPython does: an exponent below 1e-4, from 1e16.
  std::array<char, 32> text;
  const char *end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific).ptr;
  const char *at = text.data();
  if (*at == '-') out += *at++;
  std::array<char, 24> digits;
  size_t count = 0;
  for (; at != end && *at != 'e'; ++at)
    if (*at != '.') digits[count++] = *at;
  int exponent = 0;
  if (at != end) {
    ++at;
    std::from_chars(*at == '+' ? at + 1 : at, end, exponent);
  }
  const int length = static_cast<int>(count);
  const std::string_view all(digits.data(), count);
  if (exponent < -4 || exponent >= 16) {
    out += all[0];
    if (length > 1) (out += '.') += all.substr(1);
    out += exponent < 0 ? "e-" : "e+";
    if (std::abs(exponent) < 10) out += '0';
    out += std::to_string(std::abs(exponent));
  } else if (exponent < 0) {
    out += "0.";
    out.append(static_cast<size_t>(-exponent - 1), '0');
    out += all;
  } else if (length <= exponent + 1) {
    out += all;
    out.append(static_cast<size_t>(exponent + 1 - length), '0');
    if (point) out += ".0";
  } else {
    out += all.substr(0, static_cast<size_t>(exponent) + 1);
    out += '.';
    out += all.substr(static_cast<size_t>(exponent) + 1);
  }
}

} // namespace

bool is_printable(uint32_t character) {
  const auto range = std::upper_bound(std::begin(Unprintable), std::end(Unprintable), character,
                                      [](uint32_t c, const Range &r) { return c < r.first; });
  return range == std::begin(Unprintable) || character > std::prev(range)->last;
}

void append_str(std::string &out, std::string_view text) {
  const char quote = repr_quote(text);
  out += quote;
  append_repr(out, text, quote);
  out += quote;
}

void append_bytes(std::string &out, std::string_view bytes) {
  const char quote = repr_quote(bytes);
  out += 'b';
  out += quote;
  for (const char byte : bytes) {
    const auto c = static_cast<unsigned char>(byte);
    if (c == '\\' || !plain(c))
      append_escape(out, c);
    else {
      if (byte == quote) out += '\\';
      out += byte;
    }
  }
  out += quote;
}

void append_float(std::string &out, double value) { append_number(out, value, true); }

void append_imaginary(std::string &out, double value) {
  append_number(out, value, false);
  out += 'j';
}

void append_int(std::string &out, std::string_view digits) {
  constexpr size_t MostDigits = 4300; // sys.int_info.default_max_str_digits
  if (digits.size() <= MostDigits) {
    out += digits;
    return;
  }
  // Base 10^9 to base 2^32, least significant first.
  std::vector<uint32_t> words;
  for (size_t at = 0; at < digits.size();) {
    const size_t count = (digits.size() - at - 1) % 9 + 1;
    uint64_t carry = 0, scale = 1;
    for (size_t k = 0; k < count; ++k, scale *= 10) carry = carry * 10 + static_cast<uint64_t>(digits[at + k] - '0');
    for (uint32_t &word : words) {
      carry += word * scale;
      word = static_cast<uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) words.push_back(static_cast<uint32_t>(carry));
    at += count;
  }
  out += "0x";
  const size_t begin = out.size();
  for (size_t k = words.size(); k-- != 0;)
    for (unsigned shift = 32; shift != 0;) {
      const char digit = Hex[words[k] >> (shift -= 4) & 15];
      if (digit != '0' || out.size() != begin) out += digit;
    }
}

// ── sparing quotes ──────────────────────────────────────────────────────────────────────────────────────────────────

bool Quotes::has(std::string_view quote) const {
  for (unsigned k = 0; k < count_; ++k)
    if (All[ids_[k]] == quote) return true;
  return false;
}

Quotes Quotes::but_last(char c) const {
  Quotes sorted = *this;
  std::stable_sort(sorted.ids_, sorted.ids_ + sorted.count_,
                   [c](uint8_t a, uint8_t b) { return (All[a][0] == c) < (All[b][0] == c); });
  return sorted;
}

Quotes Quotes::only(char c) const {
  for (unsigned k = 0; k < count_; ++k)
    if (All[ids_[k]][0] == c) return Quotes{{ids_[k]}, 1};
  return c == '\'' ? Quotes{{0}, 1} : Quotes{{1}, 1};
}

std::string quote_sparingly(std::string_view text, Quotes &quotes, bool escape_blanks, bool *as_repr) {
  std::string out;
  out.reserve(text.size() + 8);
  for (size_t at = 0; at < text.size();) {
    const size_t begin = at;
    const auto c = static_cast<unsigned char>(text[at]);
    if ((plain(c) && c != '\\') || (!escape_blanks && (c == '\n' || c == '\t'))) {
      ++at;
      out += static_cast<char>(c);
      continue;
    }
    const uint32_t character = next_character(text, at);
    if (character != '\\' && is_printable(character))
      out += text.substr(begin, at - begin);
    else
      append_escape(out, character);
  }
  const bool lines = out.find('\n') != out.npos;
  const Quotes possible = quotes.where(
      [&](std::string_view quote) { return (!lines || quote.size() == 3) && out.find(quote) == out.npos; });
  if (as_repr) *as_repr = possible.empty();
  if (possible.empty()) {
    const char quote = repr_quote(text);
    out.clear();
    append_repr(out, text, quote);
    quotes = quotes.only(quote);
    return out;
  }
  quotes = possible;
  if (out.empty()) return out;
  quotes = possible.but_last(out.back());
  if (quotes.first()[0] == out.back()) out.insert(out.size() - 1, 1, '\\');
  return out;
}

} // namespace htp
