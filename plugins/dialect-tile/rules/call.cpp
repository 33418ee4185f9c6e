// A call's arguments by parameter, and what typing rules ask of them.
#include "rules/rules.h"

#include "language/check.h"

namespace htp::tile {

Call::Call(const Context &context, const htp_intrinsic &intrinsic, Node call, Nodes types)
    : c(context), row(intrinsic), node(call) {
  auto k = c.get<ast::Call>(call);
  const auto type = [&](size_t i) { return i < types.size() ? types[i] : HTP_NONE; };
  size_t at = 0;
  uint32_t p = 0;
  for (; p < row.parameter_count && at < k.args().size() && !row.parameters[p].keyword_only; ++p) {
    const htp_parameter &parameter = row.parameters[p];
    do {
      slots_.push_back({parameter_name(parameter), &parameter, k.args()[at], type(at)});
      ++at;
    } while (is_variadic(parameter) && at < k.args().size());
  }
  // The rest came by keyword, in the intrinsic's own order.
  for (size_t next = k.args().size(), q = p; q < row.parameter_count; ++q, ++next)
    for (const Node w : k.keywords())
      if (auto keyword = c.get<ast::keyword>(w); keyword.arg() == row.parameters[q].name)
        slots_.push_back({keyword.arg(), &row.parameters[q], keyword.value(), type(next)});
}

const Call::Slot *Call::find(std::string_view parameter) const {
  for (const Slot &s : slots_)
    if (s.name == parameter) return &s;
  return nullptr;
}

Node Call::argument(std::string_view parameter) const {
  const Slot *s = find(parameter);
  return s ? s->argument : HTP_NONE;
}
Node Call::annotation(std::string_view parameter) const {
  const Slot *s = find(parameter);
  return s ? s->annotation : HTP_NONE;
}

bool Call::given(std::string_view parameter) const {
  const Node n = argument(parameter);
  auto k = c.as<ast::Constant>(n);
  return n && !(k && k.value().type == HTP_CONST_NONE);
}

std::vector<std::pair<Node, Node>> Call::variadic() const {
  std::vector<std::pair<Node, Node>> result;
  for (const Slot &s : slots_)
    if (is_variadic(*s.parameter)) result.emplace_back(s.argument, s.annotation);
  return result;
}

std::optional<Type> Call::tile(std::string_view parameter) const {
  const Node n = argument(parameter);
  auto type = read_type(c, annotation(parameter));
  if (type && type->form == "Tile" && accepts(parameter, type->dtype)) return type;
  if (!type || type->form != "Tile")
    c.report(diag::not_a_tile, n ? n : node, parameter, row.name, n ? shown(n) : "nothing");
  return std::nullopt;
}

std::optional<Type> Call::tensor(std::string_view parameter) const {
  const Node n = argument(parameter);
  auto type = read_type(c, annotation(parameter));
  if (type && type->form == "Tensor") return type;
  auto report = c.report(diag::not_indexable, n ? n : node, n ? c.show(n) : std::string(parameter));
  if (type && type->form == "Tile" && row.rule == std::string_view("load"))
    report.hint("a tile is indexed as it is: `" + shown(n) + "[…]`");
  return std::nullopt;
}

namespace {

// What is meant where an operation of integers is given floats: a cast would take other numbers.
struct OfFloats {
  std::string_view intrinsic, hint; // `{a}` and `{b}` are the operands
};
constexpr OfFloats of_floats[] = {
    {"tile.floordiv", "floats have their quotient, rounded down: `floor({a} / {b})`"},
    {"tile.mod", "of floats: `{a} - floor({a} / {b}) * {b}`"},
    {"tile.bit_and", "both are other than 0: `({a} != 0.0) & ({b} != 0.0)`, a mask"},
    {"tile.bit_or", "one is other than 0: `({a} != 0.0) | ({b} != 0.0)`, a mask"},
    {"tile.bit_xor", "just one is other than 0: `({a} != 0.0) ^ ({b} != 0.0)`, a mask"},
};

// With what binds less than `*` in parentheses.
std::string factor(const Call &call, Node n) {
  const Node origin = call.c.record(n).origin ? call.c.record(n).origin : n;
  const std::string text = call.shown(n);
  return call.c.is(origin, HTP_BinOp) || call.c.is(origin, HTP_Compare) ? "(" + text + ")" : text;
}

} // namespace

bool Call::accepts(std::string_view parameter, const std::string &dtype) const {
  const Slot *s = find(parameter);
  const std::string_view wanted = s ? s->parameter->annotation : "";
  const DtypeClass kind = dtype_class(dtype);
  const char *expected = nullptr;
  if (has_name(wanted, "Floating") && kind != DtypeClass::floating)
    expected = "a floating-point dtype";
  else if (has_name(wanted, "Integer") && kind != DtypeClass::integer)
    expected = "an integer dtype";
  else if (has_name(wanted, "Bits") && (kind == DtypeClass::floating || kind == DtypeClass::storage))
    expected = "an integer dtype or bool_";
  else if (has_name(wanted, "Number") && kind == DtypeClass::boolean)
    expected = "a number";
  else if (has_name(wanted, "Number") && kind == DtypeClass::storage)
    expected = "a dtype to calculate with";
  else if (has_name(wanted, "bool_") && kind != DtypeClass::boolean)
    expected = "bool_";
  if (!expected) return true;
  auto report = c.report(diag::wrong_dtype, s->argument, row.name, expected, dtype);
  if (has_name(wanted, "bool_"))
    report.hint("compare: `" + shown(s->argument) + " != 0`")
        .fix(s->argument, "(" + shown(s->argument) + " != 0)", "compare with 0");
  else if (const auto meant = std::ranges::find(of_floats, std::string_view(row.name), &OfFloats::intrinsic);
           meant != std::end(of_floats) && kind == DtypeClass::floating && argument("a") && argument("b")) {
    std::string hint(meant->hint);
    for (const auto &[name, operand] : {std::pair{"{a}", argument("a")}, std::pair{"{b}", argument("b")}})
      for (size_t at = hint.find(name); at != std::string::npos; at = hint.find(name))
        hint.replace(at, 3, factor(*this, operand));
    report.hint(hint);
  } else
    report.hint("cast it: `cast(" + shown(s->argument) +
                (has_name(wanted, "Integer") || has_name(wanted, "Bits") ? ", i32)`" : ", f32)`"));
  return false;
}

bool Call::literal(Node argument, const std::string &dtype) const {
  Node digits = argument;
  bool negative = false;
  if (auto u = c.as<ast::UnaryOp>(digits); u && u.op() == HTP_USub) digits = u.operand(), negative = true;
  auto k = c.as<ast::Constant>(digits);
  if (!k) return true; // a compile-time value that is no literal: not ours to judge
  const htp_const &value = k.value();
  const DtypeClass kind = dtype_class(dtype);
  bool good = false;
  switch (value.type) {
  case HTP_CONST_TRUE:
  case HTP_CONST_FALSE: good = kind == DtypeClass::boolean; break;
  case HTP_CONST_FLOAT: good = kind == DtypeClass::floating || kind == DtypeClass::storage; break;
  case HTP_CONST_INT: {
    if (kind != DtypeClass::integer) {
      good = kind == DtypeClass::floating || kind == DtypeClass::storage;
      break;
    }
    const unsigned bits = static_cast<unsigned>(std::stoi(dtype.substr(1)));
    const bool is_signed = dtype[0] == 'i';
    const uint64_t magnitude = value.u.i < 0 ? UINT64_MAX : static_cast<uint64_t>(value.u.i);
    if (value.u.i < 0) {
      // Digits beyond int64: at most the upper half of u64, or the lowest i64.
      const std::string_view text = c.text(value.text);
      constexpr std::string_view lowest = "9223372036854775808", highest = "18446744073709551615";
      good = negative ? dtype == "i64" && text == lowest
                      : dtype == "u64" &&
                            (text.size() < highest.size() || (text.size() == highest.size() && text <= highest));
      break;
    }
    const uint64_t most = is_signed    ? (uint64_t{1} << (bits - 1)) - (negative ? 0 : 1)
                          : bits == 64 ? UINT64_MAX
                                       : (uint64_t{1} << bits) - 1;
    good = is_signed || !negative || magnitude == 0 ? magnitude <= most : false;
    break;
  }
  default: break;
  }
  if (!good) {
    auto report =
        c.report(diag::literal_dtype, argument, c.show(argument), dtype == "bool_" ? "a bool_" : "a value of " + dtype);
    report.hint(kind == DtypeClass::integer ? "write an int in the range of " + dtype
                                            : "cast the tile, or write another literal");
    // What is the same number in another spelling.
    if (kind == DtypeClass::boolean && value.type == HTP_CONST_INT && !negative && value.u.i >= 0 && value.u.i <= 1)
      report.fix(argument, value.u.i ? "True" : "False", "write a bool");
    if (kind == DtypeClass::floating && (value.type == HTP_CONST_TRUE || value.type == HTP_CONST_FALSE))
      report.fix(argument, value.type == HTP_CONST_TRUE ? "1.0" : "0.0", "write a float");
  }
  return good;
}

std::string Call::shown(Node operand) const {
  Node n = operand;
  while (const Node origin = n ? c.record(n).origin : HTP_NONE) {
    if (c.info(origin).group != HTP_GROUP_EXPR) break;
    n = origin;
  }
  return c.show(n);
}

Node Call::nothing() const { return c.make(make::Constant{.value = Literal{}}, node); }

std::string shape_text(const std::vector<Extent> &extents) {
  std::string result;
  for (const Extent &e : extents) result += (result.empty() ? "" : ", ") + e.text();
  return result;
}

std::optional<std::vector<Extent>> joined(const Call &call, const std::vector<Extent> &a, const std::vector<Extent> &b,
                                          Node where) {
  // The last extents stand under each other: what is missing in front is 1.
  const size_t rank = std::max(a.size(), b.size());
  std::vector<Extent> result(rank - a.size(), Extent::of(1)), other(rank - b.size(), Extent::of(1));
  result.insert(result.end(), a.begin(), a.end());
  other.insert(other.end(), b.begin(), b.end());
  for (size_t k = 0; k < rank; ++k) {
    if (result[k].is(1)) {
      result[k] = other[k];
    } else if (!(result[k] == other[k]) && !other[k].is(1)) {
      auto report = call.c.report(diag::shape_mismatch, where, result[k].text(), other[k].text(), k, call.row.name);
      if (a.size() == b.size())
        report.hint("index both operands with the same block, or make one extent 1");
      else
        report.hint("the last extents stand under each other: `" + shape_text(a) + "` and `" + shape_text(b) +
                    "`; `reshape` puts extents of 1 elsewhere");
      return std::nullopt;
    }
  }
  return result;
}

Node type_of_call(const Context &c, const htp_intrinsic &row, Node node, Nodes types) {
  const Call call(c, row, node, types);
  if (!good_with_parts(call)) return HTP_NONE;
  const std::string_view rule = row.rule;
#define RULE(name)                                                                                                     \
  if (rule == #name) return name(call);
#include "rules/rules.def"
#undef RULE
  c.report(diag::unknown_rule, node, row.name, rule);
  return HTP_NONE;
}

} // namespace htp::tile
