// The statements of a kernel, and which names are bound where.
#include "language/checker.h"
#include "language/layouts.h"
#include "verify/tokens.h"

#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::tile {

Checker::Checker(const Module &module, Node function) : m_(module), c(module.c), function_(function) {
  uint32_t row = 0;
  own_ = c.host()->intrinsic(c.ctx(), str("tile.load"), &row);
  auto f = c.get<ast::FunctionDef>(function);
  auto first = [&](std::string_view name, Node where) {
    ++locals_.try_emplace(std::string(name), Local{where, 0}).first->second.stores;
  };
  c.each(f.args(), [&](Node n) {
    if (auto a = c.as<ast::arg>(n)) first(a.arg(), n);
  });
  for (const Node s : f.body())
    c.each(s, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) first(name.id(), n);
      if (auto a = c.as<ast::arg>(n)) first(a.arg(), n);
    });
}

Meanings Checker::run() && {
  if (m_.star_import()) {
    c.report(diag::star_import, m_.star_import(), c.get<ast::ImportFrom>(m_.star_import()).module())
        .hint("import each name that is used");
    return {};
  }
  signature();
  body(c.get<ast::FunctionDef>(function_).body());
  outputs();
  if (!c.errors()) check_tokens(m_, function_);
  return std::move(meanings_);
}

Meanings check(const Module &module, Node function) { return Checker(module, function).run(); }

void Checker::body(Nodes statements) {
  bool first = true;
  for (const Node s : statements) statement(s, first), first = false;
}

void Checker::statement(Node n, bool first) {
  switch (c.kind(n)) {
  case HTP_For: return loop(n);
  case HTP_While: return repeat(n);
  case HTP_If: return branch(n);
  case HTP_Assign: {
    auto a = c.get<ast::Assign>(n);
    if (a.targets().size() != 1)
      c.report(diag::unsupported, n, "chained assignments").hint("bind each name on a line of its own"), forget(n);
    else
      assign(n, a.targets()[0], a.value());
    return;
  }
  case HTP_AnnAssign: return annotated(n);
  case HTP_AugAssign: return augmented(n);
  case HTP_Expr: return expression_statement(n, first);
  case HTP_FunctionDef:
    if (m_.is_part(n)) return part(n);
    break;
  case HTP_Pass: return;
  case HTP_Break:
    if (!repeats_) refuse(n);
    return;
  case HTP_Return:
    c.report(diag::bad_return, n).hint("write results to an `Out` parameter, and leave `return` out");
    return;
  default: break;
  }
  refuse(n);
  forget(n);
}

// A part that another dialect runs: its parameters are ints, or tensors with their types, and what it binds is its own.
// A tensor that its decorator names is handed over.
void Checker::part(Node n) {
  const Scope before = bound_;
  auto f = c.get<ast::FunctionDef>(n);
  const size_t outer = parameters_.size();
  std::vector<bool> elsewhere;
  for (const Parameter &p : parameters_) elsewhere.push_back(p.elsewhere);
  for (const Node d : f.decorator_list())
    c.each(d, [&](Node inner) {
      for (Parameter &p : parameters_)
        if (c.is(inner, HTP_Name) && !p.elsewhere && p.name == c.name_of(inner)) p.written = true;
    });
  for (const Node a : c.get<ast::arguments>(f.args()).args()) {
    auto arg = c.get<ast::arg>(a);
    Parameter own{std::string(arg.arg()), {}, a};
    const bool tensor = arg.annotation() && !m_.is_int(arg.annotation()) && parameter_type(arg.annotation(), own);
    for (Parameter &p : parameters_) p.elsewhere = p.elsewhere || p.name == own.name;
    bound_[own.name] = {{tensor ? Sort::tensor : Sort::integer, own_}, a};
    if (tensor) parameters_.push_back(std::move(own));
  }
  body(f.body());
  for (size_t k = 0; k < parameters_.size(); ++k) parameters_[k].elsewhere = k >= outer || elsewhere[k];
  bound_ = before;
}

// Of what a refused statement binds and writes nothing is known, and so nothing more is reported.
void Checker::forget(Node n) {
  lost_track_ = true;
  c.each(n, [&](Node inner) {
    if (auto name = c.as<ast::Name>(inner); name && name.ctx() == HTP_STORE)
      bound_.try_emplace(std::string(name.id()), Bound{{}, inner});
  });
}

void Checker::assign(Node, Node target, Node value) {
  if (c.is(target, HTP_Subscript)) return store(target, value);
  if (!c.is(target, HTP_Name)) return bad_target(target);
  const Meaning m = expr(value);
  bind(target, m);
}

void Checker::annotated(Node n) {
  auto a = c.get<ast::AnnAssign>(n);
  if (!a.value()) {
    c.report(diag::unsupported, n, "declarations without a value").hint("annotate the first assignment");
    return;
  }
  if (const auto type = read_type(c, a.annotation()); type && type->layout) check_layout(m_, type->layout);
  assign(n, a.target(), a.value());
}

void Checker::augmented(Node n) {
  auto a = c.get<ast::AugAssign>(n);
  if (!c.is(a.target(), HTP_Name)) {
    c.report(diag::bad_target, a.target(), "`" + c.show(a.target()) + "` of an augmented assignment")
        .hint("assign to a name, or to an index of a tensor");
    lost_track_ = true;
    return;
  }
  const Meaning left = name(a.target()), right = expr(a.value());
  const Meaning result = operation(n, a.op(), {{a.target(), left}, {a.value(), right}});
  meanings_[n] = result;
  bind(a.target(), result);
}

void Checker::store(Node target, Node value) {
  auto s = c.get<ast::Subscript>(target);
  const Meaning tensor = expr(s.value());
  if (tensor.sort != Sort::tensor) {
    if (tensor.sort == Sort::unknown) return;
    auto report = c.report(diag::not_indexable, s.value(), c.show(s.value()));
    if (tensor.sort == Sort::tile)
      report.hint(
          "a tile is a value, which does not change: store to a tensor, or to a buffer, `h = buffer(f32, …)`; `where` "
          "chooses elements");
    return;
  }
  indices(s.slice());
  const Meaning m = expr(value);
  write(target, s.value());
  if (m.sort == Sort::tensor)
    c.report(diag::whole_tensor, value, c.show(value)).hint("load the part that is stored: `" + c.show(value) + "[…]`");
  else if (m.sort != Sort::tile && m.sort != Sort::number && !is_int(m)) {
    auto report = c.report(diag::not_a_tile, value, "value", "tile.store", c.show(value));
    if (const std::string hint = go_on_with(value, m); !hint.empty()) report.hint(hint);
  }
  uint32_t row = 0;
  const htp_intrinsics *set = c.host()->intrinsic(c.ctx(), str("tile.store"), &row);
  if (set) meanings_[target] = {Sort::none, set, &set->rows[row]};
}

void Checker::expression_statement(Node n, bool first) {
  const Node value = c.get<ast::Expr>(n).value();
  std::string_view text;
  if (first && c.string(value, &text)) return; // a docstring
  const Meaning m = expr(value);
  if (m.sort == Sort::none || m.sort == Sort::unknown) return;
  if (m.sort == Sort::token) return; // of a copy that a barrier is for
  c.report(diag::unused_result, n, c.show(value)).hint("bind it to a name, or remove the statement");
}

// ── names ───────────────────────────────────────────────────────────────────────────────────────────────────────────

void Checker::bad_target(Node target) {
  if (c.is(target, HTP_Tuple) || c.is(target, HTP_List) || c.is(target, HTP_Starred))
    refuse(target);
  else
    c.report(diag::bad_target, target, "`" + c.show(target) + "`").hint("assign to a name");
  forget(target);
}

void Checker::bind(Node target, const Meaning &meaning) {
  const std::string_view name = c.name_of(target);
  Meaning kept = meaning;
  kept.row = nullptr;
  if (meaning.sort == Sort::number && meaning.value && meaning.value->real) {
    // A float that is bound once is a constant of the kernel; one that changes would be a scalar at run time.
    if (locals_.find(name)->second.stores > 1) {
      c.report(diag::changing_float, target, name).hint("use a tile: `full(f32, …, 1)`");
      kept.sort = Sort::unknown;
    }
  } else {
    kept.value.reset();
    if (kept.sort == Sort::number || kept.sort == Sort::dim) kept.sort = Sort::integer;
  }
  const auto before = bound_.find(name);
  const auto kind = m_.kind_of(name);
  if (kind == Module::Kind::dim || kind == Module::Kind::constant) {
    c.report(diag::shadowed, target, name,
             kind == Module::Kind::dim ? "a dim of the module" : "a constant of the module")
        .label(m_.definition(name), "defined here");
    return;
  }
  // A scalar is what the caller gave.
  if (is_scalar(target)) {
    c.report(diag::shadowed, target, name, "a parameter")
        .label(before->second.where, "declared here")
        .hint("use another name");
    return;
  }
  // Within a loop its variable is one thing.
  if (before != bound_.end() && before->second.loop && before->second.meaning.sort == Sort::integer) {
    c.report(diag::shadowed, target, name, "the variable of a loop")
        .label(before->second.where, "bound here")
        .hint("use another name");
    return;
  }
  if (before != bound_.end() && before->second.meaning.sort != kept.sort && kept.sort != Sort::unknown &&
      before->second.meaning.sort != Sort::unknown) {
    auto report = c.report(diag::shadowed, target, name, describe(before->second.meaning));
    report.label(before->second.where, "bound here");
    auto parameter = c.as<ast::arg>(before->second.where);
    const auto type = parameter && kept.sort == Sort::tile ? read_type(c, parameter.annotation()) : std::nullopt;
    if (type && type->rank() && direction_of(c, parameter.annotation()) != "In") {
      std::string whole;
      for (size_t d = 0; d < type->rank(); ++d) whole += d ? ", :" : ":";
      report.hint("store to all of it: `" + std::string(name) + "[" + whole + "] = …`")
          .fix(target, std::string(name) + "[" + whole + "]", "store to all of it");
      lost_track_ = true;
    }
    return;
  }
  switch (meaning.sort) {
  case Sort::tensor:
    if (meaning.row) { // a buffer of the kernel's own
      parameters_.push_back({std::string(name), "buffer", target});
      if (before != bound_.end())
        c.report(diag::buffer_rebound, target, name).label(before->second.where, "bound here first");
      break;
    }
    [[fallthrough]];
  case Sort::block:
  case Sort::dtype:
  case Sort::whole:
  case Sort::text:
  case Sort::token:
    if (meaning.sort == Sort::token && meaning.row) break;
    c.report(diag::no_second_name, target, describe(meaning));
    kept.sort = Sort::unknown;
    break;
  case Sort::none:
    c.report(diag::no_result, target, meaning.row ? meaning.row->name : "None");
    kept.sort = Sort::unknown;
    break;
  default: break;
  }
  if (before == bound_.end())
    bound_[std::string(name)] = {kept, target};
  else if (kept.sort != Sort::unknown)
    before->second.meaning = kept;
}

// The bindings at the end of `statements`, which start from those here.
Checker::Scope Checker::inside(Nodes statements) {
  const Scope before = bound_;
  body(statements);
  Scope after = std::move(bound_);
  bound_ = before;
  return after;
}

// What was bound only inside a block is lost after it.
void Checker::leave(const Scope &before, const Scope &inner, std::string_view block) {
  for (const auto &[name, b] : inner)
    if (!before.contains(name)) lost_[name] = {std::string(block), b.where};
}

void Checker::branch(Node n) {
  auto b = c.get<ast::If>(n);
  condition(b.test(), "if");
  const Scope before = bound_;
  const Scope then = inside(b.body()), other = inside(b.orelse());
  for (const auto &[name, bound] : then)
    if (other.contains(name)) bound_.try_emplace(name, bound);
  leave(bound_, then, "if");
  leave(bound_, other, "if");
}

bool Checker::is_scalar(Node n) const {
  const auto known = bound_.find(c.name_of(n));
  return known != bound_.end() && std::any_of(parameters_.begin(), parameters_.end(), [&](const Parameter &p) {
           return p.direction == "scalar" && p.node == known->second.where;
         });
}

void Checker::int_expected(Node n) {
  auto report = c.report(diag::int_expected, n, c.show(n));
  if (is_scalar(n))
    report.hint("declare it `" + std::string(c.name_of(n)) + ": int`; `index(" + c.show(n) +
                ")` is its element as an int");
}

// An int as a tile of one element.
std::string Checker::as_tile(Node n) const { return "full(f32, " + c.show(n) + ", 1, 1)"; }

// Arithmetic of a float and of ints that are known when the program runs is that of tiles: `n` says how.
void Checker::float_of_int(Node n, Node operand) {
  auto b = c.as<ast::BinOp>(n);
  const Node other = b ? (operand == b.left() ? b.right() : b.left()) : HTP_NONE;
  const auto number = m_.evaluate(operand);
  if (!b || !number || !number->real || number->truth || !is_int(meanings_[other])) return int_expected(operand);
  std::string way;
  if (b.op() == HTP_Pow && other == b.left() && (number->f == 0.5 || number->f == -0.5))
    way = (number->f < 0 ? "rsqrt(" : "sqrt(") + as_tile(other) + ")";
  else if (other == b.left())
    way = as_tile(other) + " " + std::string(symbol_of(b.op())) + " " + c.show(operand);
  else
    way = c.show(operand) + " " + std::string(symbol_of(b.op())) + " " + as_tile(other);
  c.report(diag::int_expected, operand, c.show(operand))
      .hint("ints and floats meet in a tile: `" + way + "`, of one element, which is used with any other");
}

// A condition is an int or a compile-time value, or made of such by `and`, `or`, `not`.
void Checker::condition(Node n, std::string_view construct) {
  if (auto b = c.as<ast::BoolOp>(n)) {
    for (const Node v : b.values()) condition(v, construct);
    return;
  }
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return condition(u.operand(), construct);
  condition_ = true;
  const Meaning m = expr(n);
  condition_ = false;
  if (is_scalar(n) && m.sort == Sort::tile)
    c.report(diag::runtime_if, n, construct, c.show(n))
        .hint("decide by its one element: `holds(" + c.show(n) + ")`")
        .fix(n, "holds(" + c.show(n) + ")", "decide by its one element");
  else if (m.sort == Sort::tile || m.sort == Sort::tensor)
    c.report(diag::runtime_if, n, construct, c.show(n))
        .hint(construct == "if" ? "choose for each element: `where(" + c.show(n) + ", …, …)`"
                                : "go on while it holds anywhere: `holds(reduce_any(…, axis=0))`");
  else if (!is_int(m) && m.sort != Sort::number)
    int_expected(n);
}

} // namespace htp::tile
