// Reading transposes and reshapes as steps.
#include "lower.h"

#include "htp_cpp/reshape.h"

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

// Extents of 1 that come and go leave a view. Where dimensions are split or merged, the loops run over the side with
// more of them, and the other side's index is made of their variables.
void SegmentReader::reshape(Node statement, Node call, std::string_view target, const Type &type) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const View *from = arguments.empty() ? nullptr : view_of(arguments[0]);
  const std::vector<Extent> to = shape_of(type);
  const auto counts = [&](const std::vector<Extent> &shape) {
    std::vector<sdk::IntExpr> all;
    for (const Extent &e : shape) {
      const auto count = sdk::read_int(c, e.node ? e.node : c.parse(e.key, call), sdk::with_constants(k.constants));
      all.push_back(count ? *count : sdk::IntExpr::other(e.key, {e.key}));
    }
    return all;
  };
  const auto found = from ? sdk::reshape_groups(counts(from->shape), counts(to)) : std::nullopt;
  if (!found) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  using Group = sdk::ReshapeGroup; // of dims that hold the same elements
  const std::vector<Group> &groups = *found;
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
    std::vector<Node> behind; // the extents of the dims behind one
    for (auto d = coarser.rbegin(); d != coarser.rend(); ++d) {
      const Node size = k.count(coarse[*d], call);
      other[*d] = slice_of(index, behind, d + 1 == coarser.rend() ? HTP_NONE : size, call);
      behind.push_back(size);
    }
  }
  Operand o;
  o.view = from;
  if (from->object) o.access = access(*from, source);
  s.operands.push_back(std::move(o));
  finish(s, target, type, result);
}

// A slice of a tile is seen through its index: where the tile stands in an object, the slice stands further on. What is
// taken at a tile's elements, or by ints that change, is copied.
void SegmentReader::extract(Node statement, Node call, std::string_view target, const Type &type) {
  const Nodes arguments = c.get<ast::Call>(call).args();
  const View *from = arguments.empty() ? nullptr : view_of(arguments[0]);
  if (!from || arguments.size() != from->shape.size() + 1) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  const std::vector<Extent> shape = shape_of(type);
  struct Part { // of one dimension: the dimension of the slice that it is, or the first of its index' own
    Node base = HTP_NONE, scale = HTP_NONE;
    int dim = -1;
    const View *index = nullptr;
  };
  std::vector<Part> parts;
  bool seen = std::ranges::none_of(from->dims, [](const View::Dim &d) { return d.from != nullptr; });
  int next = 0;
  for (const Node n : arguments.subspan(1)) {
    Part part;
    part.dim = next++;
    if (const auto q = k.names.qualified(n); q == "htp_tile.whole" || q == "htp_cpu.whole" || q == "htp.whole") {
    } else if (const auto slice = read_slice(c, n)) {
      part.scale = slice->step;
      if (k.constants.integer(slice->start) != 0) part.base = slice->start;
    } else if (const View *tile = view_of(n)) {
      part.index = tile;
      next += static_cast<int>(tile->shape.size()) - 1;
    } else if (const Node block = block_in(n)) {
      const View::Dim d = moved(n, block, part.dim);
      part.base = d.base, part.scale = d.scale;
    } else {
      part.base = n;
    }
    seen = seen && !part.index && (!part.base || k.uses.stable(part.base));
    parts.push_back(part);
  }
  if (static_cast<size_t>(next) != shape.size()) {
    c.report(diag::untyped, call, c.show(call));
    return;
  }
  if (seen) {
    View view = *from;
    view.shape = shape;
    for (View::Dim &d : view.dims) {
      if (d.tile_dim < 0) continue;
      const Part &part = parts[static_cast<size_t>(d.tile_dim)];
      const bool one = from->shape[static_cast<size_t>(d.tile_dim)].one();
      d.tile_dim = part.dim;
      if (one || (!part.base && !part.scale)) continue;
      if (part.base) {
        const Node by = d.scale ? times(clone(c, part.base), d.scale, call) : clone(c, part.base);
        d.base = d.base ? c.binary(clone(c, d.base), HTP_Add, by, call) : by;
      }
      if (part.scale) d.scale = d.scale ? times(clone(c, d.scale), part.scale, call) : part.scale;
      d.text += " at " + (part.base ? c.show(part.base) : std::string()) +
                (part.scale ? " by " + c.show(part.scale) : std::string());
    }
    return see(statement, std::move(view), target, type);
  }
  Step &s = begin(statement, HTP_NONE, Step::Form::elementwise, type);
  const auto levels = loops_over(s, shape);
  std::vector<Index> at(parts.size());
  for (size_t d = 0; d < parts.size(); ++d) {
    const Part &part = parts[d];
    Index &i = at[d];
    if (part.index) {
      i.from = std::make_shared<Operand>();
      i.from->view = part.index;
      const auto first = levels.begin() + part.dim;
      if (part.index->object)
        i.from->access =
            access(*part.index, std::vector<int>(first, first + static_cast<ptrdiff_t>(part.index->shape.size())));
      i.limit = k.count(from->shape[d], call);
      i.text = "[" + part.index->name + (part.index->object ? " " + text_of(i.from->access) : "") + " of " +
               c.show(i.limit) + "]";
      continue;
    }
    i.loop = levels[static_cast<size_t>(part.dim)];
    i.base = part.base, i.scale = part.scale;
    i.text =
        (part.base ? c.show(part.base) : std::string()) + (part.scale ? " by " + c.show(part.scale) : std::string());
  }
  Operand o;
  o.view = from;
  if (from->object) o.access = access(*from, at);
  s.operands.push_back(std::move(o));
  finish(s, target, type);
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
    if (before) index.base = c.binary(before, HTP_Mult, k.count(shape[d], origin), origin);
    index.loop = level;
  }
  if (index.base) index.text = c.show(index.base);
  return index;
}

// index // behind % size, as an index; the first needs no remainder, and has no size.
Index SegmentReader::slice_of(const Index &index, const std::vector<Node> &behind, Node size, Node origin) {
  Index i;
  i.deepest = index.depth();
  i.base = index.base ? clone(c, index.base) : HTP_NONE;
  if (index.loop >= 0) {
    const Node variable = c.name(k.loop_variable(static_cast<size_t>(index.loop)), origin);
    i.base = i.base ? c.binary(i.base, HTP_Add, variable, origin) : variable;
  }
  Node stride = HTP_NONE;
  for (const Node n : behind) stride = stride ? times(stride, n, origin) : clone(c, n);
  if (stride) i.base = c.binary(i.base, HTP_FloorDiv, stride, origin);
  if (size) i.base = c.binary(i.base, HTP_Mod, clone(c, size), origin);
  i.text = c.show(i.base);
  return i;
}

// a * b, as one number where both are.
Node SegmentReader::times(Node a, Node b, Node origin) const {
  int64_t x = 0, y = 0, product = 0;
  const bool numbers = c.integer(a, &x) && c.integer(b, &y) && !__builtin_mul_overflow(x, y, &product);
  return numbers ? c.integer_node(product, origin) : c.binary(a, HTP_Mult, clone(c, b), origin);
}

} // namespace htp::cpu::loops
