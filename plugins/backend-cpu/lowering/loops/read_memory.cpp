// Reading loads and stores as steps.
#include "lower.h"

#include "htp_cpp/types.h"

namespace htp::cpu::loops {

// The block that an index is made of; 0 when there is none.
Node SegmentReader::block_in(Node index) const {
  Node block = HTP_NONE;
  c.each(index, [&](Node n) {
    if (c.is(n, HTP_Name) && k.blocks.contains(c.name_of(n))) block = n;
  });
  return block;
}

// `i`, `i + 1`, `i * 2 - n`: where a block stands, and by how much it is spread.
View::Dim SegmentReader::moved(Node index, Node block, int dim) const {
  View::Dim d{.tile_dim = dim};
  sdk::MaybeInt spread = 1;
  for (Node n = index; n != block;) {
    auto b = c.get<ast::BinOp>(n);
    const bool left = block_in(b.left()) != HTP_NONE;
    const auto by = b.op() == HTP_Mult ? k.constants.number(left ? b.right() : b.left()) : std::nullopt;
    if (by) spread = spread * sdk::IntExpr(by->i);
    n = left ? b.left() : b.right();
  }
  if (!spread) c.report(diag::int_overflow, index, c.show(index)).hint("multiply it by less");
  const std::string &at = k.blocks.find(c.name_of(block))->second.at;
  d.base = rewrite(
      c, clone(c, index), [&](Node n) { return c.name_of(n) == c.name_of(block) ? c.name(at, n) : n; },
      [](Node, std::vector<uint32_t> &) { return false; });
  d.text = c.show(d.base);
  if (const int64_t by = spread ? *spread->constant() : 1; by != 1)
    d.scale = c.integer_node(by, index), d.text += " by " + std::to_string(by);
  return d;
}

bool SegmentReader::index_tensor(Node where, Object *tensor, Nodes index, View &view,
                                 std::vector<Extent> &shape) const {
  if (index.size() != tensor->shape.size()) {
    c.report(diag::untyped, where, c.show(where));
    return false;
  }
  view.object = tensor;
  view.dtype_node = tensor->type.dtype_node;
  for (size_t d = 0; d < index.size(); ++d) {
    const int dim = static_cast<int>(shape.size());
    const Node n = index[d];
    // A buffer's dimension of a block begins where that block does.
    const auto from = tensor->in_memory ? k.blocks.find(tensor->shape[d].key) : k.blocks.end();
    const auto within = [&](Node at) {
      return from == k.blocks.end() ? at : c.binary(at, HTP_Sub, c.name(from->second.at, n), n);
    };
    if (const auto q = k.names.qualified(n); q == "htp_tile.whole" || q == "htp_cpu.whole" || q == "htp.whole") {
      shape.push_back(tensor->shape[d]);
      view.dims.push_back({.tile_dim = dim});
    } else if (const auto slice = read_slice(c, n)) {
      const auto length = slice->start && slice->stop ? k.slice_length(*slice) : HTP_NONE;
      if (!length) {
        c.report(diag::untyped, n, c.show(n));
        return false;
      }
      shape.push_back(k.extent_of(length));
      const Node at = within(slice->start);
      view.dims.push_back({.tile_dim = dim, .base = at, .scale = slice->step, .text = c.show(at)});
      if (slice->step) view.dims.back().text += " by " + c.show(slice->step);
    } else if (const View *tile = view_of(n)) {
      shape.insert(shape.end(), tile->shape.begin(), tile->shape.end());
      view.dims.push_back({.tile_dim = dim, .text = "[" + tile->name + "]", .from = tile});
      if (from != k.blocks.end())
        view.dims.back().base = c.make(make::UnaryOp{.op = HTP_USub, .operand = c.name(from->second.at, n)}, n);
    } else if (const Node block = block_in(n)) {
      const std::string name(c.name_of(block));
      shape.push_back({name, clone(c, block)});
      if (const auto b = k.blocks.find(name); c.is(n, HTP_Name) && b == from) {
        view.dims.push_back({.tile_dim = dim});
        continue;
      }
      view.dims.push_back(moved(n, block, dim));
      view.dims.back().base = within(view.dims.back().base);
      view.dims.back().text += " in " + tensor->shape[d].key;
    } else {
      shape.push_back({"1", c.integer_node(1, n)});
      const Node at = within(n);
      view.dims.push_back({.base = at, .text = c.show(at)});
    }
  }
  view.shape = shape;
  return true;
}

void SegmentReader::load(Node statement, Node call, std::string_view target, const Type &type) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const auto tensor = arguments.empty() ? k.memory.end() : k.memory.find(c.name_of(arguments[0]));
  if (tensor == k.memory.end() || !tensor->second->tensor) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  View view;
  const auto none = [&](Node n) {
    auto constant = c.as<ast::Constant>(n);
    return constant && constant.value().type == HTP_CONST_NONE;
  };
  view.name = std::string(target);
  std::vector<Extent> shape;
  if (!index_tensor(call, tensor->second, arguments.subspan(1), view, shape)) return;
  bool stable = true;
  for (const View::Dim &d : view.dims) stable &= !d.from && (!d.base || k.uses.stable(d.base));
  for (const Node n : c.get<ast::Call>(call).keywords())
    if (auto kw = c.get<ast::keyword>(n); kw.arg() == "outside" && !none(kw.value())) {
      view.outside = kw.value();
      for (View::Dim &d : view.dims) d.text += " or " + c.show(view.outside);
    }
  k.views.push_back(std::move(view));
  const View &from = k.views.back();
  if (stable && !k.memory.contains(target) && k.uses.scoped(target) && !k.stored.contains(tensor->second->name)) {
    k.values[std::string(target)] = &from; // read where it is used
    return;
  }
  Step &s = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  s.intrinsic = "get";
  const auto levels = loops_over(s, from.shape);
  s.operands.push_back({.view = &from, .access = access(from, levels), .node = HTP_NONE});
  Object *object = result_object(target, type);
  s.result = access(identity(object), levels);
  bind(target, object);
}

void SegmentReader::store(Node statement, Node call, const std::string &intrinsic) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const auto tensor = arguments.size() < 2 ? k.memory.end() : k.memory.find(c.name_of(arguments[0]));
  if (tensor == k.memory.end() || !tensor->second->tensor) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  View view;
  std::vector<Extent> shape;
  if (!index_tensor(call, tensor->second, arguments.subspan(2), view, shape)) return;
  Step &s = begin(statement, call, Step::Form::store, tensor->second->type);
  if (intrinsic == "scatter_add") s.intrinsic = "add";
  const auto levels = loops_over(s, shape);
  s.operands.push_back(operand(arguments[1], levels));
  s.result = access(view, levels);
}

// At each element of the index the element of `x` that it names along the axis.
void SegmentReader::gather(Node statement, Node call, std::string_view target, const Type &type) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const View *x = arguments.size() == 2 ? view_of(arguments[0]) : nullptr, *index = x ? view_of(arguments[1]) : nullptr;
  const int64_t axis = index ? axis_of(call, x->shape.size()) : -1;
  if (axis < 0 || index->shape.size() != x->shape.size()) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  Step &s = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  const auto levels = loops_over(s, shape_of(type));
  std::vector<int> index_levels = levels;
  for (size_t d = 0; d < index_levels.size(); ++d)
    if (index->shape[d].one()) index_levels[d] = -1;
  s.operands.push_back(taken(*x, static_cast<size_t>(axis), levels, *index, index_levels, call));
  finish(s, target, type);
}

// The element of `x` at the loops' variables, but along the axis at what the index has there.
Operand SegmentReader::taken(const View &x, size_t axis, const std::vector<int> &levels, const View &index,
                             const std::vector<int> &index_levels, Node origin) const {
  std::vector<Index> at(levels.size());
  for (size_t d = 0; d < levels.size(); ++d) at[d].loop = x.shape[d].one() ? -1 : levels[d];
  Operand o;
  o.view = &x;
  if (!x.object) return o;
  Index &along = at[axis];
  along.loop = -1;
  along.from = std::make_shared<Operand>();
  along.from->view = &index;
  if (index.object) along.from->access = access(index, index_levels);
  along.limit = k.count(x.shape[axis], origin);
  along.text =
      "[" + index.name + (index.object ? " " + text_of(along.from->access) : "") + " of " + c.show(along.limit) + "]";
  o.access = access(x, at);
  return o;
}

std::string SegmentReader::text_of(const Access &a) {
  std::string text;
  for (const Index &i : a.index) text += "," + i.text + "+" + std::to_string(i.loop);
  return text;
}

} // namespace htp::cpu::loops
