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
  return e.kind == Expr::Kind::call && e.parts[0].word == name &&
         (e.parts[0].kind == Expr::Kind::name || e.parts[0].kind == Expr::Kind::member);
}
std::vector<Expr> pair_of(const Expr &e) {
  if (e.kind == Expr::Kind::binary && e.word == ",") return e.parts;
  return {};
}

Said loop(std::string_view text) {
  Said s;
  const size_t in = text.find(" in "), end = text.rfind(':');
  if (in == std::string_view::npos || end == std::string_view::npos || end < in) return s;
  std::string_view names = text.substr(4, in - 4);
  if (const size_t comma = names.find(", "); comma != std::string_view::npos)
    s.turn = names.substr(0, comma), names.remove_prefix(comma + 2);
  s.name = names;
  Expr range = read_python(std::string(text.substr(in + 4, end - in - 4)));
  if (calls(range, "turns") && range.parts.size() == 2) range = Expr(range.parts[1]);
  if (!calls(range, "range") || range.parts.size() < 2) return s;
  Expr zero, one;
  zero.kind = one.kind = Expr::Kind::integer, one.integer = 1;
  s.parts.assign(range.parts.begin() + 1, range.parts.end());
  if (s.parts.size() == 1) s.parts.insert(s.parts.begin(), zero);
  if (s.parts.size() == 2) s.parts.push_back(one);
  s.kind = Said::Kind::loop;
  return s;
}

Said assigned(std::string_view name, Expr value) {
  Said s;
  s.name = name;
  if (!calls(value, "tile")) {
    if (value.kind == Expr::Kind::call && value.parts[0].kind == Expr::Kind::member) return s; // an element of a tensor
    s.kind = Said::Kind::integer, s.parts.push_back(std::move(value));
    return s;
  }
  s.kind = Said::Kind::tile;
  for (const Expr &e : value.parts) {
    if (e.kind != Expr::Kind::assign) continue;
    if (e.parts[0].word == "valid") s.valid = pair_of(e.parts[1]);
    if (e.parts[0].word == "at") s.offset = {e.parts[1]};
  }
  return s;
}

Said said_by(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (text.rfind("for ", 0) == 0) return loop(text);
  const size_t equals = text.find(" = ");
  if (equals != std::string_view::npos && text.find('(') > equals)
    return assigned(text.substr(0, equals), read_python(std::string(text.substr(equals + 3))));
  if (text.rfind("pto.", 0) != 0) return {};
  const Expr call = read_python(std::string(text));
  if (call.kind != Expr::Kind::call) return {};
  Said s;
  s.kind = Said::Kind::instruction, s.name = call.parts[0].word;
  s.parts.assign(call.parts.begin() + 1, call.parts.end());
  return s;
}

} // namespace

Cited::Cited(std::string path, const std::string &program, const std::string &kernel) : path_(std::move(path)) {
  const auto said = lines_of(program);
  for (const std::string_view line : said) {
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
    Said s;
    try {
      if (cited >= 1 && cited <= said.size()) s = said_by(said[cited - 1]);
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

const Said &Cited::at(int kernel_line) const {
  static const Said nothing;
  auto it = by_line_.upper_bound(kernel_line);
  return it == by_line_.begin() ? nothing : (--it)->second;
}

} // namespace htp::a2a3sim
