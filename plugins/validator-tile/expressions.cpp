// Expressions, as Python has them: names, literals, operators, attributes, subscripts.
#include "reader.h"

#include <algorithm>
#include <cmath>

namespace htp::validator {

using namespace htp::sdk;

Term Reader::term(Node n) {
  const Value v = evaluate(n);
  if (v.memory >= 0) return contents(v.memory, n);
  if (!v.term) fail(n, "`" + c.show(n) + "` has no value here");
  return v.term;
}

Value Reader::evaluate(Node n) {
  switch (c.kind(n)) {
  case HTP_Name: {
    const std::string_view name = c.name_of(n);
    if (const auto it = s->names.find(name); it != s->names.end()) {
      if (it->second.term && t.is(it->second.term, Op::undefined))
        fail(n, "`" + std::string(name) + "` may have no value");
      return it->second;
    }
    if (const auto it = globals_.find(name); it != globals_.end()) return it->second;
    if (const std::string known = builtin(name); !known.empty()) return value(t.symbol(known));
    fail(n, "`" + std::string(name) + "` is not known");
  }
  case HTP_Constant: return value(literal(c.constant(c.get<ast::Constant>(n).fields().value), n));
  case HTP_Attribute: {
    if (const std::string name = symbol_of(n); !name.empty()) {
      if (name == "htp.inf") return value(t.number(HUGE_VAL));
      if (name == "htp_tile.whole" || name == "htp.whole" || name == "htp_cpu.whole" || name == "htp_pto.whole" ||
          name == "htp_aie.whole")
        return value(t.make(Op::whole, "", {}));
      return value(t.symbol(name));
    }
    const auto a = c.get<ast::Attribute>(n);
    const Value of = evaluate(a.value());
    if (of.term && t.is(of.term, Op::block)) {
      const TermNode b = t.at(of.term);
      if (a.attr() == "start") return value(b.args[0]);
      if (a.attr() == "extent") return value(b.args[1]);
      if (a.attr() == "stop" && t.constant(b.args[2]) == 1) return value(t.add(b.args[0], b.args[1]));
    }
    if (of.term && t.is(of.term, Op::apply) && t.at(of.term).tag == "core" &&
        (a.attr() == "column" || a.attr() == "row"))
      return value(t.at(of.term).args.size() == 2 ? t.at(of.term).args[a.attr() == "column" ? 0 : 1]
                                                  : t.apply("core." + std::string(a.attr()), {of.term}, {"int", {}}));
    fail(n, "`" + c.show(n) + "` has no meaning here");
  }
  case HTP_BinOp: {
    const auto b = c.get<ast::BinOp>(n);
    const Term left = term(b.left()); // first, as Python does
    return value(binary(b.op(), left, term(b.right()), n));
  }
  case HTP_UnaryOp: {
    const auto u = c.get<ast::UnaryOp>(n);
    const Term x = term(u.operand());
    if (u.op() == HTP_UAdd) return value(x);
    if (u.op() == HTP_USub) {
      if (t.is(x, Op::number)) return value(t.number(-std::stod(t.at(x).tag)));
      if (t.constant(x) == 0 && is_float_literal(u.operand())) return value(t.number(-0.0));
      return value(t.is_int(x) ? t.scale(x, -1) : function("neg", {x}, n));
    }
    if (u.op() == HTP_Invert && !t.is_int(x)) return value(function("bit_not", {x}, n));
    if (u.op() == HTP_Not) return value(negated(x));
    fail(n, "`" + c.show(n) + "` has no meaning here");
  }
  case HTP_BoolOp: {
    const auto b = c.get<ast::BoolOp>(n);
    Term result = 0;
    for (const Node v : b.values()) {
      const Term x = term(v);
      result = !result ? x : t.apply(b.op() == HTP_And ? "and" : "or", {result, x}, {"truth", {}});
    }
    return value(result);
  }
  case HTP_Compare: {
    const auto b = c.get<ast::Compare>(n);
    Term left = term(b.left()), result = 0;
    for (size_t k = 0; k < b.comparators().size(); ++k) {
      const Term right = term(b.comparators()[k]);
      const Term one = compare(static_cast<htp_op>(b.ops()[k]), left, right, n);
      result = !result ? one : t.apply("and", {result, one}, {"truth", {}});
      left = right;
    }
    return value(result);
  }
  case HTP_Tuple:
  case HTP_List: {
    std::vector<Term> items;
    for (const Node e : c.kind(n) == HTP_Tuple ? c.get<ast::Tuple>(n).elts() : c.get<ast::List>(n).elts())
      items.push_back(term(e));
    return value(t.make(Op::tuple, "", std::move(items)));
  }
  case HTP_Subscript: {
    const auto sub = c.get<ast::Subscript>(n);
    const Value of = evaluate(sub.value());
    if (of.memory >= 0) return value(load_from(of.memory, indices(sub.slice(), of.memory), 0, n));
    if (of.term && t.is(of.term, Op::apply) && t.at(of.term).tag == "channels") {
      std::vector<Term> args{of.term};
      const Term i = term(sub.slice());
      if (t.is(i, Op::tuple))
        args.insert(args.end(), t.at(i).args.begin(), t.at(i).args.end());
      else
        args.push_back(i);
      return value(t.apply("lane", std::move(args)));
    }
    if (of.term && t.is(of.term, Op::tuple)) {
      const auto k = t.constant(term(sub.slice()));
      if (k && *k >= 0 && static_cast<size_t>(*k) < t.at(of.term).args.size())
        return value(t.at(of.term).args[static_cast<size_t>(*k)]);
    }
    fail(n, "`" + c.show(n) + "` has no meaning here");
  }
  case HTP_Call: return call(n);
  default: fail(n, "`" + c.show(n) + "` has no meaning here");
  }
}

std::string Reader::symbol_of(Node n) {
  if (c.is(n, HTP_Name)) {
    if (s->names.contains(c.name_of(n))) return {};
    const auto it = globals_.find(c.name_of(n));
    if (it == globals_.end()) return builtin(c.name_of(n));
    return it->second.term && t.is(it->second.term, Op::symbol) ? t.at(it->second.term).tag : std::string();
  }
  if (const auto a = c.as<ast::Attribute>(n)) {
    const std::string of = symbol_of(a.value());
    return of.empty() || of.starts_with("dim ") ? std::string() : of + "." + std::string(a.attr());
  }
  return {};
}

std::string Reader::builtin(std::string_view name) {
  for (const std::string_view known : {"range", "min", "max", "len", "slice", "int", "float", "abs", "bool", "tuple"})
    if (name == known) return std::string(name);
  return {};
}

Term Reader::literal(const htp_const &k, Node n) {
  switch (k.type) {
  case HTP_CONST_INT:
    if (k.u.i >= 0) return t.integer(k.u.i);
    return t.make(Op::number, std::string(c.text(k.text)), {});
  case HTP_CONST_FLOAT: return t.number(k.u.f);
  case HTP_CONST_STR: return t.make(Op::text, std::string(c.text(k.text)), {});
  case HTP_CONST_TRUE: return t.symbol("True");
  case HTP_CONST_FALSE: return t.symbol("False");
  case HTP_CONST_NONE: return t.symbol("None");
  default: fail(n, "a constant that has no meaning here");
  }
}

bool Reader::is_float_literal(Node n) const {
  return c.is(n, HTP_Constant) && c.constant(c.get<ast::Constant>(n).fields().value).type == HTP_CONST_FLOAT;
}

Term Reader::binary(htp_op op, Term a, Term b, Node n) {
  if (t.is(a, Op::block) || t.is(b, Op::block)) { // moved and spread
    const bool behind = t.is(b, Op::block);
    if (behind) std::swap(a, b);
    const TermNode block = t.at(a);
    if (!t.is_int(b) || (behind && op == HTP_Sub) || (op == HTP_Mult && t.constant(b).value_or(0) < 1))
      fail(n, "a block is moved in a way that has no meaning here");
    if (op == HTP_Add) return t.make(Op::block, "", {t.add(block.args[0], b), block.args[1], block.args[2]});
    if (op == HTP_Sub) return t.make(Op::block, "", {t.sub(block.args[0], b), block.args[1], block.args[2]});
    if (op == HTP_Mult) return t.make(Op::block, "", {t.mul(block.args[0], b), block.args[1], t.mul(block.args[2], b)});
    fail(n, "a block is moved in a way that has no meaning here");
  }
  const bool floats = is_number(a) && is_number(b) && (t.is(a, Op::number) || t.is(b, Op::number));
  if (floats || (op == HTP_Div && is_number(a) && is_number(b)) || (op == HTP_Pow && is_number(a) && is_number(b))) {
    const double x = *real(a), y = *real(b);
    switch (op) {
    case HTP_Add: return t.number(x + y);
    case HTP_Sub: return t.number(x - y);
    case HTP_Mult: return t.number(x * y);
    case HTP_Div:
      if (y == 0) break;
      return t.number(x / y);
    case HTP_Pow: return t.number(std::pow(x, y));
    default: break;
    }
    fail(n, "`" + c.show(n) + "` has no meaning here");
  }
  if (t.is_int(a) && t.is_int(b)) {
    switch (op) {
    case HTP_Add: return t.add(a, b);
    case HTP_Sub: return t.sub(a, b);
    case HTP_Mult: return t.mul(a, b);
    case HTP_FloorDiv: return t.floordiv(a, b);
    case HTP_Mod: return t.mod(a, b);
    case HTP_LShift:
      if (const auto x = t.constant(a), y = t.constant(b); x && y && *y >= 0 && *y < 40) return t.integer(*x << *y);
      break;
    case HTP_RShift:
      if (const auto y = t.constant(b); y && *y >= 0 && *y < 40) return t.floordiv(a, t.integer(int64_t{1} << *y));
      break;
    default: break;
    }
    fail(n, "`" + c.show(n) + "` has no meaning here");
  }
  switch (op) {
  case HTP_Add: return function("add", {a, b}, n);
  case HTP_Sub: return function("sub", {a, b}, n);
  case HTP_Mult: return function("mul", {a, b}, n);
  case HTP_Div: return function("div", {a, b}, n);
  case HTP_FloorDiv: return function("floordiv", {a, b}, n);
  case HTP_Mod: return function("mod", {a, b}, n);
  case HTP_Pow: return function("pow", {a, b}, n);
  case HTP_LShift: return function("shl", {a, b}, n);
  case HTP_RShift: return function("shr", {a, b}, n);
  case HTP_BitAnd: return function("bit_and", {a, b}, n);
  case HTP_BitOr: return function("bit_or", {a, b}, n);
  case HTP_BitXor: return function("bit_xor", {a, b}, n);
  case HTP_MatMult: return function("matmul", {a, b}, n);
  default: fail(n, "`" + c.show(n) + "` has no meaning here");
  }
}

Term Reader::compare(htp_op op, Term a, Term b, Node n) {
  if (t.is_int(a) && t.is_int(b)) {
    switch (op) {
    case HTP_Lt: return nonnegative(t.sub(t.sub(b, a), t.integer(1)));
    case HTP_LtE: return nonnegative(t.sub(b, a));
    case HTP_Gt: return nonnegative(t.sub(t.sub(a, b), t.integer(1)));
    case HTP_GtE: return nonnegative(t.sub(a, b));
    case HTP_Eq:
    case HTP_NotEq: {
      const Term d = t.sub(a, b), e = t.sub(b, a);
      Term is = 0;
      if (const auto k = t.constant(d))
        is = t.symbol(*k == 0 ? "True" : "False");
      else
        is = truth("zero", {std::min(d, e)});
      return op == HTP_Eq ? is : negated(is);
    }
    default: fail(n, "`" + c.show(n) + "` has no meaning here");
    }
  }
  switch (op) {
  case HTP_Lt: return function("lt", {a, b}, n);
  case HTP_LtE: return function("le", {a, b}, n);
  case HTP_Gt: return function("gt", {a, b}, n);
  case HTP_GtE: return function("ge", {a, b}, n);
  case HTP_Eq: return function("eq", {a, b}, n);
  case HTP_NotEq: return function("ne", {a, b}, n);
  default: fail(n, "`" + c.show(n) + "` has no meaning here");
  }
}

} // namespace htp::validator
