// Reading transposes and reshapes as steps.
#include "lower.h"

#include <algorithm>

namespace htp::cpu::loops {

void SegmentReader::transpose(Node statement, Node call, std::string_view target, const Type &type) {
  auto v = c.get<ast::Call>(call);
  const View *from = v.args().empty() ? nullptr : view_of(v.args()[0]);
  const int rank = from ? static_cast<int>(from->shape.size()) : 0;
  if (rank < 2) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  std::vector<int> axes; // of the tile, by that of the result
  for (int d = 0; d < rank; ++d) axes.push_back(d);
  if (auto given = v.args().size() > 1 ? c.as<ast::Tuple>(v.args()[1]) : ast::Tuple{&c, HTP_NONE}; given) {
    for (size_t d = 0; d < given.elts().size() && d < axes.size(); ++d) {
      int64_t axis = 0;
      c.integer(given.elts()[d], &axis);
      axes[d] = static_cast<int>(axis < 0 ? axis + rank : axis);
    }
  } else {
    std::swap(axes[axes.size() - 2], axes.back());
  }
  std::vector<int> sorted = axes;
  std::sort(sorted.begin(), sorted.end());
  for (int d = 0; d < rank; ++d)
    if (sorted[static_cast<size_t>(d)] != d) {
      c.report(diag::untyped, call, c.show(call));
      return;
    }
  View turned = *from;
  for (size_t d = 0; d < axes.size(); ++d) turned.shape[d] = from->shape[static_cast<size_t>(axes[d])];
  for (View::Dim &d : turned.dims)
    if (d.tile_dim >= 0) d.tile_dim = static_cast<int>(std::find(axes.begin(), axes.end(), d.tile_dim) - axes.begin());
  see(statement, std::move(turned), target, type);
}

// A tile that another one is seen as: read where it is used, or copied.
void SegmentReader::see(Node statement, View seen, std::string_view target, const Type &type) {
  seen.name = std::string(target);
  k.views.push_back(std::move(seen));
  const View &view = k.views.back();
  const bool fixed = !view.object || view.object->tensor || k.uses.bindings(view.object->name) <= 1;
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

namespace {
int64_t size_of(const Context &c, const Extent &e) {
  int64_t size = 0;
  return c.integer(e.node ? e.node : c.parse(e.key, HTP_NONE), &size) ? size : 0;
}
} // namespace

// Extents of 1 that come and go leave a view. Where ints are split or merged, the loops run over the side with more of
// them, and the other side's index is made of their variables.
void SegmentReader::reshape(Node statement, Node call, std::string_view target, const Type &type) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const View *from = arguments.empty() ? nullptr : view_of(arguments[0]);
  if (!from) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  const std::vector<Extent> to = shape_of(type);
  // Groups of dims that hold the same elements.
  struct Group {
    std::vector<size_t> from, to;
  };
  std::vector<Group> groups;
  for (size_t p = 0, q = 0; p < from->shape.size() || q < to.size();) {
    if (p < from->shape.size() && from->shape[p].one()) {
      ++p;
    } else if (q < to.size() && to[q].one()) {
      ++q;
    } else if (p == from->shape.size() || q == to.size()) {
      c.report(diag::untyped, call, c.show(call));
      return;
    } else {
      Group g{{p}, {q}};
      if (from->shape[p].key != to[q].key) {
        int64_t left = size_of(c, from->shape[p]), right = size_of(c, to[q]);
        while (left && right && left != right) {
          const bool less = left < right;
          size_t &at = less ? p : q;
          const std::vector<Extent> &shape = less ? from->shape : to;
          if (++at == shape.size()) break;
          (less ? left : right) *= size_of(c, shape[at]);
          (less ? g.from : g.to).push_back(at);
        }
        if (!left || left != right) {
          c.report(diag::untyped, call, c.show(call));
          return;
        }
      }
      ++p, ++q;
      groups.push_back(std::move(g));
    }
  }
  if (std::all_of(groups.begin(), groups.end(), [](const Group &g) { return g.from.size() + g.to.size() == 2; })) {
    View seen = *from;
    seen.shape = to;
    std::map<int, int> moved;
    for (const Group &g : groups) moved[static_cast<int>(g.from[0])] = static_cast<int>(g.to[0]);
    for (View::Dim &d : seen.dims)
      if (const auto m = moved.find(d.tile_dim); d.tile_dim >= 0) d.tile_dim = m == moved.end() ? -1 : m->second;
    return see(statement, std::move(seen), target, type);
  }
  Step &s = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  std::vector<Index> source(from->shape.size()), result(to.size());
  for (const Group &g : groups) {
    const bool merges = g.from.size() > g.to.size();
    const std::vector<size_t> &finer = merges ? g.from : g.to, &coarser = merges ? g.to : g.from;
    const std::vector<Extent> &fine = merges ? from->shape : to, &coarse = merges ? to : from->shape;
    std::vector<Index> &own = merges ? source : result, &other = merges ? result : source;
    const Index index = run_over(s, fine, finer, own, call);
    if (coarser.size() == 1) {
      other[coarser[0]] = index;
      continue;
    }
    int64_t stride = 1;
    for (auto d = coarser.rbegin(); d != coarser.rend(); ++d) {
      const int64_t size = size_of(c, coarse[*d]);
      other[*d] = slice_of(index, stride, size, d + 1 == coarser.rend(), call);
      stride *= size;
    }
  }
  Operand o;
  o.view = from;
  if (from->object) o.access = access(*from, source);
  s.operands.push_back(std::move(o));
  finish(s, target, type, result);
}

// Loops over these dims: where each stands goes to `at`, and the index in row-major order is the answer.
Index SegmentReader::run_over(Step &s, const std::vector<Extent> &shape, const std::vector<size_t> &dims,
                              std::vector<Index> &at, Node origin) {
  Index index;
  for (const size_t d : dims) {
    if (shape[d].one()) continue;
    const int level = static_cast<int>(s.loops.size());
    s.loops.push_back({shape[d], false});
    at[d].loop = level;
    Node before = index.base;
    if (index.loop >= 0) {
      const Node variable = c.name(k.loop_variable(static_cast<size_t>(index.loop)), origin);
      before = before ? c.binary(before, HTP_Add, variable, origin) : variable;
      index.deepest = index.loop;
    }
    if (before) index.base = c.binary(before, HTP_Mult, c.integer_node(size_of(c, shape[d]), origin), origin);
    index.loop = level;
  }
  if (index.base) index.text = c.show(index.base);
  return index;
}

// index // stride % size, as an index; the first needs no remainder.
Index SegmentReader::slice_of(const Index &index, int64_t stride, int64_t size, bool first, Node origin) {
  Index i;
  i.deepest = index.depth();
  i.base = index.base ? clone(c, index.base) : HTP_NONE;
  if (index.loop >= 0) {
    const Node variable = c.name(k.loop_variable(static_cast<size_t>(index.loop)), origin);
    i.base = i.base ? c.binary(i.base, HTP_Add, variable, origin) : variable;
  }
  if (stride > 1) i.base = c.binary(i.base, HTP_FloorDiv, c.integer_node(stride, origin), origin);
  if (!first) i.base = c.binary(i.base, HTP_Mod, c.integer_node(size, origin), origin);
  i.text = c.show(i.base);
  return i;
}

} // namespace htp::cpu::loops
