#include "c.h"

#include <charconv>
#include <cmath>

namespace htp::cpu::ready {

const DType *computed(const DType *dtype) { return dtype->narrow() ? dtype_named("f32") : dtype; }

const DType *memory_integer(const DType *narrow) { return dtype_named(narrow->bytes == 1 ? "u8" : "u16"); }

namespace {
std::string_view letters(const DType *dtype) { return dtype->kind == Class::boolean ? "u8" : dtype->name; }

// The nearest value, to even, of a float with this many fraction bits and this lowest exponent.
double rounded(double x, int fraction_bits, int lowest, double largest) {
  if (x == 0 || !std::isfinite(x)) return x;
  int exponent = 0;
  std::frexp(x, &exponent);
  const int unit = std::max(exponent - 1, lowest) - fraction_bits;
  const double r = std::ldexp(std::nearbyint(std::ldexp(x, -unit)), unit);
  return std::fabs(r) > largest ? std::copysign(HUGE_VAL, x) : r;
}

double without_infinity(double x) { return std::isinf(x) ? std::nan("") : x; }

template <class F> std::string shortest(F value) {
  char buffer[64];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}
} // namespace

std::string elements_of(unsigned lanes, unsigned vectors) {
  return (vectors > 1 ? std::to_string(vectors) + " * " : "") + "HTP_V" + std::to_string(widest_vector / lanes);
}

std::string suffix(const DType *dtype, unsigned lanes) {
  return std::string(letters(dtype)) + (lanes > 1 ? "v" + std::to_string(widest_vector / lanes) : "");
}

std::string value_type(const DType *dtype, unsigned lanes) {
  return lanes > 1 ? "htp_" + suffix(computed(dtype), lanes) : std::string(dtype->c);
}

std::string literal(const Value &number, const DType *dtype) {
  if (dtype->kind == Class::floating) {
    const double wide = number.real              ? number.f
                        : !number.digits.empty() ? std::strtod(number.digits.c_str(), nullptr)
                                                 : static_cast<double>(number.i);
    const bool single = dtype->bytes < 8;
    const double f = dtype->name == "f16"      ? rounded(wide, 10, -14, 65504)
                     : dtype->name == "bf16"   ? rounded(wide, 7, -126, 0x1.fep127)
                     : dtype->name == "f8e5m2" ? rounded(wide, 2, -14, 57344)
                     : dtype->name == "f8e4m3" ? without_infinity(rounded(wide, 3, -6, 448))
                     : single                  ? static_cast<double>(static_cast<float>(wide))
                                               : wide;
    const std::string tail = single ? "f" : "";
    if (std::isnan(f)) return "__builtin_nan" + tail + "(\"\")";
    if (std::isinf(f)) return std::string(f < 0 ? "-" : "") + "__builtin_inf" + tail + "()";
    return (single ? shortest(static_cast<float>(f)) : shortest(f)) + tail;
  }
  if (dtype->kind == Class::boolean) return number.i || number.f != 0 || !number.digits.empty() ? "1" : "0";
  if (!number.digits.empty()) { // beyond int64
    if (number.digits == "-9223372036854775808") return "(-INT64_C(9223372036854775807) - 1)";
    return "UINT64_C(" + number.digits + ")";
  }
  if (number.i == INT64_MIN) return "(-INT64_C(9223372036854775807) - 1)";
  if (number.i == INT32_MIN && dtype->bytes == 4) return "(-2147483647 - 1)";
  const std::string digits = std::to_string(number.i);
  if (dtype->kind == Class::natural) return dtype->bytes == 8 ? "UINT64_C(" + digits + ")" : digits + "u";
  return dtype->bytes == 8 ? "INT64_C(" + digits + ")" : digits;
}

} // namespace htp::cpu::ready
