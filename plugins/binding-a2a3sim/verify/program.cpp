#include "program.h"

#include <algorithm>
#include <cmath>

namespace htp::a2a3sim::program {

namespace {

class Blocks {
public:
  explicit Blocks(const std::vector<Line> &lines) : lines_(lines) {}
  // The statements from `at` on that are indented by more than `outer`.
  std::vector<Py> block(size_t &at, size_t outer) const {
    std::vector<Py> out;
    const size_t indent = at < lines_.size() ? lines_[at].indent : 0;
    while (at < lines_.size() && lines_[at].indent > outer) {
      if (lines_[at].indent != indent) throw NotRead{lines_[at].number, "this is indented otherwise"};
      statement(at, out);
    }
    return out;
  }

private:
  Expr read(const Line &line, std::string_view text) const {
    try {
      return read_python(std::string(text));
    } catch (const NotRead &n) {
      throw NotRead{line.number, n.what};
    }
  }
  static std::string_view header(std::string_view text, std::string_view keyword) { // `keyword …:`
    return text.substr(keyword.size(), text.size() - keyword.size() - 1);
  }
  Py choice(size_t &at, std::string_view keyword) const {
    const Line &line = lines_[at];
    Py s{Py::Kind::branch, line.number};
    s.value = read(line, header(line.text, keyword));
    s.body = block(++at, line.indent);
    if (at >= lines_.size() || lines_[at].indent != line.indent) return s;
    if (lines_[at].text == "else:")
      s.otherwise = block(++at, line.indent);
    else if (lines_[at].text.starts_with("elif "))
      s.otherwise.push_back(choice(at, "elif "));
    return s;
  }
  void statement(size_t &at, std::vector<Py> &out) const {
    const Line &line = lines_[at];
    const std::string &text = line.text;
    Py s{Py::Kind::call, line.number};
    if (text == "pass" || text.front() == '"' || text.front() == '\'') return void(++at);
    if (text.starts_with("if ")) return out.push_back(choice(at, "if "));
    if (text.starts_with("for ") && text.back() == ':') {
      const size_t in = text.find(" in ");
      if (in == std::string::npos) throw NotRead{line.number, "this is no loop"};
      s.kind = Py::Kind::loop;
      const auto names = parts_of(std::string_view(text).substr(4, in - 4));
      s.name = names.back(), s.turn = names.size() == 2 ? names[0] : "";
      s.value = read(line, std::string_view(text).substr(in + 4, text.size() - in - 5));
      s.body = block(++at, line.indent);
      return out.push_back(std::move(s));
    }
    if (text.starts_with("with ")) {
      s.kind = Py::Kind::kernel;
      s.value = read(line, header(text, "with "));
      s.name = s.value.kind == Expr::Kind::call ? s.value.children[0].text : "";
      if (s.name != "aiv" && s.name != "aic") throw NotRead{line.number, "this is no kernel"};
      s.body = block(++at, line.indent);
      return out.push_back(std::move(s));
    }
    const size_t equals = text.find(" = ");
    if (equals != std::string::npos && text.find_first_of("('\"") > equals) {
      s.kind = Py::Kind::assign, s.name = text.substr(0, equals);
      s.value = read(line, std::string_view(text).substr(equals + 3));
    } else {
      s.value = read(line, text);
      if (s.value.kind != Expr::Kind::call) throw NotRead{line.number, "this is no call"};
      if (const Expr &last = s.value.children.back(); calls(s.value, "tload") || calls(s.value, "tstore"))
        if (last.kind == Expr::Kind::assign && last.children[0].text == "turned") {
          s.turned = last.children[1].text == "True";
          s.value.children.pop_back();
        }
    }
    ++at;
    out.push_back(std::move(s));
  }
  const std::vector<Line> &lines_;
};

std::optional<Number> integers(const std::string &op, int64_t a, int64_t b) {
  int64_t r = 0;
  const bool divides = op == "//" || op == "%";
  if ((divides || op == "/") && (b == 0 || b == -1)) return std::nullopt;
  const bool over = op == "+"   ? __builtin_add_overflow(a, b, &r)
                    : op == "-" ? __builtin_sub_overflow(a, b, &r)
                    : op == "*" ? __builtin_mul_overflow(a, b, &r)
                                : false;
  if (over) return std::nullopt;
  if (divides) {
    const int64_t q = a / b - (a % b != 0 && (a < 0) != (b < 0));
    r = op == "//" ? q : a - q * b;
  } else if (op == "/") {
    return Number{true, 0, static_cast<double>(a) / static_cast<double>(b)};
  } else if (op != "+" && op != "-" && op != "*") {
    return std::nullopt;
  }
  return Number{false, r, 0};
}

} // namespace

std::string trimmed(std::string_view s) {
  const size_t first = s.find_first_not_of(' '), last = s.find_last_not_of(' ');
  return first == std::string_view::npos ? std::string() : std::string(s.substr(first, last - first + 1));
}

std::vector<Line> lines_of(std::string_view program) {
  std::vector<Line> out;
  int number = 0;
  for (size_t at = 0; at < program.size();) {
    const size_t end = std::min(program.find('\n', at), program.size());
    const std::string_view line = program.substr(at, end - at);
    at = end + 1, ++number;
    char quote = 0;
    size_t comment = line.size();
    for (size_t k = 0; k < line.size() && comment == line.size(); ++k)
      if (quote)
        quote = line[k] == quote ? '\0' : quote;
      else if (line[k] == '\'' || line[k] == '"')
        quote = line[k];
      else if (line[k] == '#')
        comment = k;
    const std::string text = trimmed(line.substr(0, comment));
    if (!text.empty()) out.push_back({number, line.find_first_not_of(' '), text});
  }
  return out;
}

std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> out;
  int depth = 0;
  size_t from = 0;
  for (size_t at = 0; at <= text.size(); ++at)
    if (at == text.size() || (text[at] == ',' && depth == 0)) {
      if (const std::string part = trimmed(text.substr(from, at - from)); !part.empty()) out.push_back(part);
      from = at + 1;
    } else {
      depth += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
    }
  return out;
}

std::string_view within(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t at = open; at < text.size(); ++at) {
    depth += text[at] == '(' || text[at] == '[' ? 1 : text[at] == ')' || text[at] == ']' ? -1 : 0;
    if (depth == 0) return text.substr(open + 1, at - open - 1);
  }
  return {};
}

std::vector<Py> statements_of(const std::vector<Line> &lines, size_t &at, size_t outer) {
  return Blocks(lines).block(at, outer);
}

std::optional<Number> number_of(const Expr &e, const Constants &constants) {
  switch (e.kind) {
  case Expr::Kind::integer: return Number{false, e.integer, 0};
  case Expr::Kind::real: return Number{true, 0, e.real};
  case Expr::Kind::name: {
    const auto it = constants.find(e.text);
    return it == constants.end() ? std::nullopt : std::optional(it->second);
  }
  case Expr::Kind::unary: {
    auto n = number_of(e.children[0], constants);
    if (!n || e.text == "+") return n;
    if (e.text != "-") return std::nullopt;
    n->i = -n->i, n->f = -n->f;
    return n;
  }
  case Expr::Kind::call: {
    if (!calls(e, "float") || count_of(e) != 1 || argument(e, 0).kind != Expr::Kind::text) return std::nullopt;
    const std::string text = argument(e, 0).text.substr(1, argument(e, 0).text.size() - 2);
    if (text == "inf" || text == "-inf") return Number{true, 0, text == "inf" ? HUGE_VAL : -HUGE_VAL};
    return std::nullopt;
  }
  case Expr::Kind::binary: {
    const auto a = number_of(e.children[0], constants), b = a ? number_of(e.children[1], constants) : std::nullopt;
    if (!b) return std::nullopt;
    if (!a->real && !b->real) return integers(e.text, a->i, b->i);
    const double x = a->value(), y = b->value();
    if (e.text == "+") return Number{true, 0, x + y};
    if (e.text == "-") return Number{true, 0, x - y};
    if (e.text == "*") return Number{true, 0, x * y};
    if (e.text == "/" && y != 0) return Number{true, 0, x / y};
    return std::nullopt;
  }
  default: return std::nullopt;
  }
}

} // namespace htp::a2a3sim::program
