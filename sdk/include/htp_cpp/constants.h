// htp_cpp/constants.h — HTP's constant evaluator (R15): numbers over literals, arithmetic and module constants.
#pragma once

#include "htp_cpp/names.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

// A compile-time number, or a truth value, which counts as 0 or 1 in arithmetic.
struct Number {
  bool real = false;
  int64_t i = 0;
  double f = 0;
  bool truth = false;

  static Number integer(int64_t v) { return {false, v, 0}; }
  static Number floating(double v) { return {true, 0, v}; }
  static Number boolean(bool v) { return {false, v, 0, true}; }
  double as_double() const { return real ? f : static_cast<double>(i); }
};

// What an assignment binds: `visit(target, value)` for each target, and for each name of `A, B = 1, 2`.
template <class F> void each_assigned(const Reader &r, ast::Assign a, F &&visit) {
  for (const Node target : a.targets()) {
    auto names = r.as<ast::Tuple>(target), values = r.as<ast::Tuple>(a.value());
    if (!names || !values || names.elts().size() != values.elts().size())
      visit(target, a.value());
    else
      for (size_t k = 0; k < names.elts().size(); ++k) visit(names.elts()[k], values.elts()[k]);
  }
}

// How often each name of the module is bound; more than once by `x += 1`. An import that is there already, as of a file
// that was merged, binds what it bound before.
inline std::map<std::string, unsigned, std::less<>> times_bound(const Reader &r, Node module) {
  std::map<std::string, unsigned, std::less<>> bindings;
  std::map<std::string, std::string, std::less<>> imported; // a name → where it is from
  const auto import = [&](Nodes names, std::string_view from) {
    for (const Node n : names) {
      auto a = r.get<ast::alias>(n);
      const std::string name(a.asname().empty() ? a.name() : a.asname()),
          origin = std::string(from) + ":" + std::string(a.name());
      const auto [it, fresh] = imported.try_emplace(name, origin);
      if (fresh || it->second != origin) ++bindings[name];
    }
  };
  for (const Node s : r.get<ast::Module>(module).body()) {
    if (auto f = r.as<ast::FunctionDef>(s)) {
      ++bindings[std::string(f.name())];
      continue;
    }
    if (auto a = r.as<ast::AnnAssign>(s); a && !a.value()) continue;
    const unsigned times = r.is(s, HTP_AugAssign) ? 2 : 1;
    r.each(s, [&](Node n) {
      if (auto name = r.as<ast::Name>(n); name && name.ctx() == HTP_STORE) bindings[std::string(name.id())] += times;
      if (auto i = r.as<ast::Import>(n)) import(i.names(), "");
      if (auto i = r.as<ast::ImportFrom>(n)) import(i.names(), i.module());
    });
  }
  return bindings;
}

// The names of sizes: what the module assigns `htp.dim(…)`, once, and nothing else.
inline std::set<std::string, std::less<>> dims_of(const Reader &r, const Names &names, Node module) {
  const auto bindings = times_bound(r, module);
  std::set<std::string, std::less<>> dims;
  for (const Node s : r.get<ast::Module>(module).body())
    if (auto a = r.as<ast::Assign>(s))
      each_assigned(r, a, [&](Node target, Node value) {
        const std::string_view name = r.name_of(target);
        const auto times = bindings.find(name);
        if (names.called(value) == "htp.dim" && times != bindings.end() && times->second == 1) dims.emplace(name);
      });
  return dims;
}

// The constants of one module: what is assigned once at module level, from literals, arithmetic, numbers and functions
// of Python's math module (`math.pi`, `math.sqrt(64)`, where it imports that) and constants above it. A constant may be
// a text, which is compared with others (`MODE == "relu"`), and a tuple of constants, whose elements (`TILE[0]`) and
// their number count. What is bound twice, or by anything but an assignment, is none.
class Constants {
public:
  Constants(const Reader &reader, Node module) : r_(reader) {
    const auto bindings = times_bound(r_, module);
    const auto body = r_.get<ast::Module>(module).body();
    for (const Node s : body) from_math(s, bindings);
    for (const Node s : body) {
      if (auto a = r_.as<ast::Assign>(s))
        each_assigned(r_, a, [&](Node target, Node value) { define(r_.name_of(target), value, bindings); });
      if (auto n = r_.as<ast::AnnAssign>(s)) define(r_.name_of(n.target()), n.value(), bindings);
    }
  }

  // Nothing when the expression is no constant number, when an int would not fit 64 bits, or when no sane arithmetic is
  // as deep.
  std::optional<Number> number(Node n) const { return number(n, 0); }
  std::optional<int64_t> integer(Node n) const {
    const auto value = number(n);
    if (!value || value->real || value->truth) return std::nullopt;
    return value->i;
  }
  // What a constant's name stands for.
  std::optional<Number> named(std::string_view name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? std::nullopt : std::optional(it->second);
  }

private:
  static std::optional<Number> of_math(std::string_view name) {
    constexpr std::pair<std::string_view, double> known[] = {
        {"pi", 3.141592653589793}, {"e", 2.718281828459045}, {"tau", 6.283185307179586}, {"inf", HUGE_VAL}};
    for (const auto &[known_name, value] : known)
      if (known_name == name) return Number::floating(value);
    return std::nullopt;
  }

  // `import math`, `from math import pi as PI`
  void from_math(Node s, const std::map<std::string, unsigned, std::less<>> &bindings) {
    auto whole = r_.as<ast::Import>(s);
    auto from = r_.as<ast::ImportFrom>(s);
    if (!whole && !(from && from.module() == "math")) return;
    for (const Node n : whole ? whole.names() : from.names()) {
      auto a = r_.get<ast::alias>(n);
      const std::string name(a.asname().empty() ? a.name() : a.asname());
      if (const auto it = bindings.find(name); it == bindings.end() || it->second != 1) continue;
      if (whole && a.name() == "math") math_.push_back(name);
      if (const auto number = whole ? std::nullopt : of_math(a.name())) values_.emplace(name, *number);
      if (from) math_functions_.emplace(name, a.name());
    }
  }

  void define(std::string_view name, Node value, const std::map<std::string, unsigned, std::less<>> &bindings) {
    const auto it = bindings.find(name);
    if (name.empty() || it == bindings.end() || it->second != 1) return;
    if (!value) return;
    if (const auto v = number(value)) values_.emplace(name, *v);
    if (const auto t = text(value)) texts_.emplace(name, *t);
    if (auto tuple = r_.as<ast::Tuple>(value))
      if (std::ranges::all_of(tuple.elts(), [&](Node n) { return number(n) || text(n); })) tuples_.emplace(name, value);
  }

  std::optional<Number> number(Node n, unsigned depth) const {
    if (!n || depth > 200) return std::nullopt;
    if (auto k = r_.as<ast::Constant>(n)) {
      const htp_const &value = k.value();
      if (value.type == HTP_CONST_INT && value.u.i >= 0) return Number::integer(value.u.i);
      if (value.type == HTP_CONST_FLOAT) return Number::floating(value.u.f);
      if (value.type == HTP_CONST_TRUE || value.type == HTP_CONST_FALSE)
        return Number::boolean(value.type == HTP_CONST_TRUE);
      return std::nullopt;
    }
    if (r_.is(n, HTP_Call)) return called(n, depth);
    if (const Node element = element_of(n, depth)) return number(element, depth + 1);
    if (auto k = r_.as<ast::Compare>(n)) {
      const bool same = k.ops().size() == 1 && k.ops()[0] == HTP_Eq;
      if (!same && !(k.ops().size() == 1 && k.ops()[0] == HTP_NotEq)) return std::nullopt;
      const auto left = text(k.left()), right = text(k.comparators()[0]);
      return left && right ? std::optional(Number::boolean((*left == *right) == same)) : std::nullopt;
    }
    if (auto a = r_.as<ast::Attribute>(n)) {
      const bool math = std::find(math_.begin(), math_.end(), r_.name_of(a.value())) != math_.end();
      return math ? of_math(a.attr()) : std::nullopt;
    }
    if (auto name = r_.as<ast::Name>(n)) return named(name.id());
    if (auto u = r_.as<ast::UnaryOp>(n)) {
      auto value = number(u.operand(), depth + 1);
      if (value) value->truth = false;
      if (!value || u.op() == HTP_UAdd) return value;
      if (u.op() != HTP_USub || __builtin_sub_overflow(int64_t{0}, value->i, &value->i)) return std::nullopt;
      value->f = -value->f;
      return value;
    }
    auto b = r_.as<ast::BinOp>(n);
    if (!b) return std::nullopt;
    const auto left = number(b.left(), depth + 1), right = left ? number(b.right(), depth + 1) : std::nullopt;
    if (!right) return std::nullopt;
    if (left->real || right->real) return reals(b.op(), left->as_double(), right->as_double());
    return integers(b.op(), left->i, right->i);
  }

  // What a text is; nothing for anything else.
  std::optional<std::string> text(Node n) const {
    std::string_view literal;
    if (r_.string(n, &literal)) return std::string(literal);
    if (const Node element = element_of(n, 0)) return text(element);
    const auto it = texts_.find(r_.name_of(n));
    return it == texts_.end() ? std::nullopt : std::optional(it->second);
  }
  // The element of a tuple that `TILE[0]` is; 0 for anything else.
  Node element_of(Node n, unsigned depth) const {
    auto s = r_.as<ast::Subscript>(n);
    const auto it = s ? tuples_.find(r_.name_of(s.value())) : tuples_.end();
    const auto at = it == tuples_.end() ? std::nullopt : number(s.slice(), depth + 1);
    if (!at || at->real || at->truth) return HTP_NONE;
    const Nodes elements = r_.get<ast::Tuple>(it->second).elts();
    const auto size = static_cast<int64_t>(elements.size()), index = at->i < 0 ? at->i + size : at->i;
    return index >= 0 && index < size ? elements[static_cast<size_t>(index)] : HTP_NONE;
  }

  // The function of Python's math module that is called by `function`; empty when it is none.
  std::string_view math_function(Node function) const {
    if (auto a = r_.as<ast::Attribute>(function)) {
      const bool math = std::find(math_.begin(), math_.end(), r_.name_of(a.value())) != math_.end();
      return math ? a.attr() : std::string_view();
    }
    const auto it = math_functions_.find(r_.name_of(function));
    return it == math_functions_.end() ? std::string_view() : std::string_view(it->second);
  }

  // What a function of math gives, as Python has it; nothing where Python raises, or what it gives is not finite.
  std::optional<Number> of_math(std::string_view name, Nodes arguments, unsigned depth) const {
    std::vector<Number> given;
    for (const Node a : arguments) {
      const auto value = number(a, depth + 1);
      if (!value || !std::isfinite(value->as_double())) return std::nullopt;
      given.push_back(*value);
    }
    if (given.empty()) return std::nullopt;
    const double x = given[0].as_double(), y = given.back().as_double();
    const bool whole = std::ranges::none_of(given, &Number::real), one = given.size() == 1, two = given.size() == 2;
    constexpr std::pair<std::string_view, double (*)(double)> of_one[] = {
        {"sqrt", std::sqrt}, {"fabs", std::fabs},   {"exp", std::exp},     {"expm1", std::expm1}, {"log", std::log},
        {"log2", std::log2}, {"log10", std::log10}, {"log1p", std::log1p}, {"sin", std::sin},     {"cos", std::cos},
        {"tan", std::tan},   {"asin", std::asin},   {"acos", std::acos},   {"atan", std::atan},   {"sinh", std::sinh},
        {"cosh", std::cosh}, {"tanh", std::tanh}};
    for (const auto &[known, f] : of_one)
      if (one && known == name) return finite(f(x));
    constexpr std::pair<std::string_view, double (*)(double)> to_int[] = {
        {"floor", std::floor}, {"ceil", std::ceil}, {"trunc", std::trunc}};
    for (const auto &[known, f] : to_int) {
      if (!one || known != name) continue;
      if (whole) return Number::integer(given[0].i);
      constexpr double beyond = 9223372036854775808.0; // 2**63
      const double r = f(x);
      return r >= -beyond && r < beyond ? std::optional(Number::integer(static_cast<int64_t>(r))) : std::nullopt;
    }
    if (name == "log" && two) {
      const auto above = finite(std::log(x)), below = finite(std::log(y));
      return above && below && below->f != 0 ? finite(above->f / below->f) : std::nullopt;
    }
    if (name == "pow" && two) return finite(std::pow(x, y));
    if (name == "copysign" && two) return finite(std::copysign(x, y));
    if (name == "fmod" && two) return finite(std::fmod(x, y));
    if (name == "atan2" && two) return finite(std::atan2(x, y));
    if (name == "isqrt" && one && whole && given[0].i >= 0) {
      auto root = static_cast<int64_t>(std::sqrt(x));
      const auto above = [&](int64_t r) { return r > 3037000499 || r * r > given[0].i; };
      while (above(root)) --root;
      while (!above(root + 1)) ++root;
      return Number::integer(root);
    }
    if ((name == "gcd" || name == "lcm") && whole) {
      int64_t result = name == "gcd" ? 0 : 1;
      for (const Number &v : given) {
        if (v.i == INT64_MIN) return std::nullopt;
        const int64_t divisor = std::gcd(result, v.i);
        if (name == "gcd")
          result = divisor;
        else if (v.i == 0)
          result = 0;
        else if (__builtin_mul_overflow(result / (divisor ? divisor : 1), v.i < 0 ? -v.i : v.i, &result))
          return std::nullopt;
      }
      return Number::integer(result);
    }
    return std::nullopt;
  }
  static std::optional<Number> finite(double value) {
    return std::isfinite(value) ? std::optional(Number::floating(value)) : std::nullopt;
  }

  // float("inf"), float("-inf"), len(TILE), math.sqrt(64)
  std::optional<Number> called(Node n, unsigned depth) const {
    auto call = r_.get<ast::Call>(n);
    if (const std::string_view name = math_function(call.func()); !name.empty())
      return call.keywords().empty() ? of_math(name, call.args(), depth) : std::nullopt;
    std::string_view text;
    if (r_.name_of(call.func()) == "len" && call.args().size() == 1)
      if (const auto it = tuples_.find(r_.name_of(call.args()[0])); it != tuples_.end())
        return Number::integer(static_cast<int64_t>(r_.get<ast::Tuple>(it->second).elts().size()));
    if (r_.name_of(call.func()) != "float" || call.args().size() != 1 || !r_.string(call.args()[0], &text))
      return std::nullopt;
    if (text == "inf") return Number::floating(HUGE_VAL);
    return text == "-inf" ? std::optional(Number::floating(-HUGE_VAL)) : std::nullopt;
  }

  static std::optional<Number> integers(htp_op op, int64_t a, int64_t b) {
    int64_t r = 0;
    bool overflow = false;
    switch (op) {
    case HTP_Add: overflow = __builtin_add_overflow(a, b, &r); break;
    case HTP_Sub: overflow = __builtin_sub_overflow(a, b, &r); break;
    case HTP_Mult: overflow = __builtin_mul_overflow(a, b, &r); break;
    case HTP_FloorDiv:
    case HTP_Mod: { // Python's: towards minus infinity
      if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
      const int64_t q = a / b - (a % b != 0 && (a < 0) != (b < 0));
      r = op == HTP_FloorDiv ? q : a - q * b;
      break;
    }
    case HTP_Pow:
      if (b < 0 || b > 62) return std::nullopt;
      for (r = 1; b > 0 && !overflow; --b) overflow = __builtin_mul_overflow(r, a, &r);
      break;
    case HTP_LShift:
      if (b < 0 || b > 62) return std::nullopt;
      overflow = __builtin_mul_overflow(a, int64_t{1} << b, &r);
      break;
    case HTP_RShift:
      if (b < 0) return std::nullopt;
      r = a >> (b > 63 ? 63 : b);
      break;
    case HTP_Div:
      if (b == 0) return std::nullopt;
      return Number::floating(static_cast<double>(a) / static_cast<double>(b));
    default: return std::nullopt;
    }
    if (overflow) return std::nullopt;
    return Number::integer(r);
  }

  static std::optional<Number> reals(htp_op op, double a, double b) {
    double r = 0;
    switch (op) {
    case HTP_Add: r = a + b; break;
    case HTP_Sub: r = a - b; break;
    case HTP_Mult: r = a * b; break;
    case HTP_Div:
      if (b == 0) return std::nullopt;
      r = a / b;
      break;
    case HTP_Pow:
      r = std::pow(a, b);
      if (!std::isfinite(r)) return std::nullopt;
      break;
    default: return std::nullopt;
    }
    return Number::floating(r);
  }

  Reader r_;
  std::map<std::string, Number, std::less<>> values_;
  std::map<std::string, std::string, std::less<>> texts_;
  std::map<std::string, Node, std::less<>> tuples_;                // the tuple itself
  std::vector<std::string> math_;                                  // what Python's math module is called
  std::map<std::string, std::string, std::less<>> math_functions_; // of `from math import …`: what each is there
};

} // namespace htp::sdk
