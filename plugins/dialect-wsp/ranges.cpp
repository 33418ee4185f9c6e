// Loops over a range, `P(1, N - 1)` and `P(1, N - 1, 64)`: blocks of what lies between, counted from 0, whose indices
// are moved. Directives see loops from 0 on alone.
#include "places.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/ints.h"

#include <algorithm>

namespace htp::wsp {

namespace {

// Of two arguments the second is a size when it is known, and else, made of dims, an end.
bool is_range(const Context &c, const Constants &constants, const std::set<std::string, std::less<>> &dims,
              const Loop &loop) {
  auto call = c.get<ast::Call>(loop.call);
  if (!call.keywords().empty() || call.args().size() < 2 || call.args().size() > 3) return false;
  if (call.args().size() == 3) return constants.integer(call.args()[2]).has_value();
  bool any = false, others = false;
  c.each(call.args()[1], [&](Node n) {
    if (auto name = c.as<ast::Name>(n)) {
      const bool dim = dims.contains(name.id());
      any = any || dim;
      others = others || (!dim && !constants.named(name.id()));
    } else {
      others = others || !(c.is(n, HTP_Constant) || c.is(n, HTP_BinOp) || c.is(n, HTP_UnaryOp));
    }
  });
  return any && !others;
}

class Moving {
public:
  Moving(const Context &context, const Names &names, Node root, Node workload)
      : c(context), t_(context, names, root, workload) {}

  // The workload with the loop from 0 on: `hi - lo` indices, and `i + lo` for `i` wherever it stands for its indices:
  // in what is indexed by its blocks, where they begin and end, and what counts them. A buffer over its blocks is from
  // 0 on with them, and what indexes that is moved the other way.
  Node run(const Loop &loop) {
    auto call = c.read<ast::Call>(loop.call);
    const Node low = call.args[0], high = call.args[1];
    call.args[0] = between(low, high);
    call.args.erase(call.args.begin() + 1);
    auto f = c.read<ast::For>(loop.statement);
    const Node range = c.with(loop.call, call);
    f.iter = rewrite(
        c, f.iter, [&](Node n) { return n == loop.call ? range : n; },
        [](Node, std::vector<uint32_t> &) { return false; });
    int64_t none = 1;
    if (c.integer(low, &none) && none == 0) return replaced(loop, c.with(loop.statement, f));
    const auto own = t_.blocks_of(loop.statement, loop.variable);
    std::set<Node> indices; // those of tensors that are no buffers over these blocks
    for (const TensorAccess &a : t_.accesses(loop.statement)) {
      const auto type = t_.tensor_type(a.tensor);
      for (size_t k = 0; k < a.index.size(); ++k)
        if (!type || k >= type->rank() || !own.contains(type->extents[k].name)) indices.insert(a.index[k]);
    }
    for (uint32_t &s : f.body) s = moved(within_own(s, own, low), own, indices, low);
    return replaced(loop, c.with(loop.statement, f));
  }

private:
  Node replaced(const Loop &loop, Node by) {
    t_.replace(loop.statement, {by});
    return t_.workload;
  }
  Node between(Node low, Node high) const {
    const MaybeInt length = read_int(c, high) - read_int(c, low);
    return length ? c.parse(length->text(), high)
                  : c.make(make::BinOp{.left = high, .op = HTP_Sub, .right = copy_of(c, low, high)}, high);
  }
  Node plus_low(Node n, Node low) const {
    return c.make(make::BinOp{.left = n, .op = HTP_Add, .right = copy_of(c, low, n)}, n);
  }
  Node minus_low(Node n, Node low) const {
    return c.make(make::BinOp{.left = n, .op = HTP_Sub, .right = copy_of(c, low, n)}, n);
  }
  Node exchanged(Node n, Node old, Node by) const {
    return rewrite(
        c, n, [&](Node e) { return e == old ? by : e; }, [](Node, std::vector<uint32_t> &) { return false; });
  }

  // An index that is neither such a block nor all of them: an int, the bounds of `slice(a, b)`, a tile.
  Node less_low(Node index, const std::set<std::string> &own, Node low) const {
    if (c.is(index, HTP_Slice)) return index; // `:`
    if (const auto slice = read_slice(c, index)) {
      Node moved = index;
      for (const Node bound : {slice->start, slice->stop})
        if (bound) moved = exchanged(moved, bound, minus_low(bound, low));
      return moved;
    }
    bool block = t_.names.qualified(index) == "htp_tile.whole";
    std::set<Node> edges;
    c.each(index, [&](Node e) {
      if (auto a = c.as<ast::Attribute>(e)) edges.insert(a.value());
    });
    c.each(index, [&](Node e) { block = block || (own.contains(std::string(c.name_of(e))) && !edges.contains(e)); });
    return block ? index : minus_low(index, low);
  }
  // What indexes a buffer over the loop's blocks.
  Node within_own(Node n, const std::set<std::string> &own, Node low) const {
    return rewrite(
        c, n,
        [&](Node e) {
          const auto access = tensor_access(c, t_.names, e);
          const auto type = access ? t_.tensor_type(access->tensor) : std::nullopt;
          for (size_t k = 0; type && k < std::min(type->rank(), access->index.size()); ++k)
            if (const Node index = access->index[k]; own.contains(type->extents[k].name))
              if (const Node less = less_low(index, own, low); less != index) e = exchanged(e, index, less);
          return e;
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }
  // `iota(i32, i, 1, axis=0)` over such a block.
  bool counts(Node n, const std::set<std::string> &own) const {
    auto call = c.as<ast::Call>(n);
    const htp_intrinsic *row = call ? c.intrinsic(t_.names.qualified(call.func())) : nullptr;
    if (!row || std::string_view(row->rule) != "iota" || call.args().empty()) return false;
    const auto rank = static_cast<int64_t>(call.args().size()) - 1; // behind the dtype
    for (const Node w : call.keywords())
      if (auto keyword = c.get<ast::keyword>(w); keyword.arg() == "axis")
        if (auto axis = t_.constants.integer(keyword.value()); axis && *axis >= -rank && *axis < rank)
          return own.contains(
              std::string(c.name_of(call.args()[static_cast<size_t>(1 + (*axis < 0 ? *axis + rank : *axis))])));
    return false;
  }
  Node moved(Node n, const std::set<std::string> &own, const std::set<Node> &indices, Node low) const {
    std::set<Node> inside, edges, of_edges; // names in an index; `i.start`, and the `i` of it
    c.each(n, [&](Node e) {
      auto a = c.as<ast::Attribute>(e);
      if (!a || !own.contains(std::string(c.name_of(a.value())))) return;
      edges.insert(e);
      of_edges.insert(a.value());
    });
    for (const Node index : indices)
      c.each(index, [&](Node e) {
        if (own.contains(std::string(c.name_of(e))) && !of_edges.contains(e)) inside.insert(e);
      });
    std::set<Node> put;
    int64_t offset = 0;
    const bool number = c.integer(low, &offset);
    return rewrite(
        c, n,
        [&](Node e) {
          if (inside.contains(e) || edges.contains(e) || counts(e, own)) return *put.insert(plus_low(e, low)).first;
          auto b = c.as<ast::BinOp>(e); // `i + 1 - 1` is `i`
          int64_t by = 0;
          if (!number || !b || !put.contains(b.left()) || (b.op() != HTP_Add && b.op() != HTP_Sub) ||
              !c.integer(b.right(), &by))
            return e;
          const Node block = c.get<ast::BinOp>(b.left()).left();
          const int64_t all = offset + (b.op() == HTP_Add ? by : -by);
          if (all == 0) return block;
          return c.make(make::BinOp{.left = block,
                                    .op = all > 0 ? HTP_Add : HTP_Sub,
                                    .right = c.integer_node(all > 0 ? all : -all, e)},
                        e);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  const Context &c;
  Transform t_;
};

} // namespace

Node without_ranges(const Context &c, const Names &names, Node root, Node workload) {
  const Constants constants(c, root);
  const auto dims = dims_of(c, names, root);
  for (;;) {
    const auto loops = loops_of(c, names, workload);
    const auto next = std::ranges::find_if(loops, [&](const Loop &l) { return is_range(c, constants, dims, l); });
    if (next == loops.end()) return workload;
    workload = Moving(c, names, root, workload).run(*next);
  }
}

} // namespace htp::wsp
