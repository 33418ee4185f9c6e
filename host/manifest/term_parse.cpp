#include "host/diag/diagnostic.h"
#include "host/manifest/term.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace htp {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Recursive descent over one scalar. The first error is reported and ends it: later ones would only follow from it.
class Parser {
public:
  Parser(std::string_view text, const Span &span, Diagnostics &diagnostics)
      : text_(text), span_(span), diagnostics_(diagnostics) {}

  std::optional<Requirement> requirement() {
    Requirement requirement;
    requirement.span = span_;
    do {
      std::optional<Term> next = term();
      if (!next) return std::nullopt;
      requirement.alternatives.push_back(std::move(*next));
    } while (take('|'));
    if (!at_end()) return std::nullopt;
    return requirement;
  }

  std::optional<Term> single_term() {
    std::optional<Term> result = term();
    if (result && peek() == '|') {
      diagnostics_.report(diag::manifest_alternatives, span(at_, at_ + 1));
      return std::nullopt;
    }
    if (!result || !at_end()) return std::nullopt;
    return result;
  }

  std::optional<VersionRange> whole_range() {
    std::optional<VersionRange> result = range();
    if (!result || !at_end()) return std::nullopt;
    return result;
  }

private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  char peek() {
    skip();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  Span span(size_t begin, size_t end) const { return span_within(span_, text_, begin, std::max(end, begin + 1)); }
  // What is none of what is `expected`, and stands from `begin` to here.
  Diagnostic &misspelled(std::string_view expected, size_t begin) {
    return diagnostics_.report(diag::manifest_bad_term, span(begin, at_), expected,
                               fmt::format("`{}`", text_.substr(begin, at_ - begin)));
  }
  // What stands here, for a message.
  std::string found() {
    if (peek() == '\0' && at_ >= text_.size()) return "the end";
    size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    if (end == at_) { // one character, whole
      ++end;
      while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
    }
    return fmt::format("`{}`", text_.substr(at_, end - at_));
  }
  Diagnostic &expected(std::string_view what) {
    const std::string here = found();
    const size_t size = here == "the end" ? 1 : here.size() - 2;
    return diagnostics_.report(diag::manifest_bad_term, span(at_, at_ + size), what, here);
  }
  bool expect(char c) {
    if (take(c)) return true;
    expected(fmt::format("`{}`", c));
    return false;
  }
  bool at_end() {
    if (peek() == '\0' && at_ >= text_.size()) return true;
    expected("the end of the term");
    return false;
  }

  // The longest run of characters of names here.
  std::string_view run(std::string_view more) {
    skip();
    const size_t begin = at_;
    while (at_ < text_.size() &&
           (is_letter(text_[at_]) || is_digit(text_[at_]) || more.find(text_[at_]) != std::string_view::npos))
      ++at_;
    return text_.substr(begin, at_ - begin);
  }

  std::optional<Term> term() {
    Term term;
    skip();
    const size_t begin = at_;
    term.name = std::string(run("."));
    if (term.name.empty()) {
      expected("a capability's name");
      return std::nullopt;
    }
    if (!is_capability_name(term.name)) {
      misspelled("a capability's name", begin).hint("write capitalised words joined by dots: `Tile.Typed`");
      return std::nullopt;
    }
    if (take('(')) {
      do {
        if (!argument(term)) return std::nullopt;
      } while (take(','));
      if (peek() != ')') {
        expected("`,` or `)`");
        return std::nullopt;
      }
      ++at_;
    }
    size_t end = at_;
    if (take('@')) {
      std::optional<VersionRange> versions = range();
      if (!versions) return std::nullopt;
      term.range = std::move(*versions);
      end = at_;
    }
    term.span = span_within(span_, text_, begin, end);
    return term;
  }

  bool argument(Term &term) {
    skip();
    const size_t begin = at_;
    const std::string_view name = run("");
    if (name.empty() || !is_letter(name[0])) {
      at_ = begin;
      expected("a parameter's name");
      return false;
    }
    if (!expect('=')) return false;
    std::optional<Argument> value = argument_value();
    if (!value) return false;
    if (!term.arguments.emplace(name, std::move(*value)).second) {
      diagnostics_.report(diag::manifest_duplicate_item, span(begin, begin + name.size()), "the parameter", name);
      return false;
    }
    return true;
  }

  std::optional<Argument> argument_value() {
    Argument argument;
    if (take('*')) return argument;
    if (take('$')) {
      const size_t begin = at_;
      argument.form = Argument::Form::variable;
      if (at_ < text_.size() && is_letter(text_[at_])) argument.variable = std::string(run(""));
      if (!argument.variable.empty()) return argument;
      at_ = begin;
      expected("a variable's name");
      return std::nullopt;
    }
    argument.form = Argument::Form::values;
    const bool set = take('{');
    do {
      std::optional<Value> next = value();
      if (!next) return std::nullopt;
      argument.values.push_back(std::move(*next));
    } while (set && take(','));
    if (set && peek() != '}') {
      expected("`,` or `}`");
      return std::nullopt;
    }
    if (set) ++at_;
    std::sort(argument.values.begin(), argument.values.end());
    argument.values.erase(std::unique(argument.values.begin(), argument.values.end()), argument.values.end());
    return argument;
  }

  std::optional<Value> value() {
    if (peek() == '"') return quoted();
    const size_t begin = at_;
    if (is_digit(peek()) || peek() == '-') return integer();
    const std::string_view name = run(".-");
    if (name == "true" || name == "false") return Value::of_boolean(name == "true");
    if (is_name(name)) return Value::of_text(std::string(name));
    if (!name.empty()) {
      misspelled("a value", begin).hint(fmt::format("quote it: `\"{}\"`", name));
      return std::nullopt;
    }
    expected("a value");
    return std::nullopt;
  }

  std::optional<Value> integer() {
    const size_t begin = at_;
    if (text_[at_] == '-') ++at_;
    const size_t digits = at_;
    run(".-");
    const std::string_view spelled = text_.substr(begin, at_ - begin);
    int64_t number = 0;
    const auto [end, error] = std::from_chars(spelled.data(), spelled.data() + spelled.size(), number);
    const bool whole = end == spelled.data() + spelled.size() && error == std::errc();
    const bool canonical = at_ - digits == 1 || (digits < text_.size() && text_[digits] != '0');
    if (whole && canonical && spelled != "-0") return Value::of_integer(number);
    if (error == std::errc::result_out_of_range)
      diagnostics_.report(diag::manifest_large_integer, span(begin, at_), spelled);
    else
      misspelled("an integer", begin)
          .hint(fmt::format("quote a version, or a name that begins with a digit: `\"{}\"`", spelled));
    return std::nullopt;
  }

  std::optional<Value> quoted() {
    const size_t begin = at_++;
    std::string text;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) text += text_[at_++];
    }
    if (at_ >= text_.size()) {
      diagnostics_.report(diag::manifest_open_quote, span(begin, text_.size()));
      return std::nullopt;
    }
    ++at_;
    return Value::of_text(std::move(text));
  }

  std::optional<VersionRange> range() {
    VersionRange range;
    do {
      std::optional<Comparator> next = comparator();
      if (!next) return std::nullopt;
      range.comparators.push_back(std::move(*next));
    } while (take(','));
    return range;
  }

  std::optional<Comparator> comparator() {
    skip();
    std::optional<Comparator::Op> op;
    for (const Comparator::Op each : {Comparator::le, Comparator::ge, Comparator::eq, Comparator::lt, Comparator::gt}) {
      const std::string_view spelling = comparator_spelling(each);
      if (text_.substr(at_, spelling.size()) != spelling) continue;
      op = each;
      at_ += spelling.size();
      break;
    }
    if (!op) {
      expected("`<`, `<=`, `==`, `>=` or `>`").hint("a range reads `@>=1.2,<2`");
      return std::nullopt;
    }
    skip();
    const size_t number = at_;
    const std::string_view spelled = run(".");
    std::optional<Version> version = Version::parse(spelled);
    if (version) return Comparator{*op, std::move(*version)};
    if (spelled.empty())
      expected("a version");
    else
      misspelled("a version", number).hint("write integers joined by dots: `1.2`");
    return std::nullopt;
  }

  std::string_view text_;
  const Span &span_;
  Diagnostics &diagnostics_;
  size_t at_ = 0;
};

} // namespace

std::optional<Requirement> parse_requirement(std::string_view text, const Span &span, Diagnostics &diagnostics) {
  return Parser(text, span, diagnostics).requirement();
}

std::optional<Term> parse_term(std::string_view text, const Span &span, Diagnostics &diagnostics) {
  return Parser(text, span, diagnostics).single_term();
}

std::optional<VersionRange> parse_range(std::string_view text, const Span &span, Diagnostics &diagnostics) {
  return Parser(text, span, diagnostics).whole_range();
}

} // namespace htp
