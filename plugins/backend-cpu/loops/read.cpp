// Reading tile statements as steps over elements.
#include "lower.h"

namespace htp::cpu::loops {

namespace {
std::vector<Extent> shape_of(const Kernel &k, const Type &type) {
  std::vector<Extent> shape;
  for (const Node d : type.dims) shape.push_back(k.extent_of(d));
  return shape;
}

View identity(Object *object) {
  View v;
  v.object = object;
  v.name = object->name;
  v.shape = object->shape;
  v.dtype_node = object->type.dtype_node;
  for (size_t d = 0; d < object->shape.size(); ++d) v.dims.push_back({static_cast<int>(d), HTP_NONE, {}});
  return v;
}
} // namespace

void SegmentReader::read(Node statement) {
  const Node value = value_of(c, statement);
  const auto target = bound_name(c, statement);
  Type type;
  if (auto a = c.as<ast::AnnAssign>(statement)) {
    type = read_type(c, k.names, a.annotation());
  } else if (const auto it = k.values.find(target); it != k.values.end() && it->second->object) {
    type = it->second->object->type;
  } else if (const auto m = k.memory.find(target); m != k.memory.end()) {
    type = m->second->type;
  }
  if (!target.empty() && type.form != Type::Form::tile) {
    c.report(diag::unsupported_form, statement, "the type of `" + std::string(target) + "`")
        .hint("its first binding needs a type `Tile[dtype, extents]`");
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
  const std::string word(cpu_word(k.names.qualified(c.get<ast::Call>(value).func())));
  if (word == "store") return store(statement, value);
  if (target.empty()) {
    c.report(diag::unsupported_form, statement, "`cpu." + word + "` whose result is not named");
  } else if (word == "load") {
    load(statement, value, target, type);
  } else if (word == "zeros" || word == "full") {
    create(statement, value, word, target, type);
  } else if (word == "iota") {
    iota(statement, value, target, type);
  } else if (word.rfind("reduce_", 0) == 0) {
    reduce(statement, value, word, target, type);
  } else if (word == "matmul") {
    matmul(statement, value, target, type);
  } else if (word == "transpose") {
    transpose(statement, value, target, type);
  } else {
    elementwise(statement, value, word, target, type);
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
  object.shape = shape_of(k, type);
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

Access SegmentReader::access(const View &view, const std::vector<int> &levels) {
  Access a;
  a.object = view.object;
  // Fewer dims than the loops: the missing ones are in front, as extents of 1.
  const size_t missing = levels.size() - view.shape.size();
  for (const View::Dim &d : view.dims) {
    Index i;
    i.base = d.base;
    i.base_text = d.base_text;
    if (d.tile_dim >= 0 && !view.shape[static_cast<size_t>(d.tile_dim)].one())
      i.loop = levels[missing + static_cast<size_t>(d.tile_dim)];
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
    if (step.form == Step::Form::reduce || (step.form == Step::Form::matmul && n < 2)) return true;
    for (size_t d = 0; d < a.index.size(); ++d)
      if (a.index[d].loop != step.result.index[d].loop) return true;
  }
  return false;
}

// Gives the step its result; through a temporary tile when it would overwrite what it still reads.
void SegmentReader::finish(Step &step, std::string_view target, const Type &type) {
  Object *object = result_object(target, type);
  std::vector<int> levels;
  int next = 0;
  for (const Extent &e : object->shape) levels.push_back(e.one() ? -1 : next++);
  step.result = access(identity(object), levels);
  if (reads_behind_its_back(step)) {
    Object *temporary = result_object(target, type, true);
    temporary->name = c.fresh(std::string(target) + "_new");
    step.result = access(identity(temporary), levels);
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
  const auto levels = loops_over(s, shape_of(k, type));
  Operand o;
  o.view = &from;
  if (from.object) o.access = access(from, levels);
  s.operands.push_back(std::move(o));
  Object *object = result_object(target, type);
  s.result = access(identity(object), levels);
  bind(target, object);
}

void SegmentReader::create(Node statement, Node call, const std::string &word, std::string_view target,
                           const Type &type) {
  auto v = c.get<ast::Call>(call);
  View view;
  view.name = std::string(target);
  view.shape = shape_of(k, type);
  view.dtype_node = type.dtype_node;
  view.constant = word == "full" && v.args().size() > 1 ? v.args()[1] : c.integer_node(0, call);
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

void SegmentReader::iota(Node statement, Node call, std::string_view target, const Type &type) {
  auto v = c.get<ast::Call>(call);
  int64_t axis = 0;
  for (const Node n : v.keywords())
    if (auto kw = c.get<ast::keyword>(n); kw.arg() == "axis" && !c.integer(kw.value(), &axis)) axis = -1;
  const auto rank = static_cast<int64_t>(v.args().size()) - 1;
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) {
    c.report(diag::unsupported_form, call, "an `iota` whose axis is none of its dimensions");
    return;
  }
  Step &s = begin(statement, call, Step::Form::elementwise, type);
  s.word = "iota";
  const auto levels = loops_over(s, shape_of(k, type));
  s.counted.loop = levels[static_cast<size_t>(axis)];
  if (const auto b = k.blocks.find(c.name_of(v.args()[static_cast<size_t>(axis) + 1])); b != k.blocks.end())
    s.counted.base = c.name(b->second.at, call);
  finish(s, target, type);
}

bool SegmentReader::index_tensor(Node where, Object *tensor, Nodes index, View &view,
                                 std::vector<Extent> &shape) const {
  if (index.size() != tensor->shape.size()) {
    c.report(diag::unsupported_form, where,
             "an index of " + std::to_string(index.size()) + " into `" + tensor->name + "`, which has " +
                 std::to_string(tensor->shape.size()) + " dimensions");
    return false;
  }
  view.object = tensor;
  view.dtype_node = tensor->type.dtype_node;
  for (size_t d = 0; d < index.size(); ++d) {
    const int dim = static_cast<int>(d);
    const Node n = index[d];
    if (const auto q = k.names.qualified(n); q == "htp_tile.whole" || q == "htp_cpu.whole" || q == "htp.whole") {
      shape.push_back(tensor->shape[d]);
      view.dims.push_back({dim, HTP_NONE, {}});
    } else if (const auto b = k.blocks.find(c.name_of(n)); b != k.blocks.end()) {
      shape.push_back({std::string(c.name_of(n)), n});
      view.dims.push_back({dim, c.name(b->second.at, n), b->second.at});
    } else {
      shape.push_back({"1", c.integer_node(1, n)});
      view.dims.push_back({-1, n, c.show(n)});
    }
  }
  view.shape = shape;
  return true;
}

void SegmentReader::load(Node statement, Node call, std::string_view target, const Type &type) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const auto tensor = arguments.empty() ? k.memory.end() : k.memory.find(c.name_of(arguments[0]));
  if (tensor == k.memory.end() || !tensor->second->tensor) {
    c.report(diag::unsupported_form, call, "a load from something that is no tensor parameter");
    return;
  }
  View view;
  view.name = std::string(target);
  std::vector<Extent> shape;
  if (!index_tensor(call, tensor->second, arguments.subspan(1), view, shape)) return;
  bool stable = true;
  for (const View::Dim &d : view.dims) stable &= d.tile_dim >= 0 || k.uses.stable(d.base);
  k.views.push_back(std::move(view));
  const View &from = k.views.back();
  if (stable && !k.memory.contains(target) && k.uses.scoped(target) && !k.stored.contains(tensor->second->name)) {
    k.values[std::string(target)] = &from; // read where it is used
    return;
  }
  Step &s = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  s.word = "get";
  const auto levels = loops_over(s, from.shape);
  s.operands.push_back({.view = &from, .access = access(from, levels), .node = HTP_NONE});
  Object *object = result_object(target, type);
  s.result = access(identity(object), levels);
  bind(target, object);
}

void SegmentReader::store(Node statement, Node call) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const auto tensor = arguments.size() < 2 ? k.memory.end() : k.memory.find(c.name_of(arguments[0]));
  if (tensor == k.memory.end() || !tensor->second->tensor) {
    c.report(diag::unsupported_form, call, "a store to something that is no tensor parameter");
    return;
  }
  View view;
  std::vector<Extent> shape;
  if (!index_tensor(call, tensor->second, arguments.subspan(2), view, shape)) return;
  Step &s = begin(statement, call, Step::Form::store, tensor->second->type);
  const auto levels = loops_over(s, shape);
  s.operands.push_back(operand(arguments[1], levels));
  s.result = access(view, levels);
}

void SegmentReader::reduce(Node statement, Node call, const std::string &word, std::string_view target,
                           const Type &type) {
  auto v = c.get<ast::Call>(call);
  const View *from = v.args().empty() ? nullptr : view_of(v.args()[0]);
  int64_t axis = -1;
  for (const Node n : v.keywords())
    if (auto kw = c.get<ast::keyword>(n); kw.arg() == "axis" && !c.integer(kw.value(), &axis)) axis = -1;
  if (v.args().size() > 1) c.integer(v.args()[1], &axis);
  if (!from) {
    c.report(diag::unsupported_form, call, "a reduction of something that is no tile");
    return;
  }
  const auto rank = static_cast<int64_t>(from->shape.size());
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) {
    c.report(diag::unsupported_form, call, "a reduction whose axis is no dimension of its operand");
    return;
  }
  Step &s = begin(statement, call, Step::Form::reduce, type);
  s.word = word == "reduce_sum" ? "add" : word == "reduce_max" ? "maximum" : "minimum";
  std::vector<int> levels(from->shape.size(), -1);
  for (size_t d = 0; d < from->shape.size(); ++d) {
    if (static_cast<int64_t>(d) == axis || from->shape[d].one()) continue;
    levels[d] = static_cast<int>(s.loops.size());
    s.loops.push_back({from->shape[d], false});
  }
  if (const auto a = static_cast<size_t>(axis); !from->shape[a].one()) {
    levels[a] = static_cast<int>(s.loops.size());
    s.loops.push_back({from->shape[a], true});
  }
  s.operands.push_back(operand(v.args()[0], levels));
  finish(s, target, type);
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
    c.report(diag::unsupported_form, call, "a product of something that is no pair of tiles of as many dimensions");
    return;
  }
  Step &s = begin(statement, call, Step::Form::matmul, type);
  const auto levels = loops_over(s, shape_of(k, type));
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
  s.operands.push_back(operand(argument[0], left));
  s.operands.push_back(operand(argument[1], right));
  if (argument[2] && !(c.is(argument[2], HTP_Constant) && !view_of(argument[2])))
    s.operands.push_back(operand(argument[2], levels));
  finish(s, target, type);
}

void SegmentReader::transpose(Node statement, Node call, std::string_view target, const Type &type) {
  auto v = c.get<ast::Call>(call);
  const View *from = v.args().empty() ? nullptr : view_of(v.args()[0]);
  const int rank = from ? static_cast<int>(from->shape.size()) : 0;
  if (rank < 2) {
    c.report(diag::unsupported_form, call, "a transpose of something that is no tile of two dimensions or more");
    return;
  }
  View turned = *from;
  std::swap(turned.shape[turned.shape.size() - 2], turned.shape.back());
  for (View::Dim &d : turned.dims)
    if (d.tile_dim >= rank - 2) d.tile_dim = 2 * rank - 3 - d.tile_dim;
  turned.name = std::string(target);
  k.views.push_back(std::move(turned));
  const View &view = k.views.back();
  const bool fixed = !from->object || from->object->tensor || k.uses.bindings(from->object->name) <= 1;
  if (fixed && !k.memory.contains(target) && k.uses.scoped(target)) {
    k.values[std::string(target)] = &view;
    return;
  }
  Step &s = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  const auto levels = loops_over(s, view.shape);
  Operand o;
  o.view = &view;
  if (view.object) o.access = access(view, levels);
  s.operands.push_back(std::move(o));
  finish(s, target, type);
}

void SegmentReader::elementwise(Node statement, Node call, const std::string &word, std::string_view target,
                                const Type &type) {
  Step &s = begin(statement, call, Step::Form::elementwise, type);
  s.word = word;
  const auto levels = loops_over(s, shape_of(k, type));
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
