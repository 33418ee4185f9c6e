// The expressions of a kernel: what each one is.
#include "language/checker.h"

#include "htp_cpp/suggest.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::tile {
namespace {

struct Operator {
  htp_op op;
  const char *method;
  const char *symbol;
};
constexpr Operator operators[] = {{HTP_Add, "__add__", "+"},
                                  {HTP_Sub, "__sub__", "-"},
                                  {HTP_Mult, "__mul__", "*"},
                                  {HTP_MatMult, "__matmul__", "@"},
                                  {HTP_Div, "__truediv__", "/"},
                                  {HTP_Mod, "__mod__", "%"},
                                  {HTP_Pow, "__pow__", "**"},
                                  {HTP_LShift, "__lshift__", "<<"},
                                  {HTP_RShift, "__rshift__", ">>"},
                                  {HTP_BitOr, "__or__", "|"},
                                  {HTP_BitXor, "__xor__", "^"},
                                  {HTP_BitAnd, "__and__", "&"},
                                  {HTP_FloorDiv, "__floordiv__", "//"},
                                  {HTP_Invert, "__invert__", "~"},
                                  {HTP_UAdd, "__pos__", "+"},
                                  {HTP_USub, "__neg__", "-"},
                                  {HTP_Eq, "__eq__", "=="},
                                  {HTP_NotEq, "__ne__", "!="},
                                  {HTP_Lt, "__lt__", "<"},
                                  {HTP_LtE, "__le__", "<="},
                                  {HTP_Gt, "__gt__", ">"},
                                  {HTP_GtE, "__ge__", ">="},
                                  {HTP_Is, "", "is"},
                                  {HTP_IsNot, "", "is not"},
                                  {HTP_In, "", "in"},
                                  {HTP_NotIn, "", "not in"}};

// What ints are made of: indices and extents, which every backend has.
constexpr htp_op int_operators[] = {HTP_Add, HTP_Sub,   HTP_Mult, HTP_FloorDiv, HTP_Mod, HTP_UAdd, HTP_USub,
                                    HTP_Eq,  HTP_NotEq, HTP_Lt,   HTP_LtE,      HTP_Gt,  HTP_GtE};

const Operator &operator_of(htp_op op) {
  for (const Operator &o : operators)
    if (o.op == op) return o;
  return operators[0];
}

const htp_intrinsic *method_of(const htp_intrinsics *set, std::string_view method) {
  for (uint32_t i = 0; set && i < set->count; ++i)
    if (set->rows[i].method && set->rows[i].method == method) return &set->rows[i];
  return nullptr;
}

struct Refused {
  htp_kind kind;
  const char *text;
  const char *hint;
};
constexpr Refused refused[] = {
#define CONSTRUCT(kind, text, hint) {HTP_##kind, text, hint},
#include "language/constructs.def"
#undef CONSTRUCT
};

} // namespace

std::string_view Checker::symbol_of(htp_op op) { return operator_of(op).symbol; }

void Checker::refuse(Node n) {
  for (const Refused &r : refused) {
    if (!c.is(n, r.kind)) continue;
    auto report = c.report(diag::unsupported, n, r.text);
    if (*r.hint) report.hint(r.hint);
    return;
  }
  c.report(diag::unsupported, n, "`" + std::string(c.info(n).name ? c.info(n).name : "unknown construct") + "`");
}

// What is made of the module's texts and tuples: `TILE[0]`, `len(TILE)`, `MODE == "relu"`.
std::optional<Number> Checker::of_collection(Node n) const {
  Node of = HTP_NONE;
  if (auto s = c.as<ast::Subscript>(n)) of = s.value();
  if (auto k = c.as<ast::Call>(n); k && c.name_of(k.func()) == "len" && k.args().size() == 1) of = k.args()[0];
  std::string_view text;
  if (auto k = c.as<ast::Compare>(n))
    of = c.string(k.left(), &text) && k.comparators().size() == 1 ? k.comparators()[0] : k.left();
  if (auto s = c.as<ast::Subscript>(of)) of = s.value();
  const std::string_view name = c.name_of(of);
  const bool module = !name.empty() && !locals_.contains(name) && m_.kind_of(name) == Module::Kind::other;
  return module ? m_.evaluate(n) : std::nullopt;
}

Meaning Checker::expr(Node n) { return meanings_[n] = expression(n); }

Meaning Checker::expression(Node n) {
  if (const auto value = of_collection(n)) return {Sort::number, nullptr, nullptr, value};
  switch (c.kind(n)) {
  case HTP_Name: return name(n);
  case HTP_Attribute: return attribute(n);
  case HTP_Constant: return constant(n);
  case HTP_Subscript: return subscript(n);
  case HTP_BinOp: return binary(n);
  case HTP_UnaryOp: return unary(n);
  case HTP_Compare: return compare(n);
  case HTP_BoolOp: return boolean(n);
  case HTP_Call: return call(n);
  default: refuse(n); return {};
  }
}

Meaning Checker::name(Node n) {
  const std::string_view id = c.name_of(n);
  if (is_local(id)) {
    if (const auto b = bound_.find(id); b != bound_.end()) return b->second.meaning;
    if (const auto gone = lost_.find(id); gone != lost_.end())
      c.report(diag::maybe_unbound, n, id, (gone->second.first == "if" ? "an `" : "a `") + gone->second.first + "`")
          .label(gone->second.second, "bound here")
          .hint("bind it before the `" + gone->second.first + "`");
    else
      c.report(diag::use_before_definition, n, id).label(locals_.find(id)->second.first, "bound here");
    return {};
  }
  switch (m_.kind_of(id)) {
  case Module::Kind::constant: return {Sort::number, nullptr, nullptr, m_.evaluate(n)};
  case Module::Kind::dim: return {Sort::dim};
  case Module::Kind::function: c.report(diag::not_a_value, n, id, "a function"); return {};
  case Module::Kind::other: c.report(diag::not_compile_time, n, id).label(m_.definition(id), "bound here"); return {};
  case Module::Kind::none: break;
  }
  if (!m_.path(n).empty()) return attribute(n);
  auto report = c.report(diag::undefined_name, n, id);
  std::vector<std::string> known = m_.visible();
  for (const auto &[local, where] : locals_) known.push_back(local);
  if (dtype_class(id) != DtypeClass::none)
    suggest_import(report, "htp", id);
  else if (const std::string near = nearest(id, known); !near.empty() && id.size() > 2)
    report.hint("did you mean `" + near + "`?").fix(n, near, "use `" + near + "`");
  return {};
}

// An imported name, or an attribute of an imported module or of a value.
Meaning Checker::attribute(Node n) {
  Node head = n;
  while (auto a = c.as<ast::Attribute>(head)) head = a.value();
  const std::string path = c.is(head, HTP_Name) && !is_local(c.name_of(head)) ? m_.path(n) : std::string();
  if (const auto number = path.starts_with("math.") ? m_.evaluate(n) : std::nullopt)
    return {Sort::number, nullptr, nullptr, number};
  if (path.empty()) {
    auto a = c.get<ast::Attribute>(n);
    const Meaning value = expr(a.value());
    const bool position = a.attr() == "start" || a.attr() == "stop";
    if (value.sort == Sort::block && position && c.is(a.value(), HTP_Name)) return {Sort::integer, own_};
    if (value.sort != Sort::unknown) {
      auto report = c.report(diag::unknown_attribute, n, c.show(a.value()), a.attr());
      const bool holds = value.sort == Sort::tile || value.sort == Sort::tensor;
      if (const std::string known = holds ? instead_of_member(n) : std::string(); !known.empty()) report.hint(known);
    }
    return {};
  }
  if (!m_.dtype(n).empty()) return {Sort::dtype};
  if (path == "htp_tile.whole" || path == "htp.whole") return {Sort::whole};
  if (uint32_t row = 0; c.host()->intrinsic(c.ctx(), str(path), &row)) {
    c.report(diag::not_a_value, n, c.show(n), "an intrinsic").hint("call it: `" + c.show(n) + "(…)`");
  } else if (path == "htp" || path == "htp_tile") {
    c.report(diag::not_a_value, n, c.show(n), "a module");
  } else if (path.starts_with("htp.") || path.starts_with("htp_tile.") || path.starts_with("math.")) {
    const size_t dot = path.find('.');
    if (path.starts_with("math."))
      c.report(diag::unknown_attribute, n, "math", path.substr(dot + 1))
          .hint("of Python's math there are `pi`, `e`, `tau` and `inf`");
    else if (c.is(n, HTP_Attribute))
      c.report(diag::unknown_attribute, n, path.substr(0, dot), path.substr(dot + 1));
    else
      c.report(diag::not_a_value, n, c.show(n), "`" + path + "`");
  }
  return {}; // another plugin's: its typing rule judges it
}

Meaning Checker::constant(Node n) {
  const htp_const &value = c.get<ast::Constant>(n).value();
  switch (value.type) {
  case HTP_CONST_INT:
  case HTP_CONST_FLOAT: return {Sort::number, nullptr, nullptr, m_.evaluate(n)};
  case HTP_CONST_TRUE:
  case HTP_CONST_FALSE: return {Sort::number};
  case HTP_CONST_STR: return {Sort::text};
  case HTP_CONST_NONE: return {Sort::none};
  default: c.report(diag::not_a_value, n, c.show(n), "a literal of another type"); return {};
  }
}

// Reports what a tuple of the module has not, or not at a place that is known when compiling.
bool Checker::no_element(const ast::Subscript &s) {
  const std::string_view id = c.name_of(s.value());
  if (id.empty() || locals_.contains(id) || m_.kind_of(id) != Module::Kind::other) return false;
  auto bound = c.as<ast::Assign>(m_.definition(id));
  auto tuple = bound ? c.as<ast::Tuple>(bound.value()) : ast::Tuple{&c, HTP_NONE};
  if (!tuple || bound.targets().size() != 1) return false;
  const auto size = static_cast<int64_t>(tuple.elts().size());
  const auto at = m_.integer(s.slice());
  if (at && *at >= -size && *at < size) return false; // that element is no constant
  if (at)
    c.report(diag::no_element, s.slice(), id, size, size == 1 ? "element" : "elements", *at)
        .label(m_.definition(id), "bound here")
        .hint(size ? "they count from 0: the last is `" + std::string(id) + "[" + std::to_string(size - 1) + "]`"
                   : "put elements into it");
  else
    c.report(diag::not_constant, s.slice(), "the place of an element of `" + std::string(id) + "`", c.show(s.slice()))
        .hint("write an int, or a constant of the module; elements that differ from iteration to iteration lie in a "
              "tensor");
  return true;
}

Meaning Checker::subscript(Node n) {
  auto s = c.get<ast::Subscript>(n);
  if (no_element(s)) return {};
  const Meaning value = expr(s.value());
  if (value.sort == Sort::unknown) return {};
  if (value.sort != Sort::tensor && value.sort != Sort::tile) {
    c.report(diag::not_indexable, n, c.show(s.value()));
    return {};
  }
  indices(s.slice());
  if (value.sort == Sort::tensor) read(n, s.value());
  uint32_t row = 0;
  const char *name = value.sort == Sort::tensor ? "tile.load" : "tile.extract";
  const htp_intrinsics *set = c.host()->intrinsic(c.ctx(), str(name), &row);
  return {Sort::tile, set, set ? &set->rows[row] : nullptr};
}

void Checker::indices(Node slice) {
  auto several = c.as<ast::Tuple>(slice);
  const Node one[] = {slice};
  const Nodes parts = several ? several.elts() : Nodes(one);
  for (const Node i : parts) index(i);
  one_ellipsis(parts);
}

// `...` stands for what is left, and that is one thing.
void Checker::one_ellipsis(Nodes parts) {
  bool seen = false;
  for (const Node i : parts)
    if (is_ellipsis(c, i) && std::exchange(seen, true))
      c.report(diag::bad_index, i, c.show(i)).hint("`...` stands once: for the others write `:`");
}

void Checker::index(Node n) {
  if (c.is(n, HTP_Slice) || is_ellipsis(c, n)) return;
  if (read_slice(c, n) && !is_local("slice")) return slice(n);
  const Meaning m = expr(n);
  if (m.sort != Sort::block && m.sort != Sort::whole && m.sort != Sort::tile && !is_int(m))
    c.report(diag::bad_index, n, c.show(n))
        .hint(m.sort == Sort::none ? "`reshape` puts in a dimension of extent 1: `reshape(x[i, :], i, N, 1)`"
                                   : "use a block, `:`, an int or a tile of integers");
}

// `slice(a, b, 2)`, as tile.inline writes `a:b:2`: bounds are ints, of which negative constants count from the end.
void Checker::slice(Node n) {
  const SliceCall s = *read_slice(c, n);
  for (const Node bound : {s.start, s.stop}) {
    if (!bound) continue;
    const size_t errors = c.errors();
    const bool whole = is_int(expr(bound));
    if (!whole && c.errors() == errors) int_expected(bound);
  }
  const auto step = s.step ? m_.integer(s.step) : std::optional<int64_t>(1);
  if (!step)
    c.report(diag::not_constant, s.step, "the step of a slice", c.show(s.step));
  else if (*step == 0)
    c.report(diag::slice_step, s.step);
}

void Checker::read(Node n, Node tensor) {
  for (Parameter &p : parameters_) {
    if (p.elsewhere || p.name != c.name_of(tensor)) continue;
    if (!p.read) p.read = n;
    if (p.direction == "Out" && !p.written) // else verify/buffers.cpp asks whether it was written there
      c.report(diag::read_output, n, p.name).label(p.node, "declared `Out` here").hint("declare it `InOut[…]`");
  }
}

void Checker::write(Node n, Node tensor) {
  for (Parameter &p : parameters_) {
    if (p.elsewhere || p.name != c.name_of(tensor)) continue;
    p.written = true;
    if (p.direction == "In")
      c.report(diag::written_input, n, p.name)
          .label(p.node, "declared `In` here")
          .hint("declare it `Out[…]` or `InOut[…]`");
  }
}

Meaning Checker::binary(Node n) {
  auto b = c.get<ast::BinOp>(n);
  const Meaning left = expr(b.left()), right = expr(b.right());
  return operation(n, b.op(), {{b.left(), left}, {b.right(), right}});
}

Meaning Checker::unary(Node n) {
  auto u = c.get<ast::UnaryOp>(n);
  const Meaning operand = expr(u.operand());
  if (u.op() == HTP_Not) {
    if (operand.sort == Sort::tile) {
      auto report = c.report(diag::boolean_operator, n, "not");
      report.hint("write `~mask`");
      if (is_mask(u.operand())) report.fix(n, "~(" + c.show(u.operand()) + ")", "write `~`");
      return {};
    }
    if (operand.sort != Sort::unknown) c.report(diag::int_operator, n, "not").hint("choose with `if`");
    return {};
  }
  return operation(n, u.op(), {{u.operand(), operand}});
}

Meaning Checker::compare(Node n) {
  auto k = c.get<ast::Compare>(n);
  const bool condition = std::exchange(condition_, false);
  Meaning left = expr(k.left());
  bool tile = left.sort == Sort::tile;
  std::vector<Meaning> rest;
  for (const Node v : k.comparators()) rest.push_back(expr(v)), tile |= rest.back().sort == Sort::tile;
  if (k.ops().size() > 1 && tile) {
    auto report = c.report(diag::chained_compare, n);
    std::string apart;
    for (size_t i = 0; i < k.ops().size(); ++i)
      apart += std::string(i ? " & (" : "(") + c.show(i ? k.comparators()[i - 1] : k.left()) + " " +
               operator_of(static_cast<htp_op>(k.ops()[i])).symbol + " " + c.show(k.comparators()[i]) + ")";
    report.hint("compare twice and combine the masks: `(a < b) & (b < c)`").fix(n, apart, "combine masks with `&`");
    return {};
  }
  const htp_op op = static_cast<htp_op>(k.ops()[0]);
  if (tile) return operation(n, op, {{k.left(), left}, {k.comparators()[0], rest[0]}});
  for (size_t i = 0; i < rest.size(); ++i)
    if (const Operator &p = operator_of(static_cast<htp_op>(k.ops()[i])); !*p.method) {
      c.report(diag::unsupported, n, "`" + std::string(p.symbol) + "`");
      return {};
    } else if (rest[i].sort == Sort::tensor) {
      left = rest[i];
    }
  if (!condition && is_int(left) && is_int(rest[0]) && left.sort != Sort::unknown && rest[0].sort != Sort::unknown) {
    c.report(diag::int_operator, n, operator_of(op).symbol).hint("compare ints where an `if` chooses");
    return {};
  }
  return operation(n, op, {{k.left(), left}, {k.comparators()[0], rest[0]}});
}

// Whether it can be seen from an expression alone that it is a mask.
bool Checker::is_mask(Node n) const {
  if (auto u = c.as<ast::UnaryOp>(n)) return (u.op() == HTP_Not || u.op() == HTP_Invert) && is_mask(u.operand());
  if (auto b = c.as<ast::BinOp>(n))
    return (b.op() == HTP_BitAnd || b.op() == HTP_BitOr || b.op() == HTP_BitXor) && is_mask(b.left()) &&
           is_mask(b.right());
  return c.is(n, HTP_Compare);
}

Meaning Checker::boolean(Node n) {
  auto b = c.get<ast::BoolOp>(n);
  bool tile = false;
  for (const Node v : b.values()) tile |= expr(v).sort == Sort::tile;
  if (!tile) {
    c.report(diag::int_operator, n, b.op() == HTP_And ? "and" : "or").hint("choose with `if`, or with `min` and `max`");
    return {};
  }
  const std::string mark = b.op() == HTP_And ? "&" : "|";
  std::string masks;
  for (const Node v : b.values()) masks += (masks.empty() ? "(" : " " + mark + " (") + c.show(v) + ")";
  auto report = c.report(diag::boolean_operator, n, b.op() == HTP_And ? "and" : "or");
  report.hint("combine masks with `" + mark + "`");
  if (std::all_of(b.values().begin(), b.values().end(), [&](Node v) { return is_mask(v); }))
    report.fix(n, masks, "combine masks with `" + mark + "`");
  return {};
}

// A block moved by an int (`i + 1`) or spread by a constant (`i * 2`) is an index, nothing else.
std::optional<Meaning> Checker::moved_block(Node n, htp_op op, std::initializer_list<Operand> operands) {
  if (!c.is(n, HTP_BinOp) || operands.size() != 2) return std::nullopt;
  const Operand &left = *operands.begin(), &right = *(operands.begin() + 1);
  const bool first = left.meaning.sort == Sort::block, second = right.meaning.sort == Sort::block;
  if (first == second || (op != HTP_Add && op != HTP_Mult && !(op == HTP_Sub && first))) return std::nullopt;
  const Operand &other = first ? right : left;
  if (!is_int(other.meaning)) return std::nullopt;
  if (op == HTP_Mult) {
    const auto by = m_.integer(other.node);
    if (!by)
      c.report(diag::not_constant, other.node, "what a block is spread by", c.show(other.node));
    else if (*by < 1)
      c.report(diag::bad_spread, other.node, *by);
  }
  return Meaning{Sort::block, own_};
}

// An operator: an intrinsic when an operand is a tile, arithmetic of ints else. `n` may be the augmented assignment.
Meaning Checker::operation(Node n, htp_op op, std::initializer_list<Operand> operands) {
  const Operator &o = operator_of(op);
  bool tile = false;
  for (const Operand &x : operands) {
    if (x.meaning.sort == Sort::unknown) return {};
    if (x.meaning.sort == Sort::tensor) {
      c.report(diag::whole_tensor, x.node, c.show(x.node))
          .hint("load a tile with an index for each dimension: `x[i, :]`");
      return {};
    }
    tile |= x.meaning.sort == Sort::tile;
  }
  if (!tile) {
    if (const auto moved = moved_block(n, op, operands)) return *moved;
    if (const auto value = c.is(n, HTP_BinOp) || c.is(n, HTP_UnaryOp) ? m_.evaluate(n) : std::nullopt)
      return {Sort::number, nullptr, nullptr, value};
    for (const Operand &x : operands)
      if (!is_int(x.meaning) && !(c.is(n, HTP_Compare) && x.meaning.sort == Sort::number)) {
        float_of_int(n, x.node);
        return {};
      }
    if (std::find(std::begin(int_operators), std::end(int_operators), op) == std::end(int_operators)) {
      auto report = c.report(diag::int_operator, n, o.symbol);
      if (auto b = c.as<ast::BinOp>(n); b && op == HTP_Div) {
        report.hint("`/` gives a float, and `" + c.show(b.left()) + " // " + c.show(b.right()) +
                    "` an int, rounded down; as a float: `" + c.show(b.left()) + " / " + as_tile(b.right()) + "`");
      }
      return {};
    }
    if ((op == HTP_FloorDiv || op == HTP_Mod) && m_.integer(operands.end()[-1].node) == 0)
      c.report(diag::zero_divisor, n, c.show(n));
    return {Sort::integer, own_};
  }
  for (const Operand &x : operands)
    if (x.meaning.sort != Sort::tile && x.meaning.sort != Sort::number && !is_int(x.meaning)) {
      c.report(diag::mixed_operands, n, c.show(n), describe(x.meaning))
          .label(x.node, "this is " + std::string(describe(x.meaning)));
      return {};
    }
  const auto given = [&](const htp_intrinsics &set, const htp_intrinsic &row) -> Meaning {
    uint32_t p = 0;
    for (const Operand &x : operands) {
      const htp_parameter &parameter = row.parameters[std::min(p++, row.parameter_count - 1)];
      const bool literal = has_name(parameter.annotation, "float") || has_name(parameter.annotation, "int");
      if (x.meaning.sort == Sort::tile || literal) continue;
      c.report(diag::not_a_tile, x.node, parameter_name(parameter), row.name, c.show(x.node));
      return {};
    }
    return result_of(set, row);
  };
  for (const Operand &x : operands)
    if (const htp_intrinsic *row = x.meaning.sort == Sort::tile ? method_of(x.meaning.set, o.method) : nullptr)
      return given(*x.meaning.set, *row);
  if (const htp_intrinsic *row = method_of(own_, o.method)) return given(*own_, *row);
  auto report = c.report(diag::no_operator, n, o.symbol);
  if (auto u = c.as<ast::UnaryOp>(n); u && op == HTP_UAdd)
    report.hint("leave it out").fix(n, c.show(u.operand()), "leave it out");
  return {};
}

std::string_view Checker::describe(const Meaning &m) {
  switch (m.sort) {
  case Sort::tile: return "a tile";
  case Sort::tensor: return "a tensor";
  case Sort::block: return "the block of a loop";
  case Sort::integer: return "an int";
  case Sort::number: return "a number";
  case Sort::dim: return "a dim";
  case Sort::dtype: return "a dtype";
  case Sort::whole: return "a whole dimension";
  case Sort::text: return "a string";
  case Sort::token: return "the token of a copy";
  case Sort::none: return "nothing";
  case Sort::unknown: break;
  }
  return "another value";
}

} // namespace htp::tile
