#include "host/parse/trivia_scan.h"

#include <algorithm>
#include <array>

namespace htp {

namespace {

// Characters that mean something outside strings.
constexpr auto Stops = [] {
  std::array<bool, 256> stops{};
  for (const char c : std::string_view("'\"#()[]{}\\\n")) stops[static_cast<unsigned char>(c)] = true;
  return stops;
}();

constexpr bool in_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
}

class Scanner {
public:
  explicit Scanner(std::string_view text) : text_(text) {}

  std::vector<TriviaToken> run() {
    while (at_ < text_.size()) {
      measure_indent();
      if (at_ == text_.size()) break;
      statement_ = line_;
      if (text_[at_] == '\n') {
        add(TriviaKind::blank, 0);
        newline();
      } else if (text_[at_] == '#') {
        comment(TriviaKind::comment);
        if (at_ < text_.size()) newline();
      } else {
        clause();
        logical_line();
      }
    }
    return std::move(found_);
  }

private:
  void newline() {
    ++at_;
    ++line_;
    line_start_ = at_;
  }

  void measure_indent() {
    indent_ = 0;
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == ' ')
        ++indent_;
      else if (text_[at_] == '\t')
        indent_ = indent_ / 8 * 8 + 8;
      else if (text_[at_] == '\f')
        indent_ = 0;
      else
        break;
    }
  }

  void add(TriviaKind kind, size_t size) {
    found_.push_back({kind, static_cast<uint32_t>(at_), static_cast<uint32_t>(size), line_,
                      static_cast<uint32_t>(at_ - line_start_), indent_, statement_});
  }

  void comment(TriviaKind kind) {
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    add(kind, end - at_);
    at_ = end;
  }

  void clause() {
    const auto keyword = [&](std::string_view w) {
      return text_.substr(at_, w.size()) == w && (at_ + w.size() == text_.size() || !in_word(text_[at_ + w.size()]));
    };
    switch (text_[at_]) {
    case '@': return add(TriviaKind::decorator_line, 0);
    case 'c': return keyword("case") ? add(TriviaKind::case_line, 0) : void();
    case 'e': return keyword("else") ? add(TriviaKind::else_line, 0) : void();
    case 'f': return keyword("finally") ? add(TriviaKind::finally_line, 0) : void();
    default: return;
    }
  }

  // To behind the newline that ends the statement or its header.
  void logical_line() {
    uint32_t depth = 0;
    for (;;) {
      while (at_ < text_.size() && !Stops[static_cast<unsigned char>(text_[at_])]) ++at_;
      if (at_ == text_.size()) return;
      switch (text_[at_]) {
      case '\n':
        newline();
        if (depth == 0) return;
        break;
      case '#': comment(depth == 0 ? TriviaKind::trailing_comment : TriviaKind::inner_comment); break;
      case '\\':
        ++at_;
        if (at_ < text_.size() && text_[at_] == '\n') newline();
        break;
      case '(':
      case '[':
      case '{': ++depth, ++at_; break;
      case ')':
      case ']':
      case '}':
        if (depth != 0) --depth;
        ++at_;
        break;
      default: string();
      }
    }
  }

  void string() {
    const char quote = text_[at_];
    const bool triple = text_.size() - at_ >= 3 && text_[at_ + 1] == quote && text_[at_ + 2] == quote;
    for (at_ += triple ? 3 : 1; at_ < text_.size();) {
      const char c = text_[at_];
      if (c == '\n') {
        newline();
        if (!triple) return;
      } else if (c == '\\') {
        ++at_;
        if (at_ < text_.size() && text_[at_] == '\n')
          newline();
        else if (at_ < text_.size())
          ++at_;
      } else if (c != quote) {
        ++at_;
      } else if (!triple) {
        ++at_;
        return;
      } else if (text_.size() - at_ >= 3 && text_[at_ + 1] == quote && text_[at_ + 2] == quote) {
        at_ += 3;
        return;
      } else {
        ++at_;
      }
    }
  }

  std::string_view text_;
  std::vector<TriviaToken> found_;
  size_t at_ = 0, line_start_ = 0;
  uint32_t line_ = 1, indent_ = 0, statement_ = 1;
};

} // namespace

std::vector<TriviaToken> scan_trivia(std::string_view text) { return Scanner(text).run(); }

uint32_t indent_of(std::string_view line, size_t col) {
  uint32_t indent = 0;
  for (const char c : line.substr(0, col)) {
    if (c == ' ')
      ++indent;
    else if (c == '\t')
      indent = indent / 8 * 8 + 8;
    else if (c == '\f')
      indent = 0;
    else
      return UINT32_MAX;
  }
  return indent;
}

} // namespace htp
