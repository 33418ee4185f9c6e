// Reading loads and stores as steps.
#include "lower.h"

namespace htp::cpu::loops {

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
    // A buffer's dimension of a block begins where that block does.
    const auto from = tensor->in_memory ? k.blocks.find(tensor->shape[d].key) : k.blocks.end();
    const auto within = [&](Node at) {
      return from == k.blocks.end() ? at : c.binary(at, HTP_Sub, c.name(from->second.at, n), n);
    };
    if (const auto q = k.names.qualified(n); q == "htp_tile.whole" || q == "htp_cpu.whole" || q == "htp.whole") {
      shape.push_back(tensor->shape[d]);
      view.dims.push_back({.tile_dim = dim});
    } else if (const auto b = k.blocks.find(c.name_of(n)); b != k.blocks.end()) {
      shape.push_back({std::string(c.name_of(n)), n});
      view.dims.push_back({.tile_dim = dim});
      if (b == from) continue;
      view.dims.back().base = within(c.name(b->second.at, n));
      view.dims.back().text = c.show(view.dims.back().base);
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
    c.report(diag::unsupported_form, call, "a load from something that is no tensor");
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
    c.report(diag::unsupported_form, call, "a store to something that is no tensor");
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

} // namespace htp::cpu::loops
