// aie.spread_stores: what counts for each index of a slice that it is stored to is copied to a tile of the slice's
// extents, which are those of a stream's blocks.
#include "passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/tile_program.h"

#include <functional>
#include <map>

namespace htp::aie {

namespace {

// Whether a tile is stored to more elements than it has.
bool counts_for_more(const TileStatement &s) {
  const TileValue *tile = s.operands.size() < 2 ? nullptr : s.operands[1].tile;
  if (!s.is(TileStatement::Kind::call) || s.intrinsic_name() != "store" || !s.tensor || !tile ||
      tile->extents.size() > s.index.size())
    return false;
  const size_t fewer = s.index.size() - tile->extents.size();
  const auto one = [](const IntExpr &e) { return e.constant() == 1; };
  for (size_t d = 0; d < s.index.size(); ++d)
    if ((d < fewer || one(tile->extents[d - fewer])) && !s.index[d].other && !s.index[d].indices &&
        !one(s.index[d].count))
      return true;
  return false;
}

void each_of_these(const Context &c, Node root, const std::function<void(const TileStatement &)> &f) {
  if (!c.entry_function(root)) return;
  const auto program = read_open_program(c, root, [](Node, const std::string &) {});
  if (!program) return; // aie.spread refuses its parameters
  for (const TileStatement &s : program->body)
    s.each([&](const TileStatement &n) {
      if (counts_for_more(n)) f(n);
    });
}

class Spreading {
public:
  Spreading(const Context &context, Node root) : c(context), root_(root) {}

  Node run() {
    each_of_these(c, root_, [&](const TileStatement &s) { spread(s); });
    if (spread_.empty()) return root_;
    const Node function = c.entry_function(root_);
    const Node made = rewrite(
        c, function, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          const auto it = spread_.find(s);
          if (it == spread_.end()) return false;
          out.insert(out.end(), it->second.begin(), it->second.end());
          return true;
        });
    return with_statement(c, root_, function, made);
  }

private:
  void spread(const TileStatement &s) {
    const TileValue &tile = *s.operands[1].tile;
    const auto bound = c.as<ast::Assign>(tile.node);
    const auto buffer = c.as<ast::Call>(bound ? bound.value() : HTP_NONE);
    if (!buffer || buffer.args().empty()) return; // no buffer, which the verifier says
    std::vector<uint32_t> extents{copy_of(c, buffer.args()[0], s.node)};
    for (size_t d = 0; d < s.index.size(); ++d) {
      const TileIndex &index = s.index[d];
      if (index.whole)
        extents.push_back(write_extent(c, s.tensor->type.extents[d], s.node));
      else if (!index.block.empty())
        extents.push_back(c.name(index.block, s.node));
      else
        extents.push_back(c.parse(index.count.text(), s.node));
    }
    const std::string name = c.fresh(tile.name + "_spread");
    auto call = c.read<ast::Call>(s.call);
    call.args[1] = c.name(name, s.node);
    spread_[s.node] = {
        c.assign(name, HTP_NONE, c.call("aie.buffer", std::move(extents), s.node), s.node),
        c.statement(c.call("aie.copy", {c.name(name, s.node), c.name(tile.name, s.node)}, s.node), s.node),
        c.statement(c.with(s.call, call), s.node)};
  }

  const Context &c;
  Node root_;
  std::map<Node, std::vector<uint32_t>> spread_; // the statements of a store
};
} // namespace

Node spread_stores(const Context &c, Node root) { return Spreading(c, root).run(); }
Result verify_stores(const Context &c, std::string_view, Node root) {
  if (!c.entry_function(root)) {
    c.report(diag::no_entry, root, c.entry());
    return HTP_FAILED;
  }
  bool holds = true;
  each_of_these(c, root, [&](const TileStatement &) { holds = false; });
  if (!holds) c.report(diag::not_done, c.entry_function(root), "aie.spread_stores", c.entry());
  return c.result();
}

} // namespace htp::aie
