// Reading tile statements as steps over elements.
#include "lower.h"

namespace htp::cpu::loops {

std::vector<Extent> SegmentReader::shape_of(const Type &type) const {
  std::vector<Extent> shape;
  for (const Node d : type.dims) shape.push_back(k.extent_of(d));
  return shape;
}

View SegmentReader::identity(Object *object) {
  View v;
  v.object = object;
  v.name = object->name;
  v.shape = object->shape;
  v.dtype_node = object->type.dtype_node;
  for (size_t d = 0; d < object->shape.size(); ++d) v.dims.push_back({.tile_dim = static_cast<int>(d)});
  return v;
}

void SegmentReader::read(Node statement) {
  const Node value = value_of(c, statement);
  const auto target = bound_name(c, statement);
  if (gives_int(c, k.names, statement)) {
    Step &s = steps_.emplace_back();
    s.statement = statement;
    s.call = value;
    s.form = Step::Form::position;
    s.intrinsic = cpu_intrinsic(k.names.called(value));
    const Nodes arguments = c.get<ast::Call>(value).args();
    const View *from = arguments.empty() ? nullptr : view_of(arguments[0]);
    if (from)
      s.operands.push_back(operand(arguments[0], std::vector<int>(from->shape.size(), -1)));
    else
      c.report(diag::untyped, value, c.show(value));
    return;
  }
  Type type;
  if (auto a = c.as<ast::AnnAssign>(statement)) {
    type = read_type(c, k.names, a.annotation());
  } else if (const auto it = k.values.find(target); it != k.values.end() && it->second->object) {
    type = it->second->object->type;
  } else if (const auto m = k.memory.find(target); m != k.memory.end()) {
    type = m->second->type;
  }
  if (!target.empty() && type.form != Type::Form::tile) {
    c.report(diag::untyped, statement, c.show(statement));
    return;
  }
  if (!target.empty() && !type.dtype) {
    c.report(diag::unsupported_dtype, statement, c.show(type.dtype_node));
    return;
  }
  if (c.is(value, HTP_Name)) {
    if (const View *from = view_of(value)) copy(statement, *from, target, type);
    return;
  }
  const std::string intrinsic(cpu_intrinsic(k.names.qualified(c.get<ast::Call>(value).func())));
  if (intrinsic == "store" || intrinsic == "scatter_add") return store(statement, value, intrinsic);
  if (target.empty()) {
    c.report(diag::unnamed_result, statement, "cpu." + intrinsic);
  } else if (intrinsic == "load") {
    load(statement, value, target, type);
  } else if (intrinsic == "zeros" || intrinsic == "full") {
    create(statement, value, intrinsic, target, type);
  } else if (intrinsic == "iota") {
    iota(statement, value, target, type);
  } else if (intrinsic.rfind("reduce_", 0) == 0) {
    reduce(statement, value, intrinsic, target, type);
  } else if (intrinsic == "matmul") {
    matmul(statement, value, target, type);
  } else if (intrinsic.rfind("scan_", 0) == 0) {
    scan(statement, value, intrinsic, target, type);
  } else if (intrinsic == "argmax" || intrinsic == "argmin") {
    locate(statement, value, intrinsic, target, type);
  } else if (intrinsic == "transpose") {
    transpose(statement, value, target, type);
  } else if (intrinsic == "gather") {
    gather(statement, value, target, type);
  } else if (intrinsic == "sort" || intrinsic == "argsort" || intrinsic == "topk" || intrinsic == "argtopk") {
    sort(statement, value, intrinsic, target, type);
  } else if (intrinsic == "relayout") { // memory is flat: another name for the same
    const auto arguments = c.get<ast::Call>(value).args();
    if (const View *from = arguments.empty() ? nullptr : view_of(arguments[0])) see(statement, *from, target, type);
  } else if (intrinsic == "extract") {
    extract(statement, value, target, type);
  } else if (intrinsic == "reshape") {
    reshape(statement, value, target, type);
  } else {
    elementwise(statement, value, intrinsic, target, type);
  }
}

const View *SegmentReader::view_of(Node argument) const {
  const auto name = c.name_of(argument);
  const auto it = name.empty() ? k.values.end() : k.values.find(name);
  return it == k.values.end() ? nullptr : it->second;
}

void SegmentReader::bind(std::string_view target, Object *object) {
  k.views.push_back(identity(object));
  k.values[std::string(target)] = &k.views.back();
}

Object *SegmentReader::result_object(std::string_view target, const Type &type, bool temporary) {
  if (!temporary)
    if (const auto it = k.memory.find(target); it != k.memory.end()) return it->second;
  Object object;
  object.name = temporary ? c.fresh(target) : std::string(target);
  object.type = type;
  object.shape = shape_of(type);
  k.objects.push_back(std::move(object));
  return &k.objects.back();
}

Step &SegmentReader::begin(Node statement, Node call, Step::Form form, const Type &type) {
  Step &s = steps_.emplace_back();
  s.statement = statement;
  s.call = call;
  s.form = form;
  s.dtype = type.dtype;
  s.dtype_node = type.dtype_node;
  return s;
}

std::vector<int> SegmentReader::loops_over(Step &step, const std::vector<Extent> &shape) {
  std::vector<int> levels;
  for (const Extent &e : shape) {
    levels.push_back(e.one() ? -1 : static_cast<int>(step.loops.size()));
    if (!e.one()) step.loops.push_back({e, false});
  }
  return levels;
}

Access SegmentReader::access(const View &view, const std::vector<int> &levels) const {
  std::vector<Index> at(levels.size());
  for (size_t d = 0; d < levels.size(); ++d) at[d].loop = levels[d];
  return access(view, at);
}

// `at`: where each dim of the tile stands.
Access SegmentReader::access(const View &view, const std::vector<Index> &at) const {
  Access a;
  a.object = view.object;
  // Fewer dims than the loops: the missing ones are in front, as extents of 1.
  const size_t missing = at.size() - view.shape.size();
  for (const View::Dim &d : view.dims) {
    Index i;
    i.base = d.base;
    i.scale = d.scale;
    i.text = d.text;
    if (d.from) {
      const auto first = at.begin() + static_cast<std::ptrdiff_t>(missing) + d.tile_dim;
      i.from = std::make_shared<Operand>();
      i.from->view = d.from;
      i.text.clear();
      i.text = "[" + d.from->name;
      if (d.from->object)
        i.from->access =
            access(*d.from, std::vector<Index>(first, first + static_cast<std::ptrdiff_t>(d.from->shape.size())));
      i.text += text_of(i.from->access) + "]";
    } else if (d.tile_dim >= 0 && !view.shape[static_cast<size_t>(d.tile_dim)].one()) {
      const Index &along = at[missing + static_cast<size_t>(d.tile_dim)];
      i.loop = along.loop;
      i.deepest = along.deepest;
      i.from = along.from;
      i.limit = along.limit;
      i.text += along.text;
      if (along.base) {
        const Node scaled =
            d.scale ? c.binary(clone(c, along.base), HTP_Mult, clone(c, d.scale), along.base) : along.base;
        i.base = d.base ? c.binary(clone(c, d.base), HTP_Add, clone(c, scaled), along.base) : scaled;
      }
      if (along.scale) i.scale = d.scale ? times(clone(c, d.scale), along.scale, along.scale) : along.scale;
      if (i.loop < 0) i.scale = HTP_NONE;
    }
    a.index.push_back(std::move(i));
  }
  return a;
}

Operand SegmentReader::operand(Node argument, const std::vector<int> &levels) const {
  Operand o;
  o.node = argument;
  o.view = view_of(argument);
  if (o.view && o.view->object) o.access = access(*o.view, levels);
  return o;
}

bool SegmentReader::reads_behind_its_back(const Step &step) {
  for (size_t n = 0; n < step.operands.size(); ++n) {
    const Access &a = step.operands[n].access;
    if (!a.object || a.object != step.result.object) continue;
    // What gathers a reduction starts before its operand is read; only a product's third operand is where it starts.
    if (step.form == Step::Form::reduce || step.form == Step::Form::scan || step.form == Step::Form::locate ||
        (step.form == Step::Form::matmul && n < 2))
      return true;
    for (size_t d = 0; d < a.index.size(); ++d)
      if (a.index[d].loop != step.result.index[d].loop || a.index[d].text != step.result.index[d].text) return true;
  }
  return false;
}

// Gives the step its result, over its loops in order.
void SegmentReader::finish(Step &step, std::string_view target, const Type &type) {
  std::vector<int> levels;
  int next = 0;
  for (const Extent &e : shape_of(type)) levels.push_back(e.one() ? -1 : next++);
  std::vector<Index> at(levels.size());
  for (size_t d = 0; d < levels.size(); ++d) at[d].loop = levels[d];
  finish(step, target, type, at);
}

// Through a temporary tile when it would overwrite what it still reads.
void SegmentReader::finish(Step &step, std::string_view target, const Type &type, const std::vector<Index> &at) {
  Object *object = result_object(target, type);
  step.result = access(identity(object), at);
  if (reads_behind_its_back(step)) {
    Object *temporary = result_object(target, type, true);
    temporary->name = c.fresh(std::string(target) + "_new");
    step.result = access(identity(temporary), at);
    k.views.push_back(identity(temporary));
    copy(step.statement, k.views.back(), target, type);
  } else {
    bind(target, object);
  }
}

void SegmentReader::copy(Node statement, const View &from, std::string_view target, const Type &type) {
  const bool memory = k.memory.contains(target);
  if (!memory && k.uses.scoped(target) && (!from.object || k.uses.bindings(from.name) <= 1)) {
    View v = from;
    v.name = std::string(target);
    k.views.push_back(std::move(v));
    k.values[std::string(target)] = &k.views.back();
    return;
  }
  Step &s = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  const auto levels = loops_over(s, shape_of(type));
  Operand o;
  o.view = &from;
  if (from.object) o.access = access(from, levels);
  s.operands.push_back(std::move(o));
  Object *object = result_object(target, type);
  s.result = access(identity(object), levels);
  bind(target, object);
}

void SegmentReader::create(Node statement, Node call, const std::string &intrinsic, std::string_view target,
                           const Type &type) {
  auto v = c.get<ast::Call>(call);
  make_constant(statement, intrinsic == "full" && v.args().size() > 1 ? v.args()[1] : c.integer_node(0, call), target,
                type);
}

void SegmentReader::make_constant(Node statement, Node value, std::string_view target, const Type &type) {
  View view;
  view.name = std::string(target);
  view.shape = shape_of(type);
  view.dtype_node = type.dtype_node;
  view.constant = value;
  k.views.push_back(std::move(view));
  const View &from = k.views.back();
  if (!k.memory.contains(target) && k.uses.scoped(target) && k.uses.stable(from.constant)) {
    k.values[std::string(target)] = &from;
    return;
  }
  Step &s = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  const auto levels = loops_over(s, from.shape);
  s.operands.push_back({.view = &from, .access = {}, .node = HTP_NONE});
  Object *object = result_object(target, type);
  s.result = access(identity(object), levels);
  bind(target, object);
}

// The `axis` of a call over so many dims; -1 when it has none of them.
int64_t SegmentReader::axis_of(Node call, size_t rank) const {
  int64_t axis = -1;
  bool known = false;
  for (const Node n : c.get<ast::Call>(call).keywords())
    if (auto kw = c.get<ast::keyword>(n); kw.arg() == "axis") known = c.integer(kw.value(), &axis);
  const auto dims = static_cast<int64_t>(rank);
  if (axis < 0) axis += dims;
  return known && axis >= 0 && axis < dims ? axis : -1;
}

void SegmentReader::iota(Node statement, Node call, std::string_view target, const Type &type) {
  auto v = c.get<ast::Call>(call);
  const int64_t axis = axis_of(call, v.args().size() - 1);
  if (axis < 0) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  Step &s = begin(statement, call, Step::Form::elementwise, type);
  s.intrinsic = "iota";
  const auto levels = loops_over(s, shape_of(type));
  s.counted.loop = levels[static_cast<size_t>(axis)];
  if (const auto b = k.blocks.find(c.name_of(v.args()[static_cast<size_t>(axis) + 1])); b != k.blocks.end())
    s.counted.base = c.name(b->second.at, call);
  finish(s, target, type);
}

// Loops over the operand's dims, the axis innermost: the level of each dim. Nothing after a diagnostic.
std::optional<std::vector<int>> SegmentReader::along_axis(Node call, Step &s) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const View *from = arguments.empty() ? nullptr : view_of(arguments[0]);
  const int64_t axis = from ? axis_of(call, from->shape.size()) : -1;
  if (axis < 0) {
    c.report(diag::untyped, call, c.show(call));
    return std::nullopt;
  }
  std::vector<int> levels(from->shape.size(), -1);
  const auto loop = [&](size_t d, bool reduces) {
    if (from->shape[d].one()) return;
    levels[d] = static_cast<int>(s.loops.size());
    s.loops.push_back({from->shape[d], reduces});
  };
  for (size_t d = 0; d < from->shape.size(); ++d)
    if (static_cast<int64_t>(d) != axis) loop(d, false);
  loop(static_cast<size_t>(axis), true);
  s.operands.push_back(operand(arguments[0], levels));
  return levels;
}

void SegmentReader::reduce(Node statement, Node call, const std::string &intrinsic, std::string_view target,
                           const Type &type) {
  static const std::map<std::string, std::string, std::less<>> combining = {
      {"reduce_sum", "add"},     {"reduce_prod", "mul"},   {"reduce_max", "maximum"},
      {"reduce_min", "minimum"}, {"reduce_any", "bit_or"}, {"reduce_all", "bit_and"}};
  Step &s = begin(statement, call, Step::Form::reduce, type);
  s.intrinsic = combining.at(intrinsic);
  if (along_axis(call, s)) finish(s, target, type);
}

void SegmentReader::locate(Node statement, Node call, const std::string &intrinsic, std::string_view target,
                           const Type &type) {
  Step &s = begin(statement, call, Step::Form::locate, type);
  s.intrinsic = intrinsic == "argmax" ? "above" : "below";
  if (!along_axis(call, s)) return;
  if (!s.loops.empty() && s.loops.back().reduces) s.counted.loop = static_cast<int>(s.loops.size()) - 1;
  finish(s, target, type);
}

void SegmentReader::scan(Node statement, Node call, const std::string &intrinsic, std::string_view target,
                         const Type &type) {
  Step &s = begin(statement, call, Step::Form::scan, type);
  s.intrinsic = intrinsic == "scan_sum" ? "add" : intrinsic == "scan_max" ? "maximum" : "minimum";
  const auto levels = along_axis(call, s);
  if (!levels) return;
  std::vector<Index> at(levels->size());
  for (size_t d = 0; d < at.size(); ++d) at[d].loop = (*levels)[d];
  finish(s, target, type, at);
}

void SegmentReader::matmul(Node statement, Node call, std::string_view target, const Type &type) {
  auto v = c.get<ast::Call>(call);
  Node argument[3] = {};
  for (size_t n = 0; n < v.args().size() && n < 3; ++n) argument[n] = v.args()[n];
  for (const Node n : v.keywords())
    if (auto kw = c.get<ast::keyword>(n); kw.arg() == "acc") argument[2] = kw.value();
  const View *a = view_of(argument[0]), *b = view_of(argument[1]);
  const size_t rank = a ? a->shape.size() : 0;
  if (!a || !b || rank < 2 || b->shape.size() != rank) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  Step &s = begin(statement, call, Step::Form::matmul, type);
  const auto levels = loops_over(s, shape_of(type));
  int depth = -1;
  if (const Extent &e = a->shape[rank - 1].one() ? b->shape[rank - 2] : a->shape[rank - 1]; !e.one()) {
    depth = static_cast<int>(s.loops.size());
    s.loops.push_back({e, true});
  }
  std::vector<int> left = levels, right = levels;
  for (size_t d = 0; d + 2 < rank; ++d) {
    if (a->shape[d].one()) left[d] = -1;
    if (b->shape[d].one()) right[d] = -1;
  }
  left[rank - 1] = right[rank - 2] = depth;
  const int rows = levels[rank - 2], columns = levels[rank - 1];
  if (rows >= 0 && columns >= 0 && depth >= 0 && k.at_least(s.loops[static_cast<size_t>(rows)].extent, 4))
    s.tiled = Step::Tiled{rows, columns, depth};
  s.operands.push_back(operand(argument[0], left));
  s.operands.push_back(operand(argument[1], right));
  if (argument[2] && !(c.is(argument[2], HTP_Constant) && !view_of(argument[2])))
    s.operands.push_back(operand(argument[2], levels));
  finish(s, target, type);
}

void SegmentReader::elementwise(Node statement, Node call, const std::string &intrinsic, std::string_view target,
                                const Type &type) {
  Step &s = begin(statement, call, Step::Form::elementwise, type);
  s.intrinsic = intrinsic;
  const auto levels = loops_over(s, shape_of(type));
  for (const Node n : c.get<ast::Call>(call).args()) {
    Operand o = operand(n, levels);
    if (o.view) {
      const Type &from = o.view->object ? o.view->object->type : type;
      if (!from.dtype) c.report(diag::unsupported_dtype, n, c.show(from.dtype_node));
    }
    s.operands.push_back(std::move(o));
  }
  finish(s, target, type);
}

} // namespace htp::cpu::loops
