// Calls: of Python's functions, of the program's own, and how arguments are bound.
#include "reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace htp::validator {

using namespace htp::sdk;

Reader::Given Reader::given(Node n) {
  const auto call = c.get<ast::Call>(n);
  Given g;
  for (const Node a : call.args()) {
    if (c.is(a, HTP_Starred)) fail(a, "an argument with a star");
    g.positional.push_back(a);
  }
  for (const Node k : call.keywords()) {
    const auto keyword = c.get<ast::keyword>(k);
    if (keyword.arg().empty()) fail(n, "an argument with stars");
    g.named.emplace(std::string(keyword.arg()), keyword.value());
  }
  return g;
}

void Reader::no_more(const Given &g, std::initializer_list<std::string_view> known, Node n) const {
  for (const auto &[keyword, _] : g.named)
    if (std::find(known.begin(), known.end(), keyword) == known.end())
      fail(n, "`" + c.show(n) + "` has an argument that has no meaning here: `" + keyword + "`");
}

std::vector<Term> Reader::arguments(std::string_view parameters, const Given &g, Node n) {
  std::vector<Term> result;
  size_t next = 0, used = 0;
  for (std::string name : words(parameters)) {
    const bool optional = name.back() == '?';
    if (optional) name.pop_back();
    if (next < g.positional.size()) {
      result.push_back(term(g.positional[next++]));
    } else if (const auto it = g.named.find(name); it != g.named.end()) {
      result.push_back(term(it->second)), ++used;
    } else if (!optional) {
      fail(n, "`" + c.show(n) + "` lacks `" + name + "`");
    }
  }
  if (next != g.positional.size() || used != g.named.size())
    fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
  return result;
}

std::string Reader::dtype_of(Node n) {
  const std::string name = symbol_of(n);
  const std::string dtype = name.starts_with("htp.") ? name.substr(4) : "";
  const size_t letters = dtype.find_first_of("0123456789");
  const std::string kind = dtype.substr(0, letters == std::string::npos ? 0 : letters);
  if (dtype != "bool_" && kind != "i" && kind != "u" && kind != "f" && kind != "bf")
    fail(n, "`" + c.show(n) + "` is not a dtype that is known here");
  return dtype;
}

Value Reader::call(Node n) {
  const auto call = c.get<ast::Call>(n);
  const Given g = given(n);
  if (c.is(call.func(), HTP_Name)) {
    const std::string_view name = c.name_of(call.func());
    if (!s->names.contains(name))
      if (const auto it = globals_.find(name); it != globals_.end() && it->second.function)
        return own(it->second.function, g, n);
  }
  const std::string name = symbol_of(call.func());
  if (name.empty())
    if (const auto a = c.as<ast::Attribute>(call.func()))
      return method(channel_of(a.value()), std::string(a.attr()), g, n);
  if (name.empty()) fail(n, "`" + c.show(call.func()) + "` has no meaning here");
  const auto plain = [&](size_t least, size_t most) {
    if (!g.named.empty() || g.positional.size() < least || g.positional.size() > most)
      fail(n, "`" + c.show(n) + "` has arguments that have no meaning here");
  };
  if (name == "htp.dim") {
    plain(1, 1);
    std::string_view text;
    if (!c.string(g.positional[0], &text)) fail(n, "a dim without a name");
    return value(t.symbol("dim " + std::string(text)));
  }
  if (name == "min" || name == "max") {
    plain(2, 99);
    std::vector<Term> of;
    for (const Node a : g.positional) of.push_back(term(a));
    if (!std::all_of(of.begin(), of.end(), [&](Term x) { return t.is_int(x); }))
      fail(n, "a minimum of what are not ints");
    return value(name == "min" ? t.least(std::move(of)) : t.most(std::move(of)));
  }
  if (name == "len" || name == "int") {
    plain(1, 1);
    const Term x = term(g.positional[0]);
    if (name == "len" && t.is(x, Op::block)) return value(t.at(x).args[1]);
    if (name == "int" && t.is_int(x)) return value(x);
  }
  if (name == "float") {
    plain(1, 1);
    std::string_view text;
    if (c.string(g.positional[0], &text)) {
      if (text == "inf") return value(t.number(HUGE_VAL));
      if (text == "-inf") return value(t.number(-HUGE_VAL));
      if (text == "nan") return value(t.make(Op::number, "nan", {}));
    }
  }
  if (name == "slice") {
    plain(2, 3);
    const Term from = term(g.positional[0]), to = term(g.positional[1]);
    return value(sliced(from, to, g.positional.size() > 2 ? term(g.positional[2]) : t.integer(1), n));
  }
  const size_t dot = name.find('.');
  if (dot == std::string::npos || !name.starts_with("htp_")) fail(n, "`" + name + "` has no meaning here");
  return intrinsic(name.substr(4, dot - 4), name.substr(dot + 1), g, n);
}

Value Reader::own(Node function, const Given &g, Node n) {
  const auto f = c.get<ast::FunctionDef>(function);
  const auto arguments = c.get<ast::arguments>(f.args());
  if (arguments.vararg() || arguments.kwarg() || !arguments.posonlyargs().empty())
    fail(n, "a function with parameters of another kind");
  if (++calls_ > 40) fail(n, "functions that call each other");
  for (const Node d : f.decorator_list())
    if (c.is(d, HTP_Call) && symbol_of(c.get<ast::Call>(d).func()) == "htp_tile.external")
      apart_[std::string(f.name())] = c.show(d);
  Environment inside;
  const auto args = arguments.args();
  if (g.positional.size() > args.size()) fail(n, "too many arguments");
  size_t bound = 0;
  for (size_t k = 0; k < args.size(); ++k) {
    const std::string name(c.get<ast::arg>(args[k]).arg());
    if (k < g.positional.size()) {
      inside[name] = evaluate(g.positional[k]);
    } else if (const auto it = g.named.find(name); it != g.named.end()) {
      inside[name] = evaluate(it->second), ++bound;
    } else {
      const auto defaults = arguments.defaults();
      if (k + defaults.size() < args.size()) fail(n, "an argument is missing");
      inside[name] = evaluate(defaults[k + defaults.size() - args.size()]);
    }
  }
  if (bound != g.named.size() || !arguments.kwonlyargs().empty()) fail(n, "arguments that have no meaning here");
  std::swap(inside, s->names);
  const std::optional<Value> outer = returned_;
  returned_.reset();
  const uint32_t loop_before = std::exchange(outer_loop_, loop_), branch_before = std::exchange(outer_branch_, branch_);
  const auto leave = [&] {
    outer_loop_ = loop_before, outer_branch_ = branch_before;
    const Value result = returned_.value_or(value(t.symbol("None")));
    returned_ = outer;
    std::swap(inside, s->names);
    --calls_;
    return result;
  };
  try {
    block(f.body());
  } catch (const NotShown &) { // module() goes on after it: with the caller's names, not the function's
    leave();
    throw;
  }
  return leave();
}

} // namespace htp::validator
