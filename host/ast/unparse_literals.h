// host/ast/unparse_literals.h — literals as Python's `repr` and `ast.unparse` write them. Text is UTF-8 with
// surrogatepass.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace htp {

// repr() of a str, of bytes, of a float, and of the imaginary number with that part. Infinities are written 1e309, a
// NaN as their difference.
void append_str(std::string &out, std::string_view text);
void append_bytes(std::string &out, std::string_view bytes);
void append_float(std::string &out, double value);
void append_imaginary(std::string &out, double value);
// Decimal digits as they are while CPython reads and writes them (4,300 at most), else hexadecimal.
void append_int(std::string &out, std::string_view digits);

// The quotes a string may stand in, in the order of preference.
class Quotes {
public:
  static constexpr std::string_view All[] = {"'", "\"", "\"\"\"", "'''"};
  static Quotes all() { return Quotes{{0, 1, 2, 3}, 4}; }
  static Quotes triple() { return Quotes{{2, 3}, 2}; }

  bool empty() const { return count_ == 0; }
  std::string_view first() const { return All[ids_[0]]; }
  bool has(std::string_view quote) const;
  // Those for which keep(quote) holds.
  template <class Keep> Quotes where(const Keep &keep) const {
    Quotes kept{{}, 0};
    for (unsigned k = 0; k < count_; ++k)
      if (keep(All[ids_[k]])) kept.ids_[kept.count_++] = ids_[k];
    return kept;
  }
  // Those that do not begin with `c` ahead of those that do.
  Quotes but_last(char c) const;
  // The first that holds `c`, else the single quote that is `c`.
  Quotes only(char c) const;

private:
  Quotes(std::initializer_list<uint8_t> ids, uint8_t count) : count_(count) {
    unsigned at = 0;
    for (const uint8_t id : ids) ids_[at++] = id;
  }
  uint8_t ids_[4] = {};
  uint8_t count_;
};

// What stands between the quotes, with as few escapes as may be; narrows `quotes` to those that may then stand around
// it. `escape_blanks`: newlines and tabs are escaped too. `as_repr`: whether quotes had to be escaped as repr() does.
std::string quote_sparingly(std::string_view text, Quotes &quotes, bool escape_blanks, bool *as_repr = nullptr);

// Whether str.isprintable() holds of the character.
bool is_printable(uint32_t character);

} // namespace htp
