#include "language/module.h"

#include "htp_cpp/types.h"

#include <cmath>

namespace htp::tile {
namespace {

std::optional<int64_t> floor_divide(int64_t a, int64_t b) {
  if (b == 0 || (b == -1 && a == INT64_MIN)) return std::nullopt;
  const int64_t q = a / b;
  return q - ((a % b != 0) && ((a < 0) != (b < 0)));
}

std::optional<Number> integers(htp_op op, int64_t a, int64_t b) {
  int64_t r = 0;
  bool overflow = false;
  switch (op) {
  case HTP_Add: overflow = __builtin_add_overflow(a, b, &r); break;
  case HTP_Sub: overflow = __builtin_sub_overflow(a, b, &r); break;
  case HTP_Mult: overflow = __builtin_mul_overflow(a, b, &r); break;
  case HTP_FloorDiv:
  case HTP_Mod: {
    const auto q = floor_divide(a, b);
    if (!q) return std::nullopt;
    r = op == HTP_FloorDiv ? *q : a - *q * b;
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

std::optional<Number> reals(htp_op op, double a, double b) {
  switch (op) {
  case HTP_Add: return Number::floating(a + b);
  case HTP_Sub: return Number::floating(a - b);
  case HTP_Mult: return Number::floating(a * b);
  case HTP_Pow: {
    const double r = std::pow(a, b);
    if (!std::isfinite(r)) return std::nullopt;
    return Number::floating(r);
  }
  case HTP_Div:
    if (b == 0) return std::nullopt;
    return Number::floating(a / b);
  default: return std::nullopt;
  }
}

} // namespace

Module::Module(const Context &context, Node module) : c(context), root(module), names(context, module) {
  for (const Node s : c.get<ast::Module>(root).body()) {
    if (auto f = c.as<ast::FunctionDef>(s)) {
      bind(f.name(), Kind::function, s);
    } else if (auto a = c.as<ast::Assign>(s)) {
      for (const Node t : a.targets()) {
        if (!c.is(t, HTP_Name)) continue;
        const bool dim = names.called(a.value()) == "htp.dim";
        bind(c.name_of(t), dim ? Kind::dim : Kind::constant, s, a.value());
      }
    } else if (auto n = c.as<ast::AnnAssign>(s)) {
      if (c.is(n.target(), HTP_Name) && n.value()) bind(c.name_of(n.target()), Kind::constant, s, n.value());
    } else if (auto i = c.as<ast::ImportFrom>(s)) {
      for (const Node alias : i.names())
        if (!star_ && c.get<ast::alias>(alias).name() == "*") star_ = s;
    } else if (!c.is(s, HTP_Import)) {
      // What a loop, a branch or an augmented assignment binds has no one value.
      c.each(s, [&](Node inner) {
        if (auto name = c.as<ast::Name>(inner); name && name.ctx() == HTP_STORE) bind(name.id(), Kind::other, s);
      });
    }
  }
}

void Module::bind(std::string_view name, Kind kind, Node node, Node value) {
  const auto [it, fresh] = bindings_.try_emplace(std::string(name), Binding{kind, node, value});
  // A function may be redefined, as in Python; a constant that is assigned twice is none.
  if (!fresh) it->second = {kind == Kind::function ? kind : Kind::other, node, HTP_NONE};
}

Module::Kind Module::kind_of(std::string_view name) const {
  const auto it = bindings_.find(name);
  if (it == bindings_.end()) return Kind::none;
  if (it->second.kind == Kind::constant && !evaluate(it->second.value)) return Kind::other;
  return it->second.kind;
}

Node Module::definition(std::string_view name) const {
  const auto it = bindings_.find(name);
  return it == bindings_.end() ? HTP_NONE : it->second.node;
}

std::optional<Number> Module::evaluate(Node n) const { return evaluate(n, 0); }

std::optional<Number> Module::evaluate(Node n, unsigned depth) const {
  if (depth > 200) return std::nullopt; // constants that are defined by one another, or no sane arithmetic
  if (auto k = c.as<ast::Constant>(n)) {
    const htp_const &value = k.value();
    if (value.type == HTP_CONST_INT && value.u.i >= 0) return Number::integer(value.u.i);
    if (value.type == HTP_CONST_FLOAT) return Number::floating(value.u.f);
    return std::nullopt;
  }
  if (auto name = c.as<ast::Name>(n)) {
    const auto it = bindings_.find(name.id());
    if (it == bindings_.end() || it->second.kind != Kind::constant) return std::nullopt;
    return evaluate(it->second.value, depth + 1);
  }
  if (auto u = c.as<ast::UnaryOp>(n)) {
    auto value = evaluate(u.operand(), depth + 1);
    if (!value || (u.op() != HTP_USub && u.op() != HTP_UAdd)) return std::nullopt;
    if (u.op() == HTP_USub) value->i = -value->i, value->f = -value->f;
    return value;
  }
  if (auto b = c.as<ast::BinOp>(n)) {
    const auto left = evaluate(b.left(), depth + 1), right = evaluate(b.right(), depth + 1);
    if (!left || !right) return std::nullopt;
    if (left->real || right->real) return reals(b.op(), left->as_double(), right->as_double());
    return integers(b.op(), left->i, right->i);
  }
  return std::nullopt;
}

std::optional<int64_t> Module::integer(Node n) const {
  const auto value = evaluate(n);
  if (!value || value->real) return std::nullopt;
  return value->i;
}

std::vector<std::string> Module::visible() const {
  std::vector<std::string> result;
  for (const auto &[name, binding] : bindings_) result.push_back(name);
  for (const auto &[name, target] : names.imports()) result.push_back(name);
  return result;
}

bool Module::decorated(Node function, std::string_view path) const {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return false;
  for (const Node d : f.decorator_list())
    if (names.qualified(d) == path || names.called(d) == path) return true;
  return false;
}

std::string Module::dtype(Node n) const {
  const std::string whole = path(n);
  if (!whole.starts_with("htp.")) return {};
  std::string name = whole.substr(4);
  return dtype_class(name) == DtypeClass::none ? std::string() : name;
}

Node literal(const Tree &tree, const Number &number, Node origin) {
  if (!number.real) return tree.integer_node(number.i, origin);
  const Node n = tree.make(make::Constant{.value = Literal::real(std::fabs(number.f))}, origin);
  return std::signbit(number.f) ? tree.make(make::UnaryOp{.op = HTP_USub, .operand = n}, origin) : n;
}

} // namespace htp::tile
