#include "cited.h"

#include <cstdlib>
#include <string_view>

namespace htp::a2a3sim {

namespace {

constexpr std::string_view mark = "// program.py:";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// `f(…)`, called by its own name or that of a module's.
bool calls(const Expr &e, std::string_view name) {
  return e.kind == Expr::Kind::call && e.children[0].text == name &&
         (e.children[0].kind == Expr::Kind::name || e.children[0].kind == Expr::Kind::member);
}
std::vector<Expr> pair_of(const Expr &e) {
  if (e.kind == Expr::Kind::binary && e.text == ",") return e.children;
  return {};
}

Citation loop(std::string_view text) {
  Citation s;
  const size_t in = text.find(" in "), end = text.rfind(':');
  if (in == std::string_view::npos || end == std::string_view::npos || end < in) return s;
  std::string_view names = text.substr(4, in - 4);
  if (const size_t comma = names.find(", "); comma != std::string_view::npos)
    s.turn = names.substr(0, comma), names.remove_prefix(comma + 2);
  s.name = names;
  Expr range = read_python(std::string(text.substr(in + 4, end - in - 4)));
  if (calls(range, "turns") && range.children.size() == 2) range = Expr(range.children[1]);
  if (!calls(range, "range") || range.children.size() < 2) return s;
  Expr zero, one;
  zero.kind = one.kind = Expr::Kind::integer, one.integer = 1;
  s.operands.assign(range.children.begin() + 1, range.children.end());
  if (s.operands.size() == 1) s.operands.insert(s.operands.begin(), zero);
  if (s.operands.size() == 2) s.operands.push_back(one);
  s.kind = Citation::Kind::loop;
  return s;
}

Citation assigned(std::string_view name, Expr value) {
  Citation s;
  s.name = name;
  if (!calls(value, "tile")) {
    if (value.kind == Expr::Kind::call && value.children[0].kind == Expr::Kind::member)
      return s; // an element of a tensor
    s.kind = Citation::Kind::integer, s.operands.push_back(std::move(value));
    return s;
  }
  s.kind = Citation::Kind::tile;
  for (const Expr &e : value.children) {
    if (e.kind != Expr::Kind::assign) continue;
    if (e.children[0].text == "valid") s.valid = pair_of(e.children[1]);
    if (e.children[0].text == "at") s.offset = {e.children[1]};
  }
  return s;
}

Citation citation_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (text.rfind("for ", 0) == 0) return loop(text);
  const size_t equals = text.find(" = ");
  if (equals != std::string_view::npos && text.find('(') > equals)
    return assigned(text.substr(0, equals), read_python(std::string(text.substr(equals + 3))));
  if (text.rfind("pto.", 0) != 0) return {};
  const Expr call = read_python(std::string(text));
  if (call.kind != Expr::Kind::call) return {};
  Citation s;
  s.kind = Citation::Kind::instruction, s.name = call.children[0].text;
  s.operands.assign(call.children.begin() + 1, call.children.end());
  // How a slice is seen its tile says, which the transfer's text is held against.
  if (!s.operands.empty() && s.operands.back().kind == Expr::Kind::assign) s.operands.pop_back();
  return s;
}

} // namespace

Cited::Cited(std::string path, const std::string &program, const std::string &kernel) : path_(std::move(path)) {
  const auto program_lines = lines_of(program);
  for (const std::string_view line : program_lines) {
    const size_t equals = line.find(" = ");
    if (equals == std::string_view::npos || line.find_first_of(" (\"'") != equals) continue;
    try {
      constants_[std::string(line.substr(0, equals))] = read_python(std::string(line.substr(equals + 3)));
    } catch (const NotRead &) { // no number
    }
  }
  int number = 0;
  for (const std::string_view line : lines_of(kernel)) {
    ++number;
    const size_t at = line.find(mark);
    if (at == std::string_view::npos) continue;
    const auto cited = static_cast<size_t>(std::atol(std::string(line.substr(at + mark.size())).c_str()));
    Citation s;
    try {
      if (cited >= 1 && cited <= program_lines.size()) s = citation_of(program_lines[cited - 1]);
    } catch (const NotRead &) { // it is held against nothing
    }
    s.line = static_cast<int>(cited);
    by_line_[number] = std::move(s);
  }
}

const Expr *Cited::constant(const std::string &name) const {
  const auto it = constants_.find(name);
  return it == constants_.end() ? nullptr : &it->second;
}

const Citation &Cited::at(int kernel_line) const {
  static const Citation nothing;
  auto it = by_line_.upper_bound(kernel_line);
  return it == by_line_.begin() ? nothing : (--it)->second;
}

} // namespace htp::a2a3sim
