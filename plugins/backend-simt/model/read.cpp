#include "program.h"

#include "htp_cpp/layout/annotation.h"
#include "htp_cpp/layout/array.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <utility>

namespace htp::simt {

namespace {
#define none ""
constexpr Operation operations[] = {
#define SCALAR(operation, form, floats, others) {#operation, Form::form, floats, others},
#define OPERATION(intrinsic, ...) SCALAR(__VA_ARGS__)
#define HANDLER(...)
#include "operations.def"
};
#undef none

constexpr DType dtypes[] = {
#define DTYPE(name, memory, value, bytes, kind) {#name, memory, value, bytes, Class::kind},
#include "dtypes.def"
};

// Where a statement stands.
enum class Place : uint8_t { host, grid, group, lane };

class ProgramReader {
public:
  ProgramReader(const Context &context, Node root, Program &program)
      : c(context), names_(context, root), numbers_(context, root), p(program) {}

  bool run(Node function);

private:
  struct Scope {
    std::map<std::string, Memory *, std::less<>> memory;
    std::set<std::string, std::less<>> scalars, integers;
  };
  template <class... A> bool no(Node where, const DiagKind &kind, const A &...arguments) const {
    c.report(kind, where, arguments...);
    return false;
  }
  bool form(Node where) const { return no(where, diag::statement, first_line(c.show(where))); }
  static std::string first_line(const std::string &text) { return text.substr(0, text.find('\n')); }

  bool parameter(Node n);
  bool lay_out(Node layout, Memory &m);
  Memory *memory(Node n) const;
  bool has(std::string_view name, std::set<std::string, std::less<>> Scope::*what) const {
    return std::ranges::any_of(scopes_, [&](const Scope &s) { return (s.*what).contains(name); });
  }
  const DType *dtype(Node n) const {
    const std::string q = names_.qualified(n);
    return q.starts_with("htp.") ? dtype_named(std::string_view(q).substr(4)) : nullptr;
  }

  bool integer(Node n);
  bool condition(Node n);
  bool block(Nodes statements, std::vector<Statement> &out);
  bool statement(Node s, std::vector<Statement> &out);
  bool loop(Node s, std::vector<Statement> &out);
  bool branch(Node s, std::vector<Statement> &out);
  bool assign(Node s, std::string_view name, Node annotation, Node value, std::vector<Statement> &out);
  bool alloc(Node s, std::string_view name, Node annotation, Node call, std::vector<Statement> &out);
  bool bind(Node s, Statement st, std::vector<Statement> &out);
  bool put(Node s, Node call, std::vector<Statement> &out);
  bool compute(Node n, std::string_view called, Node annotation, std::string_view name, Statement &st);
  bool operands(Node call, Nodes arguments, const DType *wanted, Statement &st);
  bool value(Node n, const DType *dtype, Value &v);
  bool index(Node call, const Memory &m, Nodes given, std::vector<Node> &out);
  bool target(Node where, std::string_view name, const DType *dtype, Statement &st);

  const Context &c;
  const Names names_;
  const Numbers numbers_;
  Program &p;
  Place place_ = Place::host;
  int groups_ = 0;
  std::string lane_; // the variable of the loop over lanes
  std::vector<Scope> scopes_;
  std::map<std::string, Scalar *, std::less<>> scalars_;
};

bool ProgramReader::run(Node function) {
  p.function = function;
  auto f = c.get<ast::FunctionDef>(function);
  p.name = std::string(f.name());
  scopes_.emplace_back();
  for (const Node n : c.get<ast::arguments>(f.args()).args())
    if (!parameter(n)) return false;
  p.parameters = p.memories.size();
  return block(f.body(), p.body);
}

bool ProgramReader::parameter(Node n) {
  auto a = c.get<ast::arg>(n);
  const std::string direction = direction_of(c, a.annotation());
  auto within = c.as<ast::Subscript>(a.annotation());
  Node type = direction.empty() ? a.annotation() : within.slice();
  Memory &m = p.memories.emplace_back();
  m.name = std::string(a.arg());
  m.node = n;
  m.direction = direction == "Out" ? Direction::out : direction == "InOut" ? Direction::inout : Direction::in;
  Node layout = HTP_NONE;
  if (auto tensor = c.as<ast::Subscript>(type)) {
    auto items = c.as<ast::Tuple>(tensor.slice());
    m.dtype = items ? dtype(items.elts()[0]) : dtype(tensor.slice());
    for (const Node e : items ? items.elts().subspan(1) : Nodes()) {
      if (names_.called(e) == "htp.space") continue;
      if (c.is(e, HTP_Call) || !names_.qualified(e).empty())
        layout = e;
      else
        m.extents.push_back(e);
    }
  } else if (c.name_of(type) == "int") {
    m.dtype = dtype_named("i64");
    m.is_int = true;
    scopes_.back().integers.insert(m.name);
    return true;
  } else {
    m.dtype = dtype(type); // one element
    m.extents = {c.integer_node(1, n)};
  }
  if (!m.dtype) return no(n, diag::parameter, m.name, c.show(type));
  for (const Node e : m.extents)
    c.each(e, [&](Node inner) {
      const auto name = c.name_of(inner);
      if (numbers_.is_dim(name) && std::ranges::find(p.dims, name) == p.dims.end()) p.dims.emplace_back(name);
    });
  scopes_.back().memory[m.name] = &m;
  return !layout || lay_out(layout, m);
}

bool ProgramReader::lay_out(Node expression, Memory &m) {
  const auto integer = [&](Node n) { return numbers_.integer(n); };
  std::vector<int64_t> shape;
  for (const Node e : m.extents) shape.push_back(integer(e).value_or(0));
  const auto layout = read_layout_by_facet(c, names_, expression, integer);
  if (layout && layout::is_row_major(*layout)) return true;
  auto steps = layout ? layout::array_steps(*layout, shape) : layout::Result<std::vector<int64_t>>(layout.no());
  if (!steps) return no(expression, diag::parameter_layout, m.name, c.show(expression), steps.reason());
  m.steps = std::move(*steps);
  return true;
}

Memory *ProgramReader::memory(Node n) const {
  const auto name = c.name_of(n);
  for (auto s = scopes_.rbegin(); s != scopes_.rend(); ++s)
    if (const auto it = s->memory.find(name); it != s->memory.end()) return it->second;
  return nullptr;
}

// An expression over ints: loop variables, dims, constants, + - * // %, min and max.
bool ProgramReader::integer(Node n) {
  if (const auto name = c.name_of(n); !name.empty() && scalars_.contains(name)) return no(n, diag::lane_value, name);
  if (const auto name = c.name_of(n); !name.empty())
    return has(name, &Scope::integers) || numbers_.is_dim(name) || numbers_.integer(n) ||
           no(n, diag::unknown_int, name);
  if (numbers_.integer(n)) return true;
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
  return no(n, diag::no_int, c.show(n));
}

bool ProgramReader::condition(Node n) {
  if (auto cmp = c.as<ast::Compare>(n)) {
    if (!integer(cmp.left())) return false;
    for (size_t k = 0; k < cmp.ops().size(); ++k) {
      if (cmp.ops()[k] < HTP_Eq || cmp.ops()[k] > HTP_GtE) return no(n, diag::no_int, c.show(n));
      if (!integer(cmp.comparators()[k])) return false;
    }
    return true;
  }
  if (auto b = c.as<ast::BoolOp>(n)) return std::ranges::all_of(b.values(), [&](Node v) { return condition(v); });
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
  if (c.is(s, HTP_If) || c.is(s, HTP_While)) return branch(s, out);
  if (c.is(s, HTP_Break) && place_ != Place::host) {
    Statement leave{Statement::Kind::leave};
    leave.node = s;
    out.push_back(std::move(leave));
    return true;
  }
  if (auto e = c.as<ast::Expr>(s)) {
    if (c.is(e.value(), HTP_Constant)) return true; // a docstring
    const std::string called = names_.called(e.value());
    if (called == "htp_cpu.put") return put(s, e.value(), out);
    if (called != "htp_simt.barrier") return form(s);
    if (place_ != Place::grid && place_ != Place::group) return no(s, diag::barrier_place);
    Statement barrier{Statement::Kind::barrier};
    barrier.node = s;
    out.push_back(std::move(barrier));
    return true;
  }
  if (auto a = c.as<ast::AnnAssign>(s); a && a.value())
    return assign(s, c.name_of(a.target()), a.annotation(), a.value(), out);
  if (auto a = c.as<ast::Assign>(s); a && a.targets().size() == 1)
    return assign(s, c.name_of(a.targets()[0]), HTP_NONE, a.value(), out);
  return form(s);
}

bool ProgramReader::branch(Node s, std::vector<Statement> &out) {
  auto i = c.as<ast::If>(s);
  auto w = c.as<ast::While>(s);
  if (w && place_ == Place::host) return form(s);
  Statement b{i ? Statement::Kind::branch : Statement::Kind::repeat};
  b.node = s;
  b.test = i ? i.test() : w.test();
  // Between loops of a grid a branch is the group's.
  const Place around = std::exchange(place_, place_ == Place::grid ? Place::group : place_);
  const bool fine =
      condition(b.test) && block(i ? i.body() : w.body(), b.body) && block(i ? i.orelse() : w.orelse(), b.orelse);
  place_ = around;
  if (fine) out.push_back(std::move(b));
  return fine;
}

bool ProgramReader::loop(Node s, std::vector<Statement> &out) {
  auto f = c.get<ast::For>(s);
  const LoopForms forms = loop_forms(c, names_, f.iter());
  std::string_view level;
  for (const Node w : forms.wrappers)
    for (const Node k : c.get<ast::Call>(w).keywords())
      if (auto keyword = c.get<ast::keyword>(k); keyword.arg() == "level") c.string(keyword.value(), &level);
  Statement l{level == "group"  ? Statement::Kind::group
              : level == "lane" ? Statement::Kind::lanes
                                : Statement::Kind::loop};
  l.node = s;
  l.name = std::string(c.name_of(f.target()));
  l.unrolled = forms.unrolled;
  auto call = c.as<ast::Call>(forms.range);
  if (!call || c.name_of(call.func()) != "range" || call.args().empty() || call.args().size() > 3 || l.name.empty() ||
      !f.orelse().empty())
    return form(s);
  const Nodes a = call.args();
  if (a.size() > 1) l.start = a[0];
  l.stop = a.size() > 1 ? a[1] : a[0];
  if (a.size() > 2) l.step = a[2];
  for (const Node n : a)
    if (!integer(n)) return false;
  Place within = place_;
  if (l.kind == Statement::Kind::loop) {
    if (place_ == Place::grid) within = Place::group;
  } else if (l.kind == Statement::Kind::group) {
    const auto step = l.step ? numbers_.integer(l.step) : 1;
    if (place_ > Place::grid || groups_ == 3 || !step || *step < 1) return no(s, diag::group_place);
    within = Place::grid;
  } else {
    const auto count = numbers_.integer(l.stop);
    if (place_ != Place::grid && place_ != Place::group) return no(s, diag::lane_place);
    if (!count || *count < 1 || l.start || l.step) return no(f.iter(), diag::lane_count, c.show(f.iter()));
    l.count = *count;
    within = Place::lane;
  }
  const Place around = std::exchange(place_, within);
  if (l.kind == Statement::Kind::lanes) lane_ = l.name;
  if (l.kind == Statement::Kind::group) ++groups_;
  scopes_.emplace_back();
  scopes_.back().integers.insert(l.name);
  if (!block(f.body(), l.body)) return false;
  scopes_.pop_back();
  if (l.kind == Statement::Kind::group) --groups_;
  if (l.kind == Statement::Kind::lanes) lane_.clear();
  place_ = around;
  out.push_back(std::move(l));
  return true;
}

bool ProgramReader::index(Node call, const Memory &m, Nodes given, std::vector<Node> &out) {
  if (given.size() != m.extents.size())
    return no(call, diag::index_count, c.show(call), given.size(), m.name, m.extents.size());
  out.assign(given.begin(), given.end());
  if (m.by_lane && (given.empty() || lane_.empty() || c.name_of(given[0]) != lane_))
    return no(call, diag::other_lane, m.name, c.show(call));
  return std::ranges::all_of(given, [&](Node n) { return integer(n); });
}

bool ProgramReader::put(Node s, Node call, std::vector<Statement> &out) {
  const Nodes a = c.get<ast::Call>(call).args();
  Memory *m = a.size() < 2 ? nullptr : memory(a[0]);
  if (!m) return form(s);
  if (m->direction == Direction::in) return no(s, diag::input_written, m->name);
  if (place_ != Place::lane) return no(s, diag::uniform_put, m->name);
  m->written = true;
  Statement st{Statement::Kind::put};
  st.node = s;
  st.memory = m;
  st.dtype = m->dtype;
  Value v;
  if (!value(a[1], m->dtype, v) || !index(call, *m, a.subspan(2), st.index)) return false;
  st.operands.push_back(std::move(v));
  out.push_back(std::move(st));
  return true;
}

bool ProgramReader::value(Node n, const DType *dtype, Value &v) {
  v = {};
  const auto name = c.name_of(n);
  if (!name.empty() && has(name, &Scope::scalars)) {
    v.kind = Value::Kind::scalar;
    v.scalar = scalars_.find(name)->second;
    return !dtype || v.scalar->dtype == dtype || no(n, diag::dtype_mismatch, name, v.scalar->dtype->name, dtype->name);
  }
  if (numbers_.number(n, v)) return true;
  v = {};
  v.kind = Value::Kind::integer;
  v.node = n;
  return integer(n);
}

bool ProgramReader::bind(Node s, Statement st, std::vector<Statement> &out) {
  st.node = s;
  st.declares = !has(st.name, &Scope::integers);
  if (st.declares) scopes_.back().integers.insert(st.name);
  out.push_back(std::move(st));
  return true;
}

bool ProgramReader::assign(Node s, std::string_view name, Node annotation, Node n, std::vector<Statement> &out) {
  const std::string called = names_.called(n);
  if (name.empty()) return form(s);
  if (called == "htp_cpu.alloc") return alloc(s, name, annotation, n, out);
  Statement st{Statement::Kind::integer};
  st.name = std::string(name);
  if (called == "htp_cpu.position" || called == "htp_cpu.holds") {
    const Nodes a = c.get<ast::Call>(n).args();
    if (place_ == Place::host) return no(s, diag::host_element, c.show(n));
    Value v;
    if (a.empty() || (a.size() > 1 && !integer(st.limit = a[1])) || !value(a[0], nullptr, v))
      return a.empty() ? form(s) : false;
    if (v.kind != Value::Kind::scalar || v.scalar->dtype->kind == Class::floating) return form(s);
    st.operands.push_back(std::move(v));
    return bind(s, std::move(st), out);
  }
  if (called.empty() && !annotation && !scalars_.contains(name)) {
    st.test = n;
    return integer(n) && bind(s, std::move(st), out);
  }
  if (place_ == Place::host) return no(s, diag::host_element, c.show(n));
  st.node = s;
  if (!compute(n, called, annotation, name, st)) return false;
  st.declares = !has(name, &Scope::scalars);
  if (st.declares) scopes_.back().scalars.insert(std::string(name));
  out.push_back(std::move(st));
  return true;
}

bool ProgramReader::target(Node where, std::string_view name, const DType *dtype, Statement &st) {
  auto &slot = scalars_[std::string(name)];
  if (!slot) slot = &p.scalars.emplace_back(Scalar{std::string(name), dtype});
  if (slot->dtype != dtype) return no(where, diag::dtype_mismatch, name, slot->dtype->name, dtype->name);
  st.target = slot;
  return true;
}

bool ProgramReader::compute(Node n, std::string_view called, Node annotation, std::string_view name, Statement &st) {
  const auto known = scalars_.find(name);
  const DType *wanted = annotation ? dtype(annotation) : known != scalars_.end() ? known->second->dtype : nullptr;
  if (!wanted) return no(annotation ? annotation : n, diag::untyped_scalar, name);
  st.dtype = wanted;
  Value v;
  if (!c.is(n, HTP_Call)) {
    st.kind = Statement::Kind::value;
    if (!value(n, wanted, v)) return false;
    st.operands.push_back(std::move(v));
    return target(n, name, wanted, st);
  }
  auto call = c.get<ast::Call>(n);
  const Nodes a = call.args();
  if (!called.starts_with("htp_cpu.")) return no(n, diag::no_operation, c.show(call.func()));
  const std::string_view op = called.substr(8);
  if (op == "get") {
    st.kind = Statement::Kind::get;
    const Memory *m = a.empty() ? nullptr : memory(a[0]);
    if (!m) return form(n);
    if (m->dtype != wanted) return no(n, diag::dtype_mismatch, m->name, m->dtype->name, wanted->name);
    st.memory = m;
    for (const Node w : call.keywords()) {
      auto keyword = c.get<ast::keyword>(w);
      if (keyword.arg() != "outside" || !value(keyword.value(), wanted, v)) return form(n);
      st.operands.push_back(std::move(v));
    }
    return index(n, *m, a.subspan(1), st.index) && target(n, name, wanted, st);
  }
  if (op == "splat" || op == "index") {
    st.kind = Statement::Kind::value;
    if (a.size() != 2 || dtype(a[0]) != wanted || !value(a[1], wanted, v)) return form(n);
    st.operands.push_back(std::move(v));
    return target(n, name, wanted, st);
  }
  st.kind = Statement::Kind::compute;
  st.operation = operation_named(op);
  if (!st.operation) return no(n, diag::no_operation, c.show(call.func()));
  for (const Node w : call.keywords())
    if (auto keyword = c.get<ast::keyword>(w); keyword.arg() == "rounding") c.string(keyword.value(), &st.rounding);
  return operands(n, a, wanted, st) && target(n, name, wanted, st);
}

bool ProgramReader::operands(Node n, Nodes a, const DType *wanted, Statement &st) {
  const Form form_ = st.operation->form;
  const size_t count = form_ == Form::cast ? 1 : a.size();
  if (a.empty() || count != st.operation->operands()) return form(n);
  if (form_ == Form::compare || form_ == Form::cast) {
    // The dtype it computes in is that of its scalars.
    st.dtype = nullptr;
    for (size_t k = 0; k < count; ++k)
      if (const auto name = c.name_of(a[k]); has(name, &Scope::scalars)) st.dtype = scalars_.find(name)->second->dtype;
    if (!st.dtype) return form(n);
    if (form_ == Form::compare && wanted->kind != Class::boolean)
      return no(n, diag::dtype_mismatch, c.show(n), "bool_", wanted->name);
  }
  const bool floats = st.dtype->kind == Class::floating;
  if ((floats ? st.operation->floats : st.operation->others).empty())
    return no(n, diag::dtype_mismatch, c.show(n), st.dtype->name, floats ? "an integer" : "a float");
  for (size_t k = 0; k < count; ++k) {
    Value v;
    if (!value(a[k], form_ == Form::where && k == 0 ? dtype_named("bool_") : st.dtype, v)) return false;
    st.operands.push_back(std::move(v));
  }
  return true;
}

bool ProgramReader::alloc(Node s, std::string_view name, Node annotation, Node call, std::vector<Statement> &out) {
  const auto type = annotation ? read_type(c, annotation) : std::nullopt;
  const Nodes a = c.get<ast::Call>(call).args();
  if (!type || type->form.empty() || a.empty()) return form(s);
  std::string_view space;
  const Nodes named = type->space ? c.get<ast::Call>(type->space).args() : Nodes();
  if (named.size() == 1) c.string(named[0], &space);
  Memory &m = p.memories.emplace_back();
  m.name = std::string(name);
  m.node = s;
  m.dtype = dtype(a[0]);
  m.space = space == "shared" ? Space::shared : space == "private" ? Space::lane : Space::global;
  if (!m.dtype || m.dtype->name != type->dtype) return form(s);
  // A lane's own memory that outlives a loop over lanes has the lane as its first index.
  m.by_lane = m.space == Space::lane && (place_ == Place::grid || place_ == Place::group);
  const Place wanted = m.space == Space::shared || m.by_lane ? Place::group
                       : m.space == Space::lane              ? Place::lane
                                                             : Place::host;
  if (place_ != wanted && !(wanted == Place::group && place_ == Place::grid))
    return no(s, diag::buffer_place, m.name, space.empty() ? "global" : space);
  for (const Node e : a.subspan(1)) {
    if (!integer(e)) return false;
    if (m.space != Space::global && !numbers_.integer(e)) return no(e, diag::buffer_size, m.name, c.show(e));
    m.extents.push_back(e);
  }
  scopes_.back().memory[m.name] = &m;
  Statement st{Statement::Kind::alloc};
  st.node = s;
  st.memory = &m;
  out.push_back(std::move(st));
  return true;
}

} // namespace

const DType *dtype_named(std::string_view name) {
  const auto it = std::ranges::find(dtypes, name, &DType::name);
  return it == std::end(dtypes) ? nullptr : &*it;
}

const Operation *operation_named(std::string_view name) {
  const auto it = std::ranges::find(operations, name, &Operation::name);
  return it == std::end(operations) ? nullptr : &*it;
}

bool Numbers::number(Node n, Value &v) const {
  v = {};
  auto u = t_.as<ast::UnaryOp>(n);
  const bool negative = u && u.op() == HTP_USub;
  if (auto k = t_.as<ast::Constant>(negative ? u.operand() : n)) {
    const htp_const &value = k.value();
    if (value.type == HTP_CONST_TRUE || value.type == HTP_CONST_FALSE) {
      v.i = value.type == HTP_CONST_TRUE;
      return !negative;
    }
    if (value.type == HTP_CONST_INT && value.u.i < 0) {
      v.digits = (negative ? "-" : "") + std::string(t_.text(value.text));
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

bool read_program(const Context &c, Node root, Program &program) {
  const Node function = c.entry_function(root);
  if (!function) return c.report(diag::no_entry, HTP_NONE, c.entry()), false;
  return ProgramReader(c, root, program).run(function);
}

} // namespace htp::simt
