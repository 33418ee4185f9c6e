#include "host/manifest/term.h"

namespace htp {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

} // namespace

bool is_name(std::string_view text) {
  if (text == "true" || text == "false") return false;
  bool begins = true; // a part between dots or dashes
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '.' || c == '-') {
      if (begins) return false;
      begins = true;
    } else if (!is_letter(c) && (!is_digit(c) || i == 0)) {
      return false;
    } else {
      begins = false;
    }
  }
  return !begins;
}

bool is_capability_name(std::string_view text) {
  bool begins = true;
  for (const char c : text) {
    if (c == '.') {
      if (begins) return false;
      begins = true;
    } else if (begins ? !(c >= 'A' && c <= 'Z') : !is_letter(c) && !is_digit(c)) {
      return false;
    } else {
      begins = false;
    }
  }
  return !begins;
}

Value Value::of_integer(int64_t value) {
  Value v{};
  v.form = Form::integer;
  v.integer = value;
  return v;
}

Value Value::of_boolean(bool value) {
  Value v{};
  v.form = Form::boolean;
  v.boolean = value;
  return v;
}

Value Value::of_text(std::string text) {
  Value v{};
  v.form = is_name(text) ? Form::name : Form::string;
  v.text = std::move(text);
  return v;
}

std::string Value::spelling() const {
  switch (form) {
  case Form::integer: return std::to_string(integer);
  case Form::boolean: return boolean ? "true" : "false";
  case Form::name: return text;
  case Form::string: break;
  }
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::string Argument::text() const {
  switch (form) {
  case Form::any: return "*";
  case Form::variable: return "$" + variable;
  case Form::values: break;
  }
  if (values.size() == 1) return values.front().spelling();
  std::string set;
  for (const Value &value : values) set += (set.empty() ? "" : ", ") + value.spelling();
  return "{" + set + "}";
}

std::string Term::text() const {
  std::string out = name;
  const char *separator = "(";
  for (const auto &[parameter, argument] : arguments) {
    out += separator + parameter + "=" + argument.text();
    separator = ", ";
  }
  if (!arguments.empty()) out += ')';
  if (!range.comparators.empty()) out += "@" + range.text();
  return out;
}

std::string Requirement::text() const {
  std::string out;
  for (const Term &term : alternatives) out += (out.empty() ? "" : " | ") + term.text();
  return out;
}

Span span_within(const Span &span, std::string_view text, size_t begin, size_t end) {
  if (!span.file || span.line == 0) return span;
  const std::string_view line = span.file->line(span.line);
  if (span.col > line.size()) return span;
  const std::string_view there = line.substr(span.col);
  const size_t quote = !there.empty() && (there[0] == '"' || there[0] == '\'') ? 1 : 0;
  const size_t skip = there.substr(0, text.size()) == text ? 0 : quote;
  if (there.substr(skip, text.size()) != text) return span;
  const auto column = [&](size_t at) { return static_cast<uint32_t>(span.col + skip + at); };
  return {span.file, span.line, column(begin), span.line, column(end)};
}

} // namespace htp
