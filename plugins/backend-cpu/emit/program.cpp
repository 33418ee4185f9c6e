#include "reader.h"

#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <utility>

namespace htp::cpu::ready {

namespace {
constexpr Operation operations[] = {
#define SCALAR(operation, form, floats, others, c)                                                                     \
  {#operation, Form::form, c, std::string_view(#floats) != "none", std::string_view(#others) != "none"},
#define ELEMENTWISE(intrinsic, ...) SCALAR(__VA_ARGS__)
#define HANDLER(intrinsic, target)
#include "operations.def"
};

bool is_integer_class(const DType *d) { return d->kind != Class::floating; }
std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }
} // namespace

const Operation *operation_named(std::string_view name) {
  for (const Operation &w : operations)
    if (w.name == name) return &w;
  return nullptr;
}

// ── compile-time numbers ────────────────────────────────────────────────────────────────────────────────────────────

Constants::Constants(const Reader &t, const Names &names, Node module)
    : t_(t), values_(t, module), dims_(dims_of(t, names, module)) {}

bool Constants::number(Node n, Value &v) const {
  v = {};
  auto u = t_.as<ast::UnaryOp>(n);
  const bool negative = u && u.op() == HTP_USub;
  if (auto k = t_.as<ast::Constant>(negative ? u.operand() : n)) {
    const htp_const &c = k.value();
    if (c.type == HTP_CONST_TRUE || c.type == HTP_CONST_FALSE) {
      v.i = c.type == HTP_CONST_TRUE;
      return !negative;
    }
    if (c.type == HTP_CONST_INT && c.u.i < 0) {
      v.digits = (negative ? "-" : "") + std::string(t_.text(c.text));
      return true;
    }
  }
  const auto value = values_.number(n);
  if (!value) return false;
  v.real = value->real;
  v.i = value->i;
  v.f = value->f;
  return true;
}

// ── the function ────────────────────────────────────────────────────────────────────────────────────────────────────

bool ProgramReader::run(Node function) {
  p.function = function;
  auto f = c.get<ast::FunctionDef>(function);
  p.name = std::string(f.name());
  for (const Node mark : f.decorator_list()) {
    auto call = c.as<ast::Call>(mark);
    if (names_.qualified(call ? call.func() : mark) != "htp_csp.pipeline") continue;
    pipeline_ = true;
    for (const Node n : call ? call.keywords() : Nodes()) p.proved |= c.get<ast::keyword>(n).arg() == "ends";
  }
  p.parameters = parameters_of(c, names_, function);
  scopes_.emplace_back();
  for (const Parameter &parameter : p.parameters) {
    if (!parameter.type.dtype) return no(parameter.node, diag::unsupported_dtype, c.show(parameter.type.dtype_node));
    Memory &m = p.memories.emplace_back();
    m.name = parameter.name;
    m.dtype = parameter.type.dtype;
    m.direction = parameter.type.direction == Direction::none ? Direction::in : parameter.type.direction;
    for (const Node d : parameter.type.dims) {
      Value v;
      if (!constants_.number(d, v)) {
        if (!integer(d)) return false;
      } else if (v.real || !v.digits.empty() || v.i < 0) {
        return no(d, diag::extent, c.show(d), parameter.name);
      }
      c.each(d, [&](Node n) {
        const auto name = c.name_of(n);
        if (constants_.is_dim(name) && std::find(p.dims.begin(), p.dims.end(), name) == p.dims.end())
          p.dims.emplace_back(name);
      });
      m.extents.push_back(d);
    }
    if (parameter.type.layout && !lay_out(parameter, m)) return false;
    if (parameter.type.form != Type::Form::tensor) m.scalar = true, m.extents = {c.integer_node(1, parameter.node)};
    if (parameter.type.form == Type::Form::integer)
      scopes_.back().integers.insert(m.name);
    else
      scopes_.back().memory[m.name] = &m;
  }
  auto a = c.get<ast::arguments>(f.args());
  if (a.args().size() != p.parameters.size() || !a.kwonlyargs().empty() || !a.posonlyargs().empty() || a.vararg() ||
      a.kwarg())
    return no(f.args(), diag::parameter, p.name);
  return block(f.body(), p.body);
}

// The steps that a parameter's layout says, where they are not those of a row-major array; else its digits.
bool ProgramReader::lay_out(const Parameter &parameter, Memory &m) {
  const auto integer = [&](Node n) {
    Value v;
    return constants_.number(n, v) && !v.real && v.digits.empty() ? std::optional(v.i) : std::nullopt;
  };
  if (const auto steps = run_time_steps(c, parameter.type.layout, integer)) {
    m.by_call = {};
    for (const Node step : c.get<ast::Tuple>(c.get<ast::Call>(parameter.type.layout).args()[1]).elts()) {
      const auto name = c.name_of(step);
      if (!integer(step) && !constants_.is_dim(name)) return no(step, diag::unknown_name, name);
      if (!integer(step) && std::find(p.dims.begin(), p.dims.end(), name) == p.dims.end()) p.dims.emplace_back(name);
      m.by_call.push_back(step);
      m.unit_by_call.push_back(integer(step) == 1);
    }
    return m.by_call.size() == m.extents.size() ||
           no(parameter.type.layout, diag::parameter_layout, m.name, c.show(parameter.type.layout),
              "it has steps along other dimensions");
  }
  std::vector<int64_t> shape;
  for (const Node extent : m.extents) shape.push_back(integer(extent).value_or(0));
  const auto layout = read_layout_by_facet(c, names_, parameter.type.layout, integer);
  if (layout && layout::is_row_major(*layout)) return true;
  auto steps = layout ? layout::array_steps(*layout, shape) : layout::Result<std::vector<int64_t>>(layout.no());
  if (!steps) {
    const auto places = layout ? layout::Places::of(*layout, shape) : layout::Result<layout::Places>(layout.no());
    if (!places || shape.size() < 2)
      return no(parameter.type.layout, diag::parameter_layout, m.name, c.show(parameter.type.layout),
                places ? steps.reason() : places.reason());
    m.digits = layout::index_digits(*places, shape), m.storage = places->span();
    return true;
  }
  m.steps = std::move(*steps);
  return true;
}

Memory *ProgramReader::memory(Node n) const {
  const auto name = c.name_of(n);
  for (auto s = scopes_.rbegin(); s != scopes_.rend(); ++s)
    if (const auto it = s->memory.find(name); it != s->memory.end()) return it->second;
  return nullptr;
}

bool ProgramReader::may_hold(Node where, std::string_view name, Holds what) const {
  Value v;
  bool other = constants_.is_dim(name) || (what != Holds::element && has_scalar(name)) ||
               (what != Holds::integer && has_integer(name)) || channels_.contains(name);
  for (const Scope &s : scopes_) other |= s.memory.contains(name);
  return !other || no(where, diag::bound_otherwise, name);
}

bool ProgramReader::names_dtype(Node argument, const DType *dtype) const {
  const std::string given = names_.qualified(argument);
  return given.starts_with("htp.") && dtype_named(std::string_view(given).substr(4)) == dtype
             ? true
             : no(argument, diag::dtype_mismatch, c.show(argument), c.show(argument), dtype->name);
}

bool ProgramReader::has_scalar(std::string_view name) const {
  for (const Scope &s : scopes_)
    if (s.scalars.contains(name)) return true;
  return false;
}

bool ProgramReader::has_integer(std::string_view name) const {
  for (const Scope &s : scopes_)
    if (s.integers.contains(name)) return true;
  return false;
}

bool ProgramReader::integer(Node n) {
  Value v;
  if (const auto name = c.name_of(n); !name.empty()) {
    if (has_integer(name) || constants_.is_dim(name)) return true;
    return (constants_.number(n, v) && !v.real && v.digits.empty()) || no(n, diag::unknown_name, name);
  }
  if (constants_.number(n, v)) return (!v.real && v.digits.empty()) || no(n, diag::index, c.show(n));
  if (auto u = c.as<ast::UnaryOp>(n); u && (u.op() == HTP_USub || u.op() == HTP_UAdd)) return integer(u.operand());
  if (auto b = c.as<ast::BinOp>(n)) {
    const htp_op op = b.op();
    if (op == HTP_Add || op == HTP_Sub || op == HTP_Mult || op == HTP_FloorDiv || op == HTP_Mod)
      return integer(b.left()) && integer(b.right());
  }
  if (auto call = c.as<ast::Call>(n)) {
    const auto name = c.name_of(call.func());
    if ((name == "min" || name == "max") && call.args().size() == 2 && call.keywords().empty())
      return integer(call.args()[0]) && integer(call.args()[1]);
  }
  return no(n, diag::index, c.show(n));
}

bool ProgramReader::condition(Node n) {
  if (auto cmp = c.as<ast::Compare>(n)) {
    if (!integer(cmp.left())) return false;
    for (size_t k = 0; k < cmp.ops().size(); ++k) {
      const auto op = cmp.ops()[k];
      if (op < HTP_Eq || op > HTP_GtE) return no(n, diag::condition, c.show(n));
      if (!integer(cmp.comparators()[k])) return false;
    }
    return true;
  }
  if (auto b = c.as<ast::BoolOp>(n)) {
    for (const Node v : b.values())
      if (!condition(v)) return false;
    return true;
  }
  if (auto u = c.as<ast::UnaryOp>(n); u && u.op() == HTP_Not) return condition(u.operand());
  return integer(n);
}

bool ProgramReader::block(Nodes statements, std::vector<Statement> &out) {
  scopes_.emplace_back();
  for (const Node s : statements)
    if (!statement(s, out)) return false;
  scopes_.pop_back();
  return true;
}

bool ProgramReader::statement(Node s, std::vector<Statement> &out) {
  if (c.is(s, HTP_Pass)) return true;
  if (c.is(s, HTP_For)) return loop(s, out);
  if (c.is(s, HTP_While)) return repeat(s, out);
  if (c.is(s, HTP_FunctionDef)) return process(s, out);
  if (auto branch = c.as<ast::If>(s)) {
    Statement b{};
    b.kind = Statement::Kind::branch;
    b.node = s;
    b.test = branch.test();
    if (!condition(b.test) || !block(branch.body(), b.body) || !block(branch.orelse(), b.orelse)) return false;
    out.push_back(std::move(b));
    return true;
  }
  if (c.is(s, HTP_Break)) {
    if (!repeats_) return no(s, diag::no_while);
    Statement leave{};
    leave.kind = Statement::Kind::leave;
    leave.node = s;
    out.push_back(std::move(leave));
    return true;
  }
  if (auto e = c.as<ast::Expr>(s)) {
    if (c.is(e.value(), HTP_Constant)) return true; // a docstring
    if (names_.called(e.value()) == "htp_cpu.put") return put(s, e.value(), out);
    if (names_.called(e.value()) == "htp_cpu.order") return order(s, e.value(), out);
    if (const std::string intrinsic(cpu_intrinsic(names_.called(e.value()))); is_slot_intrinsic(intrinsic))
      return slot(s, intrinsic, e.value(), nullptr, out);
    return no(s, diag::statement, c.show(s));
  }
  if (auto a = c.as<ast::AnnAssign>(s)) return assign(s, c.name_of(a.target()), a.annotation(), a.value(), out);
  if (auto a = c.as<ast::Assign>(s); a && a.targets().size() == 1)
    return assign(s, c.name_of(a.targets()[0]), HTP_NONE, a.value(), out);
  return no(s, diag::statement, first_line(c.show(s)));
}

bool ProgramReader::repeat(Node s, std::vector<Statement> &out) {
  auto w = c.get<ast::While>(s);
  Statement r{};
  r.kind = Statement::Kind::repeat;
  r.node = s;
  r.test = w.test();
  if (!w.orelse().empty()) return no(s, diag::loop_else);
  const bool around = std::exchange(repeats_, true);
  if (!condition(r.test) || !block(w.body(), r.body)) return false;
  repeats_ = around;
  out.push_back(std::move(r));
  return true;
}

bool ProgramReader::loop(Node s, std::vector<Statement> &out) {
  auto f = c.get<ast::For>(s);
  Statement l{};
  l.kind = Statement::Kind::loop;
  l.node = s;
  l.name = std::string(c.name_of(f.target()));
  const LoopForms forms = loop_forms(c, names_, f.iter());
  l.parallel = forms.parallel;
  l.vectorized = forms.vectorized;
  l.unrolled = forms.unrolled;
  for (const Node w : forms.wrappers)
    for (const Node n : c.get<ast::Call>(w).keywords())
      if (auto intrinsic = c.get<ast::keyword>(n); intrinsic.arg() == "depth") c.integer(intrinsic.value(), &l.depth);
  auto call = c.as<ast::Call>(forms.range);
  if (!call || c.name_of(call.func()) != "range" || call.args().empty() || call.args().size() > 3 || l.name.empty())
    return no(f.iter(), diag::loop_range, c.show(f.iter()));
  if (!f.orelse().empty()) return no(s, diag::loop_else);
  const Nodes a = call.args();
  if (a.size() > 1) l.start = a[0];
  l.stop = a.size() > 1 ? a[1] : a[0];
  if (a.size() > 2) {
    l.step = a[2];
    Value v;
    if (constants_.number(l.step, v)) {
      if (v.real || v.i == 0) return no(l.step, diag::zero_step);
      l.down = v.i < 0;
    }
  }
  for (const Node n : a)
    if (!integer(n)) return false;
  if (has_integer(l.name)) return no(f.target(), diag::loop_variable, l.name);
  if (!may_hold(f.target(), l.name, Holds::integer)) return false;
  scopes_.emplace_back();
  scopes_.back().integers.insert(l.name);
  scopes_.back().variable = l.name;
  const bool around = std::exchange(repeats_, false);
  if (!block(f.body(), l.body)) return false;
  repeats_ = around;
  scopes_.pop_back();
  out.push_back(std::move(l));
  return true;
}

bool ProgramReader::indices(Node call, const Memory &m, Nodes index, std::vector<Node> &out) {
  if (index.size() != m.extents.size())
    return no(call, diag::index_count, c.show(call), index.size(), m.name, m.extents.size());
  for (const Node n : index) {
    if (!integer(n)) return false;
    out.push_back(n);
  }
  return true;
}

bool ProgramReader::put(Node s, Node call, std::vector<Statement> &out) {
  const Nodes a = c.get<ast::Call>(call).args();
  if (a.size() < 2) return no(s, diag::arguments, c.show(call));
  Memory *m = memory(a[0]);
  if (!m) return no(s, diag::not_memory, c.show(call));
  if (m->direction == Direction::in) return no(s, diag::input_written, m->name);
  m->written = true;
  Statement st{};
  st.kind = Statement::Kind::put;
  st.node = s;
  st.memory = m;
  st.dtype = m->dtype;
  Value v;
  if (!value(a[1], m->dtype, v) || !indices(call, *m, a.subspan(2), st.index)) return false;
  st.operands.push_back(std::move(v));
  out.push_back(std::move(st));
  return true;
}

bool ProgramReader::order(Node s, Node call, std::vector<Statement> &out) {
  auto k = c.get<ast::Call>(call);
  const Nodes a = k.args();
  if (a.size() < 4) return no(s, diag::arguments, c.show(call));
  Memory *target = memory(a[0]), *source = target ? memory(a[1]) : nullptr;
  if (!source) return no(s, diag::not_memory, c.show(call));
  if (target->direction == Direction::in) return no(s, diag::input_written, target->name);
  if (target->dtype != dtype_named("i32") || source->dtype->kind == Class::boolean ||
      target->extents.size() + 3 != a.size() || source->extents.size() != target->extents.size() ||
      !target->steps.empty() || !source->steps.empty() || target->storage || source->storage ||
      !target->by_call.empty() || !source->by_call.empty())
    return no(s, diag::order, c.show(call));
  target->written = true;
  Statement st{};
  st.kind = Statement::Kind::order;
  st.node = s;
  st.memory = target;
  st.source = source;
  st.dtype = source->dtype;
  st.test = a[2];
  st.stop = a[3];
  for (const Node n : a.subspan(2))
    if (!integer(n)) return false;
  for (const Node n : a.subspan(4)) st.index.push_back(n);
  for (const Node n : k.keywords()) {
    auto kw = c.get<ast::keyword>(n);
    Value v;
    if (kw.arg() != "descending" || !constants_.number(kw.value(), v)) return no(n, diag::arguments, c.show(call));
    st.descending = v.i != 0;
  }
  out.push_back(std::move(st));
  return true;
}

bool ProgramReader::value(Node n, const DType *dtype, Value &v) {
  const auto name = c.name_of(n);
  if (!name.empty() && has_scalar(name)) {
    v.kind = Value::Kind::scalar;
    v.scalar = scalars_.at(std::string(name));
    if (dtype && v.scalar->dtype != dtype) return no(n, diag::dtype_mismatch, name, v.scalar->dtype->name, dtype->name);
    return true;
  }
  if (constants_.number(n, v)) {
    if (dtype && is_integer_class(dtype) && v.real) return no(n, diag::literal, c.show(n), dtype->name);
    return true;
  }
  v = {};
  v.kind = Value::Kind::integer;
  v.node = n;
  return integer(n);
}

bool ProgramReader::assign(Node s, std::string_view name, Node annotation, Node value_node,
                           std::vector<Statement> &out) {
  if (name.empty() || !value_node) return no(s, diag::statement, c.show(s));
  const std::string called = names_.called(value_node);
  const auto intrinsic = cpu_intrinsic(called);
  const Type type = read_type(c, names_, annotation);
  if (intrinsic == "alloc" || intrinsic == "claim" || intrinsic == "front")
    return alloc(s, name, type, value_node, intrinsic, out);
  if (intrinsic == "channel" || intrinsic == "channels" || intrinsic == "event")
    return channel(s, name, intrinsic, value_node);
  if (intrinsic == "lane") return lane(s, name, value_node);
  if (intrinsic == "more") return more(s, name, value_node, out);
  if (intrinsic == "position" || intrinsic == "holds") return position(s, name, value_node, out);
  if (intrinsic.empty() && !(type.form == Type::Form::scalar) && !scalars_.contains(std::string(name))) {
    Statement st{};
    st.kind = Statement::Kind::integer;
    st.node = s;
    st.name = std::string(name);
    st.test = value_node;
    return integer(value_node) && bind_integer(s, std::move(st), out);
  }
  Statement st{};
  st.node = s;
  if (!may_hold(s, name, Holds::element) || !compute(value_node, intrinsic, type, name, st)) return false;
  st.declares = !has_scalar(name);
  if (st.declares) scopes_.back().scalars.insert(std::string(name));
  out.push_back(std::move(st));
  return true;
}

bool ProgramReader::bind_integer(Node s, Statement st, std::vector<Statement> &out) {
  for (const Scope &scope : scopes_)
    if (scope.variable == st.name) return no(s, diag::loop_variable, st.name);
  if (!may_hold(s, st.name, Holds::integer)) return false;
  st.declares = !has_integer(st.name);
  if (st.declares) scopes_.back().integers.insert(st.name);
  out.push_back(std::move(st));
  return true;
}

bool ProgramReader::position(Node s, std::string_view name, Node call, std::vector<Statement> &out) {
  const Nodes a = c.get<ast::Call>(call).args();
  Statement st{};
  st.kind = Statement::Kind::integer;
  st.node = s;
  st.name = std::string(name);
  Value v;
  if (a.size() > 1) st.limit = a[1];
  if (a.empty()) return no(call, diag::arguments, c.show(call));
  if ((st.limit && !integer(st.limit)) || !value(a[0], nullptr, v)) return false;
  if (v.kind != Value::Kind::scalar || v.scalar->dtype->kind == Class::floating)
    return no(call, diag::not_integer, c.show(call));
  st.operands.push_back(std::move(v));
  return bind_integer(s, std::move(st), out);
}

bool ProgramReader::target(Node where, std::string_view name, const DType *dtype, Statement &st) {
  auto &slot = scalars_[std::string(name)];
  if (!slot) slot = &p.scalars.emplace_back(Scalar{std::string(name), dtype});
  if (slot->dtype != dtype) return no(where, diag::dtype_mismatch, name, slot->dtype->name, dtype->name);
  st.target = slot;
  return true;
}

bool ProgramReader::compute(Node n, std::string_view intrinsic, const Type &type, std::string_view name,
                            Statement &st) {
  if (type.form == Type::Form::scalar && !type.dtype)
    return no(type.dtype_node, diag::unsupported_dtype, c.show(type.dtype_node));
  const auto known = scalars_.find(std::string(name));
  const DType *wanted = type.dtype ? type.dtype : known != scalars_.end() ? known->second->dtype : nullptr;
  if (!wanted) return no(n, diag::untyped_scalar, name);
  if (!c.is(n, HTP_Call)) { // one scalar given to another
    st.kind = Statement::Kind::value;
    st.dtype = wanted;
    Value v;
    if (!value(n, wanted, v)) return false;
    st.operands.push_back(std::move(v));
    return target(n, name, wanted, st);
  }
  auto call = c.get<ast::Call>(n);
  const Nodes a = call.args();
  if (intrinsic == "get") {
    st.kind = Statement::Kind::get;
    if (a.empty()) return no(n, diag::arguments, c.show(n));
    const Memory *m = memory(a[0]);
    if (!m) return no(n, diag::not_memory, c.show(n));
    if (m->dtype != wanted) return no(n, diag::dtype_mismatch, m->name, m->dtype->name, wanted->name);
    st.memory = m;
    st.dtype = m->dtype;
    for (const Node w : call.keywords()) {
      auto kw = c.get<ast::keyword>(w);
      Value v;
      if (kw.arg() != "outside") return no(w, diag::arguments, c.show(n));
      if (!value(kw.value(), wanted, v)) return false;
      st.operands.push_back(std::move(v));
    }
    return indices(n, *m, a.subspan(1), st.index) && target(n, name, wanted, st);
  }
  if (intrinsic == "index") {
    if (a.size() != 2) return no(n, diag::arguments, c.show(n));
    if (!names_dtype(a[0], wanted)) return false;
    if (wanted->kind == Class::floating) return no(n, diag::not_integer, c.show(n));
    st.kind = Statement::Kind::value;
    st.dtype = wanted;
    Value v;
    v.kind = Value::Kind::integer;
    v.node = a[1];
    if (!integer(v.node)) return false;
    st.operands.push_back(std::move(v));
    return target(n, name, wanted, st);
  }
  if (intrinsic == "splat") {
    st.kind = Statement::Kind::value;
    st.dtype = wanted;
    Value v;
    if (a.size() != 2) return no(n, diag::arguments, c.show(n));
    if (!names_dtype(a[0], wanted) || !value(a[1], wanted, v)) return false;
    st.operands.push_back(std::move(v));
    return target(n, name, wanted, st);
  }
  st.kind = Statement::Kind::compute;
  st.operation = operation_named(intrinsic);
  if (!st.operation) return no(n, diag::not_elementwise, c.show(call.func()));
  const size_t operands =
      st.operation->form == Form::cast ? a.size() - std::min<size_t>(a.size(), a.size() == 2) : a.size();
  if (operands != st.operation->operands()) return no(n, diag::arguments, c.show(n));
  for (const Node w : call.keywords()) {
    auto kw = c.get<ast::keyword>(w);
    auto constant = c.as<ast::Constant>(kw.value());
    if (constant && constant.value().type == HTP_CONST_NONE) continue;
    if (st.operation->form != Form::cast || kw.arg() != "rounding") continue;
    constexpr std::string_view known[] = {"nearest", "toward_zero", "down", "up"};
    if (!c.string(kw.value(), &st.rounding) || std::ranges::find(known, st.rounding) == std::end(known))
      return no(w, diag::arguments, c.show(n));
  }
  if (st.operation->form == Form::cast && a.size() == 2 && !names_dtype(a[1], wanted)) return false;
  return operands_of(n, a, wanted, st) && target(n, name, wanted, st);
}

bool ProgramReader::operands_of(Node n, Nodes a, const DType *wanted, Statement &st) {
  const Form form = st.operation->form;
  st.dtype = wanted;
  if (form == Form::word) {
    st.dtype = dtype_named("i8");
    if (wanted != dtype_named("i32")) return no(n, diag::dtype_mismatch, c.show(n), "i32", wanted->name);
  }
  if (form == Form::compare || form == Form::cast) {
    // The dtype it computes in is that of its scalars.
    st.dtype = nullptr;
    for (size_t k = 0; k < st.operation->operands(); ++k)
      if (const auto it = scalars_.find(std::string(c.name_of(a[k]))); it != scalars_.end() && has_scalar(it->first))
        st.dtype = it->second->dtype;
    if (!st.dtype) return no(n, diag::no_dtype, c.show(n));
    if (form == Form::compare && wanted != boolean_dtype())
      return no(n, diag::dtype_mismatch, c.show(n), boolean_dtype()->name, wanted->name);
  }
  if (!st.operation->takes(st.dtype))
    return no(n, diag::dtype_mismatch, c.show(n), st.dtype->name,
              st.operation->name == "dot4" ? "i32"
              : is_integer_class(st.dtype) ? "a float"
                                           : "an integer");
  for (size_t k = 0; k < st.operation->operands(); ++k) {
    Value v;
    if (!value(a[k], form == Form::where && k == 0 ? boolean_dtype() : st.dtype, v)) return false;
    st.operands.push_back(std::move(v));
  }
  return true;
}

bool ProgramReader::alloc(Node s, std::string_view name, const Type &type, Node call, std::string_view intrinsic,
                          std::vector<Statement> &out) {
  if (type.form != Type::Form::tile && type.form != Type::Form::tensor) return no(s, diag::untyped_buffer, name);
  if (!type.dtype) return no(s, diag::unsupported_dtype, c.show(type.dtype_node));
  const Nodes a = c.get<ast::Call>(call).args();
  if (a.size() != type.dims.size() + 1) return no(call, diag::buffer_dimensions, name);
  if (!may_hold(s, name, Holds::memory) || (intrinsic == "alloc" && !names_dtype(a[0], type.dtype))) return false;
  Memory &m = p.memories.emplace_back();
  m.name = std::string(name);
  m.dtype = type.dtype;
  std::string_view space;
  const Nodes named = type.space ? c.get<ast::Call>(type.space).args() : Nodes();
  m.on_heap = named.size() == 1 && c.string(named[0], &space) && space == "memory";
  for (const Node d : a.subspan(1)) {
    Value v;
    if (!integer(d)) return false;
    if (constants_.number(d, v) && v.i < 0) return no(d, diag::extent, c.show(d), name);
    m.extents.push_back(d);
  }
  scopes_.back().memory[m.name] = &m;
  if (intrinsic != "alloc") {
    m.direction = intrinsic == "claim" ? Direction::out : Direction::in;
    m.slot = true;
    return slot(s, intrinsic, call, &m, out);
  }
  Statement st{};
  st.kind = Statement::Kind::alloc;
  st.node = s;
  st.memory = &m;
  out.push_back(std::move(st));
  return true;
}

bool read_program(const Context &c, const Names &names, const Constants &constants, Node function, Program &program) {
  return ProgramReader(c, names, constants, program).run(function);
}

} // namespace htp::cpu::ready
