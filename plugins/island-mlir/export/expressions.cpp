#include "export/affine.h"

#include <charconv>
#include <cmath>

namespace htp::mlir {

namespace {

// What a float type can hold at most, and how MLIR writes its infinities.
struct FloatType {
  std::string_view type;
  double largest;
  const char *infinity, *minus_infinity;
};
constexpr FloatType float_types[] = {
    {"f16", 65504.0, "0x7C00", "0xFC00"},
    {"bf16", 3.3895313892515355e38, "0x7F80", "0xFF80"},
    {"f32", 3.4028234663852886e38, "0x7F800000", "0xFF800000"},
    {"f64", 1.7976931348623157e308, "0x7FF0000000000000", "0xFFF0000000000000"},
};

std::string decimal(double d) {
  char buffer[40];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, d).ptr);
  if (text.find('.') == std::string::npos) text.insert(std::min(text.find('e'), text.size()), ".0");
  return text;
}

} // namespace

std::string plain(std::string_view name) {
  std::string result;
  for (const char ch : name) {
    const bool letter = (ch >= 'a' && ch <= 'z') || (ch >= 'A' && ch <= 'Z') || (ch >= '0' && ch <= '9');
    result += letter ? ch : '_';
  }
  return result;
}

std::string quoted(std::string_view text) {
  constexpr const char *hex = "0123456789ABCDEF";
  std::string result = "\"";
  for (const char ch : text) {
    const auto byte = static_cast<unsigned char>(ch);
    if (ch == '"' || ch == '\\' || byte < 32 || byte > 126)
      (result += '\\', result += hex[byte >> 4]) += hex[byte & 15];
    else
      result += ch;
  }
  return result + "\"";
}

// ── constants ─────────────────────────────────────────────────────────────────────────────────────────────────────

Named Expressions::constant(const std::string &text, const std::string &type, Node node) {
  const std::string spelled = node ? " loc(" + quoted("=" + c.show(node)) + ")" : std::string();
  const std::string value = "arith.constant " + text + (type == "i1" ? "" : " : " + type) + spelled;
  const auto [at, first] = known_.try_emplace(value);
  if (first) {
    at->second = Named{fresh("c"), type};
    constants_.push_back(at->second.name + " = " + value);
  }
  return at->second;
}
Named Expressions::literal(const Number &n, const std::string &type, Node node) {
  if (is_float(type)) {
    const double d = n.as_double();
    for (const FloatType &f : float_types) {
      if (f.type != type) continue;
      if (std::isinf(d)) return constant(d > 0 ? f.infinity : f.minus_infinity, type, node);
      if (std::fabs(d) > f.largest || (!n.real && std::llabs(n.i) > (int64_t{1} << 53)))
        refuse(node, diag::no_literal, c.show(node), type);
    }
    return constant(decimal(d), type, node);
  }
  if (n.real) refuse(node, diag::no_literal, c.show(node), type);
  if (type == "i1") return constant(n.i ? "true" : "false", type, node);
  const int bits = std::stoi(type.substr(1));
  const int64_t most = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
  if (n.i > most || n.i < -most - 1) refuse(node, diag::no_literal, c.show(node), type);
  return constant(std::to_string(n.i), type, node);
}

// ── ints ──────────────────────────────────────────────────────────────────────────────────────────────────────────

Named Expressions::known(const Environment &names, Node n) const {
  const auto name = c.name_of(n);
  const auto at = names.find(name);
  if (at == names.end()) refuse(n, diag::not_ready, name);
  return at->second;
}

Named Expressions::index(const Environment &names, Node n, std::string_view name) {
  if (const auto value = p.constants().number(n)) {
    if (value->real || value->truth) refuse(n, diag::not_index, c.show(n));
    return index_constant(value->i, n);
  }
  if (const auto id = c.name_of(n); !id.empty()) {
    const Symbol *s = p.symbol(id);
    if (!s || s->sort != Symbol::Sort::integer) refuse(n, diag::not_index, id);
    return known(names, n);
  }
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_USub) {
    const Named zero = index_constant(0, HTP_NONE), v = index(names, u.operand());
    return operation("minus", "arith.subi " + zero.name + ", " + v.name + " : index", "index", name);
  }
  if (auto b = c.as<ast::BinOp>(n)) {
    const htp_op op = b.op();
    const std::string_view suffix = op == HTP_Add ? "addi" : op == HTP_Sub ? "subi" : op == HTP_Mult ? "muli" : "";
    if (!suffix.empty()) {
      const Named l = index(names, b.left()), r = index(names, b.right());
      return operation("at", "arith." + std::string(suffix) + " " + l.name + ", " + r.name + " : index", "index", name);
    }
    if (op == HTP_FloorDiv || op == HTP_Mod) {
      const auto by = p.constants().integer(b.right());
      if (!by || *by == 0 || *by == -1) refuse(n, diag::divisor, c.show(n), c.show(b.right()));
      const Named l = index(names, b.left()), r = index_constant(*by, b.right());
      const std::string quotient = "arith.floordivsi " + l.name + ", " + r.name + " : index";
      if (op == HTP_FloorDiv) return operation("quotient", quotient, "index", name);
      const Named q = operation("quotient", quotient, "index");
      const Named whole = operation("whole", "arith.muli " + q.name + ", " + r.name + " : index", "index");
      return operation("rest", "arith.subi " + l.name + ", " + whole.name + " : index", "index", name);
    }
  }
  if (auto call = c.as<ast::Call>(n); call && call.args().size() == 2 && call.keywords().empty())
    if (const auto function = c.name_of(call.func()); function == "min" || function == "max") {
      const Named l = index(names, call.args()[0]), r = index(names, call.args()[1]);
      return operation(function, "arith." + std::string(function) + "si " + l.name + ", " + r.name + " : index",
                       "index", name);
    }
  if (p.cpu_intrinsic(n).empty()) refuse(n, diag::not_index, c.show(n));
  refuse(n, diag::no_operation, "`" + c.show(n) + "`");
}

// ── conditions over ints ──────────────────────────────────────────────────────────────────────────────────────────

Named Expressions::truth(const Environment &names, Node n) {
  if (auto cmp = c.as<ast::Compare>(n)) {
    Named left = index(names, cmp.left()), all;
    for (size_t k = 0; k < cmp.ops().size(); ++k) {
      const auto op = cmp.ops()[k];
      const char *predicate = op == HTP_Eq      ? "eq"
                              : op == HTP_NotEq ? "ne"
                              : op == HTP_Lt    ? "slt"
                              : op == HTP_LtE   ? "sle"
                              : op == HTP_Gt    ? "sgt"
                              : op == HTP_GtE   ? "sge"
                                                : nullptr;
      if (!predicate) refuse(n, diag::not_ready, c.show(n));
      const Named right = index(names, cmp.comparators()[k]);
      const Named one = operation(
          "is", "arith.cmpi " + std::string(predicate) + ", " + left.name + ", " + right.name + " : index", "i1");
      all = k == 0 ? one : operation("both", "arith.andi " + all.name + ", " + one.name + " : i1", "i1");
      left = right;
    }
    return all;
  }
  if (auto b = c.as<ast::BoolOp>(n)) {
    Named all = truth(names, b.values()[0]);
    for (const Node v : b.values().subspan(1)) {
      const Named next = truth(names, v);
      const bool both = b.op() == HTP_And;
      all = operation(both ? "both" : "either",
                      std::string(both ? "arith.andi " : "arith.ori ") + all.name + ", " + next.name + " : i1", "i1");
    }
    return all;
  }
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) {
    const Named v = truth(names, u.operand()), yes = constant("true", "i1", HTP_NONE);
    return operation("not", "arith.xori " + v.name + ", " + yes.name + " : i1", "i1");
  }
  if (const Symbol *s = p.symbol(c.name_of(n)); s && s->sort == Symbol::Sort::truth) return known(names, n);
  if (const auto number = p.constants().number(n); number && number->truth) return literal(*number, "i1", n);
  const Named v = index(names, n), zero = index_constant(0, HTP_NONE);
  return operation("is", "arith.cmpi ne, " + v.name + ", " + zero.name + " : index", "i1");
}

// ── scalars and memory ────────────────────────────────────────────────────────────────────────────────────────────

bool Expressions::is_scalar(Node n) const {
  const Symbol *s = p.symbol(c.name_of(n));
  return s && s->sort == Symbol::Sort::scalar;
}

Named Expressions::operand(const Environment &names, Node n, const std::string &type, std::string_view name) {
  if (is_scalar(n)) {
    Named v = known(names, n);
    if (v.type != type) refuse(n, diag::not_ready, c.show(n));
    return v;
  }
  if (const auto number = p.constants().number(n)) return literal(*number, type, n);
  const Named v = index(names, n);
  if (!is_float(type)) return opaque("splat", {v}, {}, {}, type, name);
  const Named wide = operation("wide", "arith.index_cast " + v.name + " : index to i64", "i64");
  return operation("real", "arith.sitofp " + wide.name + " : i64 to " + type, type, name);
}

Named Expressions::memory(const Environment &names, Node n) {
  const Symbol *s = p.symbol(c.name_of(n));
  if (!s || s->sort != Symbol::Sort::memory) refuse(n, diag::not_ready, c.show(n));
  return known(names, n);
}

std::string Expressions::access(std::string_view operation, const Environment &names, Node where, Node of, Nodes at,
                                const std::string &value) {
  const Named m = memory(names, of);
  if (at.size() != p.symbol(c.name_of(of))->extents.size()) refuse(where, diag::not_ready, c.show(where));
  const std::string indices =
      join(at, ", ", [&](Node n) { return affine_ ? affine_->expression(names, n) : index(names, n).name; });
  return (affine_ ? "affine." : "memref.") + std::string(operation) + " " + value + (value.empty() ? "" : ", ") +
         m.name + "[" + indices + "] : " + m.type;
}

Named Expressions::opaque(std::string_view intrinsic, const std::vector<Named> &operands,
                          const std::vector<std::string> &keywords, const std::vector<std::string> &attributes,
                          const std::string &type, std::string_view name) {
  std::vector<std::string> all = attributes;
  if (!keywords.empty()) all.push_back("htp.keywords = [" + join(keywords, ", ", quoted) + "]");
  const std::string dictionary =
      all.empty() ? "" : " {" + join(all, ", ", [](const std::string &s) { return s; }) + "}";
  const std::string text = "\"cpu." + std::string(intrinsic) + "\"(" + names_of(operands) + ")" + dictionary + " : (" +
                           types_of(operands) + ") -> " + (type.empty() ? "()" : type);
  if (!type.empty()) return operation(intrinsic, text, type, name);
  line(text + place());
  return {};
}

std::vector<std::string> Expressions::attributes(Nodes keywords) {
  std::vector<std::string> result;
  for (const Node k : keywords) {
    const auto kw = c.get<ast::keyword>(k);
    std::string_view text;
    const auto constant = c.as<ast::Constant>(kw.value());
    if (constant && constant.value().type == HTP_CONST_NONE) continue;
    if (c.string(kw.value(), &text))
      result.push_back(std::string(kw.arg()) + " = " + quoted(text));
    else if (const auto n = p.constants().number(kw.value()); n && n->truth)
      result.push_back(std::string(kw.arg()) + (n->i ? " = true" : " = false"));
    else
      refuse(k, diag::no_operation, "`" + c.show(k) + "`");
  }
  return result;
}

Named Expressions::conversion(const Named &v, const std::string &type, Node where, Nodes keywords,
                              std::string_view name) {
  const bool from = is_float(v.type), to = is_float(type);
  const auto bits = [](const std::string &t) { return std::stoi(t.substr(t.find_first_of("0123456789"))); };
  const std::vector<std::string> asked = attributes(keywords);
  std::string conversion;
  if (!asked.empty() || type == "i1" || v.type == type)
    conversion.clear();
  else if (from && to && bits(v.type) != bits(type))
    conversion = bits(type) > bits(v.type) ? "arith.extf" : "arith.truncf";
  else if (v.type == "i1")
    conversion = to ? "arith.uitofp" : "arith.extui";
  else if (!from && to)
    conversion = "arith.sitofp";
  else if (!from && !to)
    conversion = bits(type) > bits(v.type) ? "arith.extsi" : "arith.trunci";
  if (type.empty()) refuse(where, diag::no_operation, "`" + c.show(where) + "`");
  if (conversion.empty()) return opaque("cast", {v}, {}, asked, type, name);
  return operation("cast", conversion + " " + v.name + " : " + v.type + " to " + type, type, name);
}

Named Expressions::computed(const Environment &names, Node n, const std::string &type, std::string_view name) {
  const std::string intrinsic = p.cpu_intrinsic(n);
  if (!c.is(n, HTP_Call) || intrinsic.empty()) return operand(names, n, type);
  const auto call = c.get<ast::Call>(n);
  const Nodes a = call.args(), keywords = call.keywords();
  if (intrinsic == "get" && !a.empty()) {
    const Named m = memory(names, a[0]);
    if (!m.type.ends_with("x" + type + ">")) refuse(n, diag::not_ready, c.show(n));
    if (keywords.empty()) return operation(name, access("load", names, n, a[0], a.subspan(1)), type, name);
    if (affine_) refuse(n, diag::not_affine, c.show(n));
    std::vector<Named> operands{m};
    for (const Node at : a.subspan(1)) operands.push_back(index(names, at));
    const auto kw = c.get<ast::keyword>(keywords[0]);
    if (keywords.size() != 1 || kw.arg() != "outside") refuse(n, diag::no_operation, "`" + c.show(n) + "`");
    operands.push_back(operand(names, kw.value(), type));
    return opaque("get", operands, {"outside"}, {}, type, name);
  }
  if (intrinsic == "splat" && a.size() == 2 && keywords.empty()) return operand(names, a[1], type, name);
  if (intrinsic == "index" && a.size() == 2) return opaque("index", {index(names, a[1])}, {}, {}, type, name);
  if (intrinsic == "cast" && !a.empty() && is_scalar(a[0]))
    return conversion(known(names, a[0]), type, n, keywords, name);
  if (intrinsic == "where" && a.size() == 3) {
    const Named when = operand(names, a[0], "i1"), yes = operand(names, a[1], type), no = operand(names, a[2], type);
    return operation("where", "arith.select " + when.name + ", " + yes.name + ", " + no.name + " : " + type, type,
                     name);
  }
  const Intrinsic *w = intrinsic_named(intrinsic);
  if (!w || a.size() != w->operands || !keywords.empty()) refuse(n, diag::no_operation, "`" + c.show(n) + "`");
  std::string of = type;
  if (w->compares || intrinsic == "above" || intrinsic == "below") {
    of.clear();
    for (const Node x : a)
      if (is_scalar(x)) of = known(names, x).type;
    if (of.empty() || type != "i1") refuse(n, diag::not_ready, c.show(n));
  }
  std::vector<Named> operands;
  for (const Node x : a) operands.push_back(operand(names, x, of));
  const std::string_view op = is_float(of) ? w->of_floats : of == "i1" ? w->of_truths : w->of_ints;
  if (op.empty()) return opaque(intrinsic, operands, {}, {}, type, name);
  if (w->compares)
    return operation(intrinsic,
                     std::string(is_float(of) ? "arith.cmpf " : "arith.cmpi ") + std::string(op) + ", " +
                         names_of(operands) + " : " + of,
                     type, name);
  return operation(intrinsic, std::string(op) + " " + names_of(operands) + " : " + of, type, name);
}

} // namespace htp::mlir
