#include "host/manifest/scalar.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace htp {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The length of the run of decimal digits at `at`; `_` counts where `loose`.
size_t digits(std::string_view text, size_t at, bool loose = false) {
  size_t end = at;
  while (end < text.size() && (is_digit(text[end]) || (loose && end > at && text[end] == '_'))) ++end;
  return end - at;
}

// JSON's numbers.
ScalarType strict_number(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  const size_t whole = digits(text, at);
  if (whole == 0 || (whole > 1 && text[at] == '0')) return ScalarType::string;
  at += whole;
  if (at == text.size()) return text == "-0" ? ScalarType::string : ScalarType::integer;
  if (text[at] == '.') {
    const size_t fraction = digits(text, at + 1);
    if (fraction == 0) return ScalarType::string;
    at += 1 + fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const size_t exponent = digits(text, at);
    if (exponent == 0) return ScalarType::string;
    at += exponent;
  }
  return at == text.size() ? ScalarType::number : ScalarType::string;
}

// What some reader of YAML would take for a number: other bases, underscores, signs, sexagesimals, infinities.
bool loose_number(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  if (text.empty()) return false;
  const auto all = [&](size_t from, std::string_view set) {
    return from < text.size() && text.find_first_not_of(set, from) == std::string_view::npos;
  };
  if (text[0] == '.') {
    std::string lower(text.substr(1));
    std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) { return static_cast<char>(c | 0x20); });
    return lower == "inf" || lower == "nan" || all(1, "0123456789_eE+-");
  }
  if (!is_digit(text[0])) return false;
  if (text.size() > 2 && text[0] == '0') {
    if (text[1] == 'x' || text[1] == 'X') return all(2, "0123456789abcdefABCDEF_");
    if (text[1] == 'o' || text[1] == 'O') return all(2, "01234567_");
    if (text[1] == 'b' || text[1] == 'B') return all(2, "01_");
  }
  size_t at = digits(text, 0, true);
  if (at < text.size() && text[at] == ':') return all(at, "0123456789:.");
  if (at < text.size() && text[at] == '.') at += 1 + digits(text, at + 1, true);
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) return all(at, "0123456789eE+-");
  return at == text.size();
}

bool loose_boolean(std::string_view text) {
  return text == "True" || text == "TRUE" || text == "False" || text == "FALSE";
}

} // namespace

ScalarType scalar_type(const YamlNode &node) {
  if (node.quoted) return ScalarType::string;
  const std::string_view text = node.text;
  if (text == "true" || text == "false") return ScalarType::boolean;
  const ScalarType number = strict_number(text);
  if (number == ScalarType::integer && !integer_of(node)) return ScalarType::unclear;
  if (number != ScalarType::string) return number;
  return loose_number(text) || loose_boolean(text) ? ScalarType::unclear : ScalarType::string;
}

std::optional<int64_t> integer_of(const YamlNode &node) {
  int64_t value = 0;
  const char *end = node.text.data() + node.text.size();
  const auto [at, error] = std::from_chars(node.text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

std::string describe(const YamlNode &node) {
  switch (node.form) {
  case YamlNode::Form::list: return "a list";
  case YamlNode::Form::map: return "a map";
  case YamlNode::Form::null: return "nothing";
  case YamlNode::Form::refused:
  case YamlNode::Form::scalar: break;
  }
  constexpr size_t most = 40;
  const std::string shown = node.text.size() > most ? node.text.substr(0, most) + "…" : node.text;
  switch (scalar_type(node)) {
  case ScalarType::integer: return fmt::format("the integer `{}`", shown);
  case ScalarType::number: return fmt::format("the number `{}`", shown);
  case ScalarType::boolean: return fmt::format("the boolean `{}`", shown);
  case ScalarType::unclear: return fmt::format("`{}`, which readers of YAML take for different things", shown);
  case ScalarType::string: break;
  }
  return fmt::format("the string `{}`", shown);
}

} // namespace htp
