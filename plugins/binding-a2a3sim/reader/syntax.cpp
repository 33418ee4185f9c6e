#include "syntax.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>

namespace htp::a2a3sim {

namespace {

struct Token {
  enum class Kind { name, integer, real, text, mark, end } kind;
  std::string_view text;
  int line;
};

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
// The digits of a literal of C++ or Python without what may stand between them.
std::string digits_of(std::string_view literal) {
  std::string digits(literal);
  std::erase_if(digits, [](char c) { return c == '_' || c == '\''; });
  return digits;
}

// `10`, `0xA`, `0b1010`, `012` of C++, `0o12` of Python; what stands behind the digits is the type.
int64_t integer_of(std::string_view literal) {
  const std::string digits = digits_of(literal);
  const char second = digits.size() > 2 && digits[0] == '0' ? digits[1] : '0';
  const int base = second == 'b' || second == 'B' ? 2 : second == 'o' || second == 'O' ? 8 : 0;
  return static_cast<int64_t>(std::strtoull(digits.c_str() + (base ? 2 : 0), nullptr, base));
}

bool digit(char c) { return c >= '0' && c <= '9'; }

std::vector<Token> tokens_of(std::string_view s, bool python) {
  constexpr std::array<std::string_view, 26> marks{"<<=", ">>=", "::", "->", "++", "--", "<=", ">=", "==",
                                                   "!=",  "&&",  "||", "+=", "-=", "*=", "/=", "%=", "<<",
                                                   ">>",  "&=",  "|=", "^=", "##", "[[", "]]", "//"};
  std::vector<Token> out;
  int line = 1;
  bool fresh = true; // nothing but space on this line so far
  for (size_t at = 0; at < s.size();) {
    const char c = s[at];
    if (c == '\n') {
      ++line, ++at, fresh = true;
      continue;
    }
    if (c == ' ' || c == '\t' || c == '\r') {
      ++at;
      continue;
    }
    if (c == '#' && fresh) { // and the lines that a backslash joins to it
      while (at < s.size() && s[at] != '\n') {
        if (s[at] == '\\' && at + 1 < s.size() && s[at + 1] == '\n') ++line, ++at;
        ++at;
      }
      continue;
    }
    fresh = false;
    if (!python && s.substr(at, 2) == "//") {
      at = std::min(s.find('\n', at), s.size());
      continue;
    }
    if (s.substr(at, 2) == "/*") {
      const size_t end = s.find("*/", at + 2);
      if (end == std::string_view::npos) throw NotRead{line, "", Refusal(diag::unterminated, "comment")};
      for (; at < end + 2; ++at) line += s[at] == '\n';
      continue;
    }
    size_t end = at + 1;
    auto kind = Token::Kind::mark;
    if (begins_name(c)) {
      while (end < s.size() && (begins_name(s[end]) || digit(s[end]))) ++end;
      kind = Token::Kind::name;
    } else if (digit(c) || (c == '.' && end < s.size() && digit(s[end]))) {
      const bool hex = c == '0' && end < s.size() && (s[end] == 'x' || s[end] == 'X');
      bool real = c == '.';
      for (end = at;
           end < s.size() && (begins_name(s[end]) || digit(s[end]) || s[end] == '.' || s[end] == '\'' ||
                              ((s[end] == '+' || s[end] == '-') && std::strchr(hex ? "pP" : "eE", s[end - 1])));
           ++end)
        real = real || s[end] == '.' || (!hex && (s[end] == 'e' || s[end] == 'E')) ||
               (hex && (s[end] == 'p' || s[end] == 'P'));
      kind = real ? Token::Kind::real : Token::Kind::integer;
    } else if (c == '"' || (python && c == '\'')) {
      while (end < s.size() && s[end] != c && s[end] != '\n') end += s[end] == '\\' ? 2 : 1;
      if (end >= s.size() || s[end] != c) throw NotRead{line, "", Refusal(diag::unterminated, "string")};
      ++end;
      kind = Token::Kind::text;
    } else {
      for (const std::string_view mark : marks)
        if (s.substr(at, mark.size()) == mark) {
          end = at + mark.size();
          break;
        }
    }
    out.push_back({kind, s.substr(at, end - at), line});
    at = end;
  }
  out.push_back({Token::Kind::end, "", line});
  return out;
}

class Parser {
public:
  Parser(std::string_view text, Unit &unit, bool python = false)
      : python_(python), t_(tokens_of(text, python)), u_(unit) {
    if (python) { // it has neither templates nor types
      for (Token &t : t_)
        if (t.kind == Token::Kind::name && (t.text == "and" || t.text == "or"))
          t.kind = Token::Kind::mark, t.text = t.text == "and" ? "&&" : "||";
      return;
    }
    for (const char *name :
         {"Tile", "TileLeft", "TileRight", "TileAcc", "GlobalTensor", "Shape", "Stride", "static_cast",
          "reinterpret_cast", "const_cast", "TSTORE", "TCI", "TGATHER", "TTRI", "TSCATTER"})
      templates_.insert(name);
    for (const char *name : {"void",       "bool",    "int",      "unsigned", "float",   "double",   "half",
                             "bfloat16_t", "size_t",  "int8_t",   "uint8_t",  "int16_t", "uint16_t", "int32_t",
                             "uint32_t",   "int64_t", "uint64_t", "event_t",  "auto",    "char"})
      types_.insert(name);
    for (const Alias &a : u_.aliases) known(a.name, !a.templates.empty(), true);
    for (const Function &f : u_.functions) known(f.name, !f.templates.empty(), false);
  }

  void unit() {
    while (now().kind != Token::Kind::end) top();
  }
  Expr only() {
    Expr e = expression();
    if (now().kind != Token::Kind::end) fail("this is not read");
    return e;
  }

private:
  const Token &now(size_t ahead = 0) const { return t_[std::min(at_ + ahead, t_.size() - 1)]; }
  bool is(std::string_view text, size_t ahead = 0) const {
    return now(ahead).text == text && now(ahead).kind != Token::Kind::text;
  }
  bool take(std::string_view text) {
    if (!is(text)) return false;
    ++at_;
    return true;
  }
  void need(std::string_view text) {
    if (!take(text)) fail("`" + std::string(text) + "` is missing");
  }
  std::string need_name() {
    if (now().kind != Token::Kind::name) fail("a name is missing");
    return std::string(t_[at_++].text);
  }
  [[noreturn]] void fail(const std::string &what) const {
    throw NotRead{now().line,
                  what + (now().kind == Token::Kind::end ? " at the end" : ", at `" + std::string(now().text) + "`")};
  }
  void known(const std::string &name, bool templated, bool type) {
    if (templated) templates_.insert(name);
    if (type) types_.insert(name);
  }

  // ── at the top ───────────────────────────────────────────────────────────────────────────────────────────────────

  void skip_attributes() {
    for (;;) {
      if (take("__attribute__")) {
        int depth = 0;
        do depth += is("(") ? 1 : is(")") ? -1 : 0, ++at_;
        while (depth > 0 && now().kind != Token::Kind::end);
      } else if (!take("__aicore__") && !take("AICORE") && !take("inline") && !take("static") && !take("constexpr")) {
        return;
      }
    }
  }
  void top() {
    if (take(";") || take("}")) return; // the end of `extern "C" {`
    if (is("using") && is("namespace", 1)) {
      while (!take(";")) ++at_;
      return;
    }
    std::vector<std::string> templates;
    if (take("template")) {
      need("<");
      do {
        if (!take("typename") && !take("class")) type();
        templates.push_back(need_name());
        types_.insert(templates.back());
      } while (take(","));
      need(">");
    }
    if (take("using")) {
      Alias a{need_name(), templates, {}};
      need("=");
      a.type = type();
      need(";");
      known(a.name, !templates.empty(), true);
      u_.alias_at.try_emplace(a.name, u_.aliases.size());
      u_.aliases.push_back(std::move(a));
      return;
    }
    if (take("extern")) {
      if (now().kind == Token::Kind::text) ++at_;
      if (take("{")) return;
    }
    skip_attributes();
    type();
    skip_attributes();
    Function f{need_name(), templates, {}, {}};
    known(f.name, !templates.empty(), false);
    f.parameters = parameters();
    if (!take(";")) f.body = block();
    if (const auto [at, fresh] = u_.function_at.try_emplace(f.name, u_.functions.size()); !fresh && !f.body.empty())
      at->second = u_.functions.size();
    u_.functions.push_back(std::move(f));
  }
  std::vector<std::string> parameters() {
    std::vector<std::string> names;
    need("(");
    while (!take(")")) {
      type();
      names.push_back(now().kind == Token::Kind::name ? need_name() : std::string());
      if (!is(")")) need(",");
    }
    return names;
  }

  // ── types ────────────────────────────────────────────────────────────────────────────────────────────────────────

  void skip_qualifiers() {
    while (take("const") || take("constexpr") || take("static") || take("__gm__") || take("typename") ||
           take("volatile")) {
    }
  }
  std::string path() {
    std::string name = need_name();
    while (is("::") && now(1).kind == Token::Kind::name) {
      ++at_;
      name += "::" + need_name();
    }
    for (const char *outer : {"pto::", "std::"})
      if (name.rfind(outer, 0) == 0) name.erase(0, std::strlen(outer));
    return name;
  }
  Expr type() {
    skip_qualifiers();
    Expr e;
    e.kind = Expr::Kind::type, e.line = now().line;
    e.text = path();
    if (templates_.contains(e.text)) e.children = template_arguments();
    skip_qualifiers();
    while (take("*") || take("&")) {
      e.pointer = e.pointer || t_[at_ - 1].text == "*";
      skip_qualifiers();
    }
    return e;
  }
  std::vector<Expr> template_arguments() {
    std::vector<Expr> out;
    if (!take("<")) return out;
    while (!take(">")) {
      out.push_back(is_type() ? type() : sum());
      if (is(">>")) { // of two that end here
        t_[at_].text.remove_prefix(1);
        return out;
      }
      if (!is(">")) need(",");
    }
    return out;
  }
  bool is_type() const {
    size_t ahead = 0;
    while (is("const", ahead) || is("__gm__", ahead) || is("typename", ahead) || is("constexpr", ahead) ||
           is("static", ahead))
      ++ahead;
    if (ahead) return true;
    std::string name(now().text);
    while (is("::", ahead + 1)) name = std::string(now(ahead += 2).text);
    return types_.contains(name) || (templates_.contains(name) && is("<", ahead + 1));
  }

  // ── statements ───────────────────────────────────────────────────────────────────────────────────────────────────

  std::vector<Statement> block() {
    std::vector<Statement> out;
    need("{");
    while (!take("}")) {
      if (now().kind == Token::Kind::end) fail("`}` is missing");
      statement(out);
    }
    return out;
  }
  std::vector<Statement> one() {
    std::vector<Statement> out;
    if (is("{")) return block();
    statement(out);
    return out;
  }
  void statement(std::vector<Statement> &out) {
    Statement s;
    s.line = now().line;
    if (take(";")) return;
    if (is("else")) throw NotRead{s.line, "", Refusal(diag::lone_else)};
    if (is("{")) {
      s.kind = Statement::Kind::block, s.body = block();
    } else if (take("PTO2_SCOPE")) {
      s.name = "PTO2_SCOPE";
      if (!is("(")) fail("`(` is missing");
      s.arguments = arguments(")");
      s.kind = Statement::Kind::block, s.body = one();
    } else if (take("for")) {
      s.kind = Statement::Kind::loop;
      need("(");
      if (declares(":")) {
        s.type = type(), s.name = need_name();
        need(":"), s.value = expression(), need(")");
        s.kind = Statement::Kind::each, s.body = one();
        out.push_back(std::move(s));
        return;
      }
      if (!take(";")) statement(s.first);
      if (!is(";")) s.value = expression();
      need(";");
      if (!is(")")) s.step = expression();
      need(")");
      s.body = one();
    } else if (take("while")) {
      s.kind = Statement::Kind::loop;
      need("("), s.value = expression(), need(")");
      s.body = one();
    } else if (take("if")) {
      s.kind = Statement::Kind::branch;
      take("constexpr");
      need("("), s.value = expression(), need(")");
      s.body = one();
      if (take("else")) s.otherwise = one();
    } else if (take("return")) {
      s.kind = Statement::Kind::give;
      if (!is(";")) s.value = expression();
      need(";");
    } else if (take("using")) {
      s.kind = Statement::Kind::alias, s.name = need_name();
      need("="), s.type = type(), need(";");
      types_.insert(s.name);
    } else if (declares()) {
      declaration(out);
      return;
    } else {
      s.value = expression();
      need(";");
    }
    out.push_back(std::move(s));
  }
  // A type, and the name of what is declared.
  bool declares(std::string_view behind = "") {
    const size_t before = at_;
    bool found = false;
    if (now().kind == Token::Kind::name) try {
        type();
        found = now().kind == Token::Kind::name && !behind.empty()
                    ? is(behind, 1)
                    : now().kind == Token::Kind::name &&
                          (is("(", 1) || is("=", 1) || is("{", 1) || is("[", 1) || is(",", 1) || is(";", 1));
      } catch (const NotRead &) {
      }
    at_ = before;
    return found;
  }
  void declaration(std::vector<Statement> &out) {
    Expr of = type();
    do {
      while (take("*") || take("&")) of.pointer = true;
      Statement s;
      s.kind = Statement::Kind::declare, s.line = now().line, s.type = of, s.name = need_name();
      types_.erase(s.name); // it hides a type of this name
      if (take("[")) {
        s.array = true;
        if (!is("]")) s.extent = expression();
        need("]");
      }
      if (take("=")) {
        s.start = Statement::Start::equals;
        s.arguments.push_back(assignment());
      } else if (is("(") || is("{")) {
        s.start = is("(") ? Statement::Start::call : Statement::Start::braces;
        s.arguments = arguments(is("(") ? ")" : "}");
      }
      out.push_back(std::move(s));
    } while (take(","));
    need(";");
  }

  // ── expressions ──────────────────────────────────────────────────────────────────────────────────────────────────

  std::vector<Expr> arguments(std::string_view close) {
    std::vector<Expr> out;
    ++at_;
    while (!take(close)) {
      std::string field;
      if (is(".") && now(1).kind == Token::Kind::name && is("=", 2)) field = std::string(now(1).text), at_ += 3;
      out.push_back(assignment());
      out.back().field = field;
      if (!is(close)) need(",");
    }
    return out;
  }
  Expr made(Expr::Kind kind, std::string_view text, std::vector<Expr> parts, int line) const {
    Expr e;
    e.kind = kind, e.text = std::string(text), e.children = std::move(parts), e.line = line;
    return e;
  }
  Expr expression() {
    Expr e = assignment();
    while (is(",")) {
      const int line = now().line;
      ++at_;
      std::vector<Expr> parts;
      parts.push_back(std::move(e)), parts.push_back(assignment());
      e = made(Expr::Kind::binary, ",", std::move(parts), line);
    }
    return e;
  }
  Expr assignment() {
    Expr e = conditional();
    for (const char *mark : {"=", "+=", "-=", "*=", "/=", "%="})
      if (is(mark)) {
        const int line = now().line;
        ++at_;
        std::vector<Expr> parts;
        parts.push_back(std::move(e)), parts.push_back(assignment());
        return made(Expr::Kind::assign, mark, std::move(parts), line);
      }
    return e;
  }
  Expr conditional() {
    Expr e = binary(0);
    if (!is("?")) return e;
    const int line = now().line;
    ++at_;
    std::vector<Expr> parts;
    parts.push_back(std::move(e)), parts.push_back(assignment());
    need(":");
    parts.push_back(assignment());
    return made(Expr::Kind::conditional, "?", std::move(parts), line);
  }
  Expr sum() { return binary(8); }
  Expr binary(size_t level) {
    static const std::vector<std::vector<std::string_view>> levels{{"||"},
                                                                   {"&&"},
                                                                   {"|"},
                                                                   {"^"},
                                                                   {"&"},
                                                                   {"==", "!="},
                                                                   {"<", ">", "<=", ">="},
                                                                   {"<<", ">>"},
                                                                   {"+", "-"},
                                                                   {"*", "/", "%", "//"}};
    if (level == levels.size()) return unary();
    if (python_ && level == 2 && is("not")) { // weaker than comparisons
      const int line = now().line;
      ++at_;
      std::vector<Expr> parts;
      parts.push_back(binary(2));
      return made(Expr::Kind::unary, "!", std::move(parts), line);
    }
    Expr e = binary(level + 1);
    for (bool more = true; more;) {
      more = false;
      for (const std::string_view mark : levels[level])
        if (is(mark)) {
          const int line = now().line;
          ++at_;
          std::vector<Expr> parts;
          parts.push_back(std::move(e)), parts.push_back(binary(level + 1));
          e = made(Expr::Kind::binary, mark, std::move(parts), line);
          more = true;
          break;
        }
    }
    return e;
  }
  Expr unary() {
    for (const char *mark : {"-", "+", "!", "~", "++", "--", "&", "*"})
      if (is(mark)) {
        const int line = now().line;
        ++at_;
        std::vector<Expr> parts;
        parts.push_back(unary());
        return made(Expr::Kind::unary, mark, std::move(parts), line);
      }
    return behind(primary());
  }
  Expr behind(Expr e) {
    for (;;) {
      const int line = now().line;
      std::vector<Expr> parts;
      parts.push_back(std::move(e));
      if (is("(")) {
        for (Expr &a : arguments(")")) parts.push_back(std::move(a));
        e = made(Expr::Kind::call, "", std::move(parts), line);
      } else if (is("{") && (parts[0].kind == Expr::Kind::type || (parts[0].kind == Expr::Kind::name && is(".", 1)))) {
        for (Expr &a : arguments("}")) parts.push_back(std::move(a));
        e = made(Expr::Kind::call, "{", std::move(parts), line);
      } else if (take("[")) {
        parts.push_back(expression());
        need("]");
        e = made(Expr::Kind::index, "", std::move(parts), line);
      } else if (take(".") || take("->")) {
        const std::string name = need_name();
        e = made(Expr::Kind::member, name, std::move(parts), line);
      } else if (is("++") || is("--")) {
        const std::string operation(now().text);
        ++at_;
        e = made(Expr::Kind::after, operation, std::move(parts), line);
      } else {
        return std::move(parts[0]);
      }
    }
  }
  Expr primary() {
    Expr e;
    e.line = now().line;
    const std::string text(now().text);
    switch (now().kind) {
    case Token::Kind::integer:
      e.kind = Expr::Kind::integer, e.integer = integer_of(text);
      e.real = static_cast<double>(e.integer);
      ++at_;
      return e;
    case Token::Kind::real:
      e.kind = Expr::Kind::real, e.real = std::strtod(digits_of(text).c_str(), nullptr);
      ++at_;
      return e;
    case Token::Kind::text: e.kind = Expr::Kind::text, e.text = text, ++at_; return e;
    case Token::Kind::name: break;
    default:
      if (take("(")) {
        e = expression();
        need(")");
        return e;
      }
      if (is("{")) {
        e.children = arguments("}");
        e.kind = Expr::Kind::list;
        return e;
      }
      if (take("[")) {
        take("&"), take("=");
        need("]");
        e.kind = Expr::Kind::lambda;
        if (is("(")) e.parameters = parameters();
        e.body = std::make_shared<Block>();
        e.body->statements = block();
        return e;
      }
      fail("this is not read");
    }
    if (text == "true" || text == "false" || text == "nullptr") {
      e.kind = Expr::Kind::integer, e.integer = text == "true", e.real = static_cast<double>(e.integer);
      ++at_;
      return e;
    }
    if (is_type()) return type();
    e.kind = Expr::Kind::name;
    e.text = path();
    if (templates_.contains(e.text) && is("<")) e.children = template_arguments();
    return e;
  }

  bool python_;
  std::vector<Token> t_;
  size_t at_ = 0;
  Unit &u_;
  std::set<std::string, std::less<>> templates_, types_;
};

} // namespace

void read_unit(const std::string &text, Unit &unit) { Parser(text, unit).unit(); }

Expr read_python(const std::string &text) {
  Unit none;
  return Parser(text, none, true).only();
}

} // namespace htp::a2a3sim
