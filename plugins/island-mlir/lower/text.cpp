#include "lower/text.h"

namespace htp::mlir {

namespace {

bool in_identifier(char ch) {
  return (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9') || ch == '_' || ch == '.' ||
         ch == '$' || ch == '-' || ch == '#';
}

int hex(char ch) {
  if (ch >= '0' && ch <= '9') return ch - '0';
  if (ch >= 'A' && ch <= 'F') return ch - 'A' + 10;
  if (ch >= 'a' && ch <= 'f') return ch - 'a' + 10;
  return -1;
}

std::string closing(char open) { return open == '(' ? "`)`" : open == '[' ? "`]`" : open == '{' ? "`}`" : "`>`"; }

std::string counts(size_t operands, size_t results) {
  return std::to_string(operands) + " operand and " + std::to_string(results) + " result types";
}

class TextReader {
public:
  explicit TextReader(std::string_view text) : text_(text) {}

  Operation run() {
    Operation result = operation(0);
    blank();
    if (at_ != text_.size()) expected("the end");
    return result;
  }

private:
  static constexpr unsigned deepest = 200; // regions within regions

  using Fault = BadText::Fault;
  [[noreturn]] void bad(Fault fault, std::string what, std::string found = {}) const {
    throw BadText{fault, line_, std::move(what), std::move(found)};
  }
  // What is expected instead of what stands here.
  [[noreturn]] void expected(std::string what) const {
    const std::string_view rest = text_.substr(std::min(at_, text_.size()), 20);
    bad(Fault::syntax, std::move(what),
        rest.empty() ? "the end" : "`" + std::string(rest.substr(0, rest.find('\n'))) + "`");
  }

  void step() {
    if (text_[at_] == '\n') ++line_;
    ++at_;
  }
  void blank() {
    while (at_ < text_.size()) {
      const char ch = text_[at_];
      if (ch == '/' && text_.substr(at_, 2) == "//") {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        continue;
      }
      if (ch != ' ' && ch != '\n' && ch != '\t' && ch != '\r') return;
      step();
    }
  }
  bool at(std::string_view token) {
    blank();
    return text_.substr(at_, token.size()) == token;
  }
  bool take(std::string_view token) {
    if (!at(token)) return false;
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!take(token)) expected("`" + std::string(token) + "`");
  }

  // "…", with its quotes.
  std::string string() {
    blank();
    const size_t begin = at_;
    if (at_ >= text_.size() || text_[at_] != '"') expected("a string");
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\n') bad(Fault::syntax, "`\"`", "the end of the line");
      at_ += text_[at_] == '\\' ? 2 : 1;
    }
    if (at_ >= text_.size()) expected("`\"`");
    ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  // %name or %name#n
  std::string value() {
    blank();
    const size_t begin = at_;
    if (at_ >= text_.size() || text_[at_] != '%') expected("a value");
    ++at_;
    while (at_ < text_.size() && in_identifier(text_[at_])) ++at_;
    if (at_ == begin + 1) expected("a value");
    return std::string(text_.substr(begin, at_ - begin));
  }

  std::string identifier() {
    blank();
    const size_t begin = at_;
    while (at_ < text_.size() && in_identifier(text_[at_])) ++at_;
    if (at_ == begin) expected("a name");
    return std::string(text_.substr(begin, at_ - begin));
  }

  // A type or an attribute: whatever stands before a `,` or a closing bracket that is not its own.
  std::string balanced() {
    blank();
    const size_t begin = at_;
    std::string open;
    while (at_ < text_.size()) {
      const char ch = text_[at_];
      if (ch == '"') {
        string();
        continue;
      }
      if (text_.substr(at_, 2) == "->") {
        at_ += 2;
        continue;
      }
      if (ch == '(' || ch == '[' || ch == '{' || ch == '<') {
        open += ch;
      } else if (ch == ')' || ch == ']' || ch == '}' || ch == '>') {
        if (open.empty()) break;
        const char begun = ch == ')' ? '(' : ch == ']' ? '[' : ch == '}' ? '{' : '<';
        if (open.back() != begun) expected(closing(open.back()));
        open.pop_back();
      } else if (open.empty() && (ch == ',' || ch == '\n' || (ch == ' ' && text_.substr(at_, 5) == " loc("))) {
        break;
      }
      step();
    }
    if (!open.empty()) expected(closing(open.back()));
    size_t end = at_;
    while (end > begin && text_[end - 1] == ' ') --end;
    if (end == begin) expected("a type or an attribute");
    return std::string(text_.substr(begin, end - begin));
  }

  // loc(…): the first string in it that is no file's name.
  std::string location() {
    if (!at("loc(")) return {};
    at_ += 4;
    std::string found;
    for (unsigned depth = 1; depth > 0;) {
      if (at_ >= text_.size()) expected("`)`");
      const char ch = text_[at_];
      if (ch == '"') {
        const std::string name = string();
        const bool file = at_ < text_.size() && text_[at_] == ':';
        if (found.empty() && !file) found = string_of(name).value_or("");
        continue;
      }
      depth += ch == '(' ? 1 : ch == ')' ? -1 : 0;
      step();
    }
    return found;
  }

  void dictionary(std::string_view end, Operation &op) {
    while (!take(end)) {
      blank();
      const std::string key = at("\"") ? string_of(string()).value_or("") : identifier();
      std::string given = "unit";
      if (take("=")) given = balanced();
      if (!op.attributes.emplace(key, given).second) bad(Fault::repeated, key);
      if (!take(",") && !at(end)) expected("`,`");
    }
  }

  std::vector<std::string> types() {
    std::vector<std::string> result;
    expect("(");
    while (!take(")")) {
      result.push_back(balanced());
      if (!take(",") && !at(")")) expected("`,`");
    }
    return result;
  }

  Operation operation(unsigned depth) {
    if (depth > deepest)
      bad(Fault::syntax, "at most " + std::to_string(deepest) + " regions in each other", "another one");
    Operation op;
    blank();
    op.line = line_;
    if (at("%")) {
      do {
        std::string name = value();
        size_t count = 1;
        if (take(":")) {
          const std::string digits = identifier();
          if (digits.size() > 4 || digits.find_first_not_of("0123456789") != std::string::npos || digits[0] == '0')
            bad(Fault::syntax, "a number of results", "`" + digits + "`");
          count = std::stoul(digits);
          for (size_t k = 0; k < count; ++k) op.results.push_back(name + "#" + std::to_string(k));
        } else {
          op.results.push_back(std::move(name));
        }
      } while (take(","));
      expect("=");
    }
    if (!at("\"")) expected("an operation in generic form");
    op.name = string_of(string()).value_or("");
    expect("(");
    while (!take(")")) {
      op.operands.push_back(value());
      if (!take(",") && !at(")")) expected("`,`");
    }
    if (at("[")) bad(Fault::blocks, op.name);
    if (take("<{")) dictionary("}>", op);
    if (take("(")) {
      do {
        op.regions.push_back(region(depth, op.name));
      } while (take(","));
      expect(")");
    }
    if (take("{")) dictionary("}", op);
    expect(":");
    op.operand_types = types();
    expect("->");
    if (at("("))
      op.result_types = types();
    else
      op.result_types.push_back(balanced());
    if (op.operand_types.size() != op.operands.size() || op.result_types.size() != op.results.size())
      bad(Fault::syntax, counts(op.operands.size(), op.results.size()) + " of `" + op.name + "`",
          counts(op.operand_types.size(), op.result_types.size()));
    op.place = location();
    return op;
  }

  Region region(unsigned depth, const std::string &around) {
    Region r;
    expect("{");
    if (take("^")) {
      identifier();
      if (take("(")) {
        while (!take(")")) {
          r.arguments.push_back(value());
          expect(":");
          r.types.push_back(balanced());
          location();
          if (!take(",") && !at(")")) expected("`,`");
        }
      }
      expect(":");
    }
    while (!take("}")) {
      if (at("^")) bad(Fault::blocks, around);
      r.operations.push_back(operation(depth + 1));
    }
    return r;
  }

  std::string_view text_;
  size_t at_ = 0, line_ = 1;
};

} // namespace

Operation read_text(std::string_view text) { return TextReader(text).run(); }

std::optional<std::string> string_of(std::string_view a) {
  if (a.size() < 2 || a.front() != '"' || a.back() != '"') return std::nullopt;
  a = a.substr(1, a.size() - 2);
  std::string result;
  for (size_t k = 0; k < a.size(); ++k) {
    if (a[k] != '\\') {
      result += a[k];
    } else if (k + 2 < a.size() && hex(a[k + 1]) >= 0 && hex(a[k + 2]) >= 0) {
      result += static_cast<char>(hex(a[k + 1]) * 16 + hex(a[k + 2]));
      k += 2;
    } else if (k + 1 < a.size()) {
      result += a[++k] == 'n' ? '\n' : a[k] == 't' ? '\t' : a[k];
    } else {
      return std::nullopt;
    }
  }
  return result;
}

std::optional<std::vector<std::string>> strings_of(std::string_view a) {
  std::vector<std::string> result;
  if (a.size() < 2 || a.front() != '[' || a.back() != ']') return std::nullopt;
  a = a.substr(1, a.size() - 2);
  while (!a.empty()) {
    size_t end = 1;
    while (a.front() == '"' && end < a.size() && a[end] != '"') end += a[end] == '\\' ? 2 : 1;
    if (end >= a.size()) return std::nullopt;
    auto one = string_of(a.substr(0, end + 1));
    if (!one) return std::nullopt;
    result.push_back(std::move(*one));
    a.remove_prefix(end + 1);
    if (a.starts_with(", "))
      a.remove_prefix(2);
    else if (!a.empty())
      return std::nullopt;
  }
  return result;
}

} // namespace htp::mlir
