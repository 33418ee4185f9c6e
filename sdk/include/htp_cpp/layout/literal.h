// htp_cpp/layout/literal.h — the Python literals that layouts are written in: ints, strings, None, tuples, dicts, and
// calls of constructors with such arguments.
#pragma once

#include "htp_cpp/layout/result.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string_view>
#include <vector>

namespace htp::layout {

struct Literal {
  enum Kind { none, number, text, tuple, dict, call } kind = none;
  int64_t value = 0;
  std::string spelling{};          // a string's text, a call's name as it is spelled
  std::vector<Literal> items{};    // of a tuple; a dict's values; a call's positional arguments
  std::vector<std::string> keys{}; // a dict's keys
  std::vector<std::pair<std::string, Literal>> keywords{};

  bool is(Kind k) const { return kind == k; }
  const Literal *keyword(std::string_view name) const {
    for (const auto &[key, given] : keywords)
      if (key == name) return &given;
    return nullptr;
  }
  // The positional argument `at`, or the keyword `name`.
  const Literal *argument(size_t at, std::string_view name) const {
    return at < items.size() ? &items[at] : keyword(name);
  }
  bool has_key(std::string_view name) const { return std::find(keys.begin(), keys.end(), name) != keys.end(); }
  std::string_view last_name() const { return std::string_view(spelling).substr(spelling.rfind('.') + 1); }
};

inline const No not_literal{"only literals and calls of constructors stand in a layout"};

class LiteralReader {
public:
  explicit LiteralReader(std::string_view text) : text_(text) {}

  Result<Literal> read() {
    Literal value;
    if (!expression(value, 0) || (space(), at_ != text_.size())) return not_literal;
    return value;
  }

private:
  static constexpr int deepest = 100;

  void space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    space();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool expression(Literal &value, int depth) {
    space();
    if (at_ == text_.size() || depth > deepest) return false;
    const char c = text_[at_];
    if (c == '(') return tuple(value, depth);
    if (c == '{') return dict(value, depth);
    if (c == '"' || c == '\'') {
      value.kind = Literal::text;
      return string(value.spelling);
    }
    if (c == '-' || std::isdigit(static_cast<unsigned char>(c))) return number(value);
    return name(value, depth);
  }
  bool tuple(Literal &value, int depth) {
    ++at_;
    value.kind = Literal::tuple;
    bool comma = true;
    while (!take(')')) {
      if (!comma || !expression(value.items.emplace_back(), depth + 1)) return false;
      comma = take(',');
    }
    if (value.items.size() == 1 && !comma) value = Literal(std::move(value.items[0])); // parentheses
    return true;
  }
  bool dict(Literal &value, int depth) {
    ++at_;
    value.kind = Literal::dict;
    bool comma = true;
    while (!take('}')) {
      std::string key;
      if (!comma || !string(key) || value.has_key(key) || !take(':') ||
          !expression(value.items.emplace_back(), depth + 1))
        return false;
      value.keys.push_back(std::move(key));
      comma = take(',');
    }
    return true;
  }
  bool string(std::string &into) {
    space();
    if (at_ == text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return false;
    const char quote = text_[at_++];
    while (at_ < text_.size() && text_[at_] != quote) {
      if (text_[at_] == '\\' || text_[at_] == '\n') return false;
      into += text_[at_++];
    }
    return at_++ < text_.size();
  }
  bool number(Literal &value) {
    value.kind = Literal::number;
    const bool negative = take('-');
    space();
    int base = 10;
    if (text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X") base = 16, at_ += 2;
    bool any = false;
    for (; at_ < text_.size(); ++at_) {
      const auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '_' && any) continue;
      const int digit = std::isdigit(c) ? c - '0' : base == 16 && std::isxdigit(c) ? std::tolower(c) - 'a' + 10 : -1;
      if (digit < 0) break;
      if (__builtin_mul_overflow(value.value, base, &value.value) ||
          __builtin_add_overflow(value.value, digit, &value.value))
        return false;
      any = true;
    }
    if (negative) value.value = -value.value;
    return any;
  }
  bool name(Literal &value, int depth) {
    const size_t from = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_' || text_[at_] == '.'))
      ++at_;
    value.spelling = text_.substr(from, at_ - from);
    if (value.spelling == "None") return true;
    value.kind = Literal::call;
    if (value.spelling.empty() || !take('(')) return false;
    bool comma = true;
    while (!take(')')) {
      if (!comma) return false;
      const size_t start = at_;
      space();
      const size_t from = at_;
      while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
      const std::string key(text_.substr(from, at_ - from));
      if (!key.empty() && take('=')) {
        if (!expression(value.keywords.emplace_back(key, Literal{}).second, depth + 1)) return false;
      } else {
        at_ = start;
        if (!value.keywords.empty() || !expression(value.items.emplace_back(), depth + 1)) return false;
      }
      comma = take(',');
    }
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
};

inline Result<Literal> read_literal(std::string_view text) { return LiteralReader(text).read(); }

} // namespace htp::layout
