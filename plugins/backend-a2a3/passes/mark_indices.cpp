// Handlers see one call at a time, without the loops around: an index of a store that is an int is `int(h)` for them,
// which tells it from a block, `int(h) + 1` from a block that is moved, and so is an extent of a count that is no
// block.
#include "passes/passes.h"

#include "htp_cpp/loops.h"

#include <set>

namespace htp::a2a3 {

namespace {

// The names of ints, and of the blocks that loops go over.
struct IntsAndBlocks {
  std::set<std::string, std::less<>> ints, blocks;

  IntsAndBlocks(const Context &c, const Names &names, Node function) {
    c.each(function, [&](Node n) {
      auto l = c.as<ast::For>(n);
      auto range = l ? c.as<ast::Call>(loop_forms(c, names, l.iter()).range) : c.as<ast::Call>(HTP_NONE);
      if (range) (c.name_of(range.func()) == "range" ? ints : blocks).emplace(c.name_of(l.target()));
      // Tiles have their types beside them.
      if (auto a = c.as<ast::Assign>(n); a && a.targets().size() == 1) ints.emplace(c.name_of(a.targets()[0]));
      if (auto a = c.as<ast::AnnAssign>(n); a && c.name_of(a.annotation()) == "int")
        ints.emplace(c.name_of(a.target()));
      if (auto p = c.as<ast::arg>(n); p && c.name_of(p.annotation()) == "int") ints.emplace(p.arg());
    });
  }
};

// The operand of `function(operand)`; 0 of anything else.
Node only_operand(const Context &c, Node n, std::string_view function) {
  auto k = c.as<ast::Call>(n);
  return k && c.name_of(k.func()) == function && k.args().size() == 1 ? k.args()[0] : HTP_NONE;
}

// A sum or a product with other leaves; what they are made of is left.
template <class F> Node with_leaves(const Context &c, Node n, const F &leaf) {
  if (auto b = c.as<ast::BinOp>(n)) {
    const Node left = with_leaves(c, b.left(), leaf), right = with_leaves(c, b.right(), leaf);
    if (left == b.left() && right == b.right()) return n;
    auto made = c.read<ast::BinOp>(n);
    made.left = left, made.right = right;
    return c.with(n, made);
  }
  if (auto u = c.as<ast::UnaryOp>(n)) {
    const Node operand = with_leaves(c, u.operand(), leaf);
    if (operand == u.operand()) return n;
    auto made = c.read<ast::UnaryOp>(n);
    made.operand = operand;
    return c.with(n, made);
  }
  return leaf(n);
}

} // namespace

Node mark_indices(const Context &c, Node root) {
  const Names names(c, root);
  const IntsAndBlocks known(c, names, c.entry_function(root));
  return with_entry(
      c, root,
      [&](Node n) -> Node {
        const std::string called = names.called(n);
        if (called != "htp_tile.store" && called != "htp_tile.iota") return n;
        const bool store = called == "htp_tile.store";
        auto k = c.read<ast::Call>(n);
        bool marked = false;
        for (size_t d = store ? 2 : 1; d < k.args.size(); ++d) {
          if (store && (c.is(k.args[d], HTP_BinOp) || c.is(k.args[d], HTP_UnaryOp))) {
            const Node moved = with_leaves(c, k.args[d], [&](Node leaf) {
              const auto name = c.name_of(leaf);
              return name.empty() || known.blocks.contains(name) ? leaf : c.call("int", {leaf}, leaf);
            });
            marked = marked || moved != k.args[d];
            k.args[d] = moved;
            continue;
          }
          const auto name = c.name_of(k.args[d]);
          if (name.empty() || (store ? !known.ints.contains(name) : known.blocks.contains(name))) continue;
          k.args[d] = c.call("int", {k.args[d]}, store ? k.args[d] : n);
          marked = true;
        }
        return marked ? c.with(n, k) : n;
      },
      keep);
}

Node without_marks(const Context &c, Node root) {
  const Names names(c, root);
  const IntsAndBlocks known(c, names, c.entry_function(root));
  return with_entry(
      c, root,
      [&](Node n) -> Node {
        // `len(N)` of a dimension
        if (const Node of = only_operand(c, n, "len"); of && !known.blocks.contains(c.name_of(of))) return of;
        if (names.called(n) != "htp_pto.tstore") return n;
        auto k = c.read<ast::Call>(n);
        for (size_t d = 2; d < k.args.size(); ++d)
          if (const Node of = only_operand(c, k.args[d], "int"); of && known.ints.contains(c.name_of(of)))
            k.args[d] = of;
          else if (!of)
            k.args[d] = with_leaves(c, k.args[d], [&](Node leaf) {
              const Node marked = only_operand(c, leaf, "int");
              return marked && !c.name_of(marked).empty() ? marked : leaf;
            });
        return c.with(n, k);
      },
      keep);
}

} // namespace htp::a2a3
