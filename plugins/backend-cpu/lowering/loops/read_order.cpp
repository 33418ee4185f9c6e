// Reading sorts as steps: the lines that are sorted are copied to a buffer, their order goes to another, and what is
// wanted is read by it.
#include "lower.h"

namespace htp::cpu::loops {

void SegmentReader::sort(Node statement, Node call, const std::string &intrinsic, std::string_view target,
                         const Type &type) {
  auto v = c.get<ast::Call>(call);
  const View *from = v.args().empty() ? nullptr : view_of(v.args()[0]);
  const int64_t axis = from ? axis_of(call, from->shape.size()) : -1;
  if (axis < 0) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  const auto along = static_cast<size_t>(axis);
  const bool gives_indices = intrinsic == "argsort" || intrinsic == "argtopk";
  const DType *dtype = read_type(c, k.names, from->dtype_node).dtype;
  if (from->shape[along].one()) { // one element is in order
    if (!gives_indices) return see(statement, *from, target, type);
    return make_constant(statement, c.integer_node(0, call), target, type);
  }
  std::vector<Extent> to = shape_of(type), lines, firsts;
  for (size_t d = 0; d < to.size(); ++d)
    if (d != along) lines.push_back(from->shape[d]);
  firsts = lines;
  lines.push_back(from->shape[along]);
  firsts.push_back(to[along]);

  Object *keys = line_object(std::string(target) + "_keys", from->dtype_node, dtype, lines, type),
         *order =
             line_object(std::string(target) + "_order", c.path("htp.i32", call), dtype_named("i32"), firsts, type);
  const auto moved = [&](const std::vector<int> &levels) { // where the dims of the tile stand in a line's
    std::vector<int> result;
    for (size_t d = 0; d < levels.size(); ++d)
      if (d != along) result.push_back(levels[d]);
    result.push_back(levels[along]);
    return result;
  };

  Step &fill = begin(statement, HTP_NONE, Step::Form::elementwise, keys->type);
  std::vector<int> levels = loops_over(fill, lines), source(lines.size());
  for (size_t d = 0, line = 0; d < source.size(); ++d) source[d] = d == along ? levels.back() : levels[line++];
  Operand o;
  o.view = from;
  if (from->object) o.access = access(*from, source);
  fill.operands.push_back(std::move(o));
  k.views.push_back(identity(keys));
  const View &seen_keys = k.views.back();
  fill.result = access(seen_keys, levels);

  Step &sorted = begin(statement, call, Step::Form::order, order->type);
  for (const Node n : v.keywords())
    if (auto kw = c.get<ast::keyword>(n); kw.arg() == "descending") {
      auto constant = c.as<ast::Constant>(kw.value());
      sorted.descending = constant && constant.value().type == HTP_CONST_TRUE;
    }
  if (intrinsic == "topk" || intrinsic == "argtopk") sorted.descending = true;
  const std::vector<Extent> outer(lines.begin(), lines.end() - 1);
  std::vector<int> around = loops_over(sorted, outer);
  around.push_back(-1);
  k.views.push_back(identity(order));
  const View &seen_order = k.views.back();
  sorted.operands.push_back({.view = &seen_keys, .access = access(seen_keys, around), .node = HTP_NONE});
  sorted.result = access(seen_order, around);
  for (Index *i : {&sorted.operands[0].access.index.back(), &sorted.result.index.back()}) i->text = "a line";

  Step &result = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  levels = loops_over(result, to);
  const std::vector<int> moved_levels = moved(levels);
  if (gives_indices) {
    result.operands.push_back({.view = &seen_order, .access = access(seen_order, moved_levels), .node = HTP_NONE});
  } else {
    result.operands.push_back(taken(seen_keys, lines.size() - 1, moved_levels, seen_order, moved_levels, HTP_NONE));
    result.operands[0].access.index.back().limit = HTP_NONE; // what was sorted is inside
  }
  finish(result, target, type);
}

// A buffer of lines, which run along its last dim.
Object *SegmentReader::line_object(const std::string &name, Node dtype_node, const DType *dtype,
                                   const std::vector<Extent> &shape, const Type &like) {
  Object &o = k.objects.emplace_back();
  o.name = c.fresh(name);
  o.type = like;
  o.type.dtype = dtype;
  o.type.dtype_node = dtype_node;
  o.shape = shape;
  o.line = true;
  return &o;
}

} // namespace htp::cpu::loops
