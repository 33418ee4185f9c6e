#include "import/texts.h"

#include <charconv>
#include <cmath>

namespace htp::mlir {

namespace {

double from_bits(uint64_t bits, unsigned exponent, unsigned fraction) {
  const int bias = (1 << (exponent - 1)) - 1;
  const uint64_t f = bits & ((uint64_t{1} << fraction) - 1);
  const int e = static_cast<int>((bits >> fraction) & ((uint64_t{1} << exponent) - 1));
  double value = std::ldexp(static_cast<double>(f), -static_cast<int>(fraction));
  if (e == (1 << exponent) - 1)
    value = f ? std::nan("") : HUGE_VAL;
  else
    value = e ? std::ldexp(1 + value, e - bias) : std::ldexp(value, 1 - bias);
  return (bits >> (exponent + fraction)) & 1 ? -value : value;
}

// Whether two numbers are the same one in a type.
bool same(double a, double b, const std::string &type) {
  if (a == b) return std::signbit(a) == std::signbit(b);
  if (type == "f32") return static_cast<float>(a) == static_cast<float>(b);
  return type != "f64" && std::fabs(a - b) <= std::fabs(b) * (type == "bf16" ? 0x1p-9 : 0x1p-12);
}

std::string_view sign_of(std::string_view predicate) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {{"eq", " == "},  {"ne", " != "}, {"slt", " < "},
                                                                     {"sle", " <= "}, {"sgt", " > "}, {"sge", " >= "}};
  for (const auto &[name, sign] : signs)
    if (name == predicate) return sign;
  return {};
}

} // namespace

Number Texts::number(const Operation &op, const std::string &type) const {
  std::string text(attribute(op, "value"));
  if (type == "i1") {
    if (text != "true" && text != "false") refuse(op, diag::no_python_constant, text);
    return Number::boolean(text == "true");
  }
  const size_t colon = text.find(" : ");
  if (colon == std::string::npos || text.substr(colon + 3) != type) refuse(op, diag::no_python_constant, text);
  text.resize(colon);
  const char *const end = text.data() + text.size();
  if (!is_float(type)) {
    int64_t n = 0;
    if (std::from_chars(text.data(), end, n).ptr != end) refuse(op, diag::no_python_constant, text);
    return Number::integer(n);
  }
  if (text.starts_with("0x")) {
    uint64_t bits = 0;
    if (std::from_chars(text.data() + 2, end, bits, 16).ptr != end) refuse(op, diag::no_python_constant, text);
    const double d = type == "f64"    ? from_bits(bits, 11, 52)
                     : type == "f32"  ? from_bits(bits, 8, 23)
                     : type == "bf16" ? from_bits(bits, 8, 7)
                                      : from_bits(bits, 5, 10);
    if (std::isnan(d)) refuse(op, diag::no_python_constant, "NaN");
    return Number::floating(d);
  }
  double d = 0;
  if (std::from_chars(text.data(), end, d).ptr != end) refuse(op, diag::no_python_constant, text);
  return Number::floating(d);
}

std::string Texts::literal(const Operation &op, const std::string &type) const {
  const Number n = number(op, type);
  if (op.place.starts_with("=")) {
    const std::string spelled = op.place.substr(1);
    const Node node = c.parse(spelled, HTP_NONE);
    const auto value = node ? p.constants().number(node) : std::nullopt;
    if (value && (is_float(type) ? same(value->as_double(), n.as_double(), type) : !value->real && value->i == n.i))
      return spelled;
  }
  if (type == "i1") return n.i ? "True" : "False";
  if (!is_float(type)) return std::to_string(n.i);
  if (std::isinf(n.f)) return n.f > 0 ? "1e309" : "-1e309";
  char buffer[40];
  std::string text(buffer, std::to_chars(buffer, buffer + sizeof buffer, n.f).ptr);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string Texts::text(size_t number) const {
  const Value &v = values_[number];
  if (!values_.inlined(number)) return values_.name(number);
  if (v.from->name == "arith.constant") return literal(*v.from, v.type);
  return v.sort == Symbol::Sort::truth ? truth(number) : expression(number);
}

std::string Texts::expression(size_t number) const {
  const Value &v = values_[number];
  const Operation &op = *v.from;
  const auto infix = [&](const char *sign) { return "(" + text(v.operands[0]) + sign + text(v.operands[1]) + ")"; };
  if (op.name == "memref.dim") return extent(v);
  if (v.operands.size() != 2) refuse(op, diag::no_python, op.name);
  if (values_.is_remainder(v)) {
    const Value &whole = values_[v.operands[1]];
    return "(" + text(v.operands[0]) + " % " + text(whole.operands[1]) + ")";
  }
  if (op.name == "arith.subi" && values_.is_constant(v.operands[0]) && zero(v.operands[0]) && !spelled(v.operands[0]))
    return "(-" + text(v.operands[1]) + ")";
  if (op.name == "arith.addi") return infix(" + ");
  if (op.name == "arith.subi") return infix(" - ");
  if (op.name == "arith.muli") return infix(" * ");
  if (op.name == "arith.minsi") return "min(" + text(v.operands[0]) + ", " + text(v.operands[1]) + ")";
  if (op.name == "arith.maxsi") return "max(" + text(v.operands[0]) + ", " + text(v.operands[1]) + ")";
  if (op.name == "arith.floordivsi") return infix(" // ");
  if (op.name == "arith.ceildivsi") return "(-((-" + text(v.operands[0]) + ") // " + text(v.operands[1]) + "))";
  refuse(op, diag::no_python_of, op.name, "index");
}
bool Texts::zero(size_t number) const { return this->number(*values_[number].from, values_[number].type).i == 0; }
bool Texts::spelled(size_t number) const { return values_[number].from->place.starts_with("="); }

std::string Texts::extent(const Value &v) const {
  const Symbol *s = p.symbol(values_.name(v.operands[0]));
  if (!s || !values_.is_constant(v.operands[1])) refuse(*v.from, diag::unknown_extent, v.from->name);
  const auto at = number(*values_[v.operands[1]].from, "index").i;
  if (at < 0 || static_cast<size_t>(at) >= s->extents.size()) refuse(*v.from, diag::unknown_extent, v.from->name);
  return "(" + c.show(s->extents[static_cast<size_t>(at)]) + ")";
}

int64_t Texts::predicate(const Operation &op) {
  const std::string_view text = attribute(op, "predicate");
  int64_t n = -1;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

std::string Texts::truth(size_t number) const {
  const Value &v = values_[number];
  if (values_.is_constant(number)) return literal(*v.from, "i1");
  if (v.sort != Symbol::Sort::truth) refuse(*v.from, diag::mixed_condition, v.from->name);
  if (!values_.inlined(number)) return values_.name(number);
  const Operation &op = *v.from;
  if (v.operands.size() != 2) refuse(op, diag::no_python, op.name);
  if (op.name == "arith.cmpi") {
    const std::string_view name = predicate_of(false, predicate(op)), sign = sign_of(name);
    if (sign.empty()) refuse(op, diag::no_python_comparison, name);
    // An int as a condition.
    if (name == "ne" && values_.is_constant(v.operands[1]) && zero(v.operands[1]) && !spelled(v.operands[1]))
      return text(v.operands[0]);
    return text(v.operands[0]) + std::string(sign) + text(v.operands[1]);
  }
  if (op.name == "arith.xori") {
    if (values_.is_constant(v.operands[1]) && this->number(*values_[v.operands[1]].from, "i1").i == 1)
      return "(not (" + truth(v.operands[0]) + "))";
    const std::string a = truth(v.operands[0]), b = truth(v.operands[1]);
    return "((" + a + ") and (not (" + b + ")) or (not (" + a + ")) and (" + b + "))";
  }
  // a and b and c: what is the left side of the same operator belongs to it.
  const std::string joint = op.name == "arith.andi" ? " and " : " or ";
  const Value &left = values_[v.operands[0]];
  std::string first = truth(v.operands[0]);
  const bool same_operator = left.from && left.from->name == op.name && values_.inlined(v.operands[0]);
  if (same_operator)
    first = first.substr(1, first.size() - 2);
  else
    first = "(" + first + ")";
  return "(" + first + joint + "(" + truth(v.operands[1]) + "))";
}

} // namespace htp::mlir
