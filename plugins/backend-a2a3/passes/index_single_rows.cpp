// A loop over blocks of one row is a loop over indices: a tile of one row has no capacity for more then.
#include "passes/passes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

} // namespace

Node index_single_rows(const Context &c, Node root) {
  const Names names(c, root);
  const sdk::Constants constants(c, root);
  const Node function = c.entry_function(root);
  Words single, blocks;
  c.each(function, [&](Node n) {
    auto l = c.as<ast::For>(n);
    auto range = l ? c.as<ast::Call>(l.iter()) : c.as<ast::Call>(HTP_NONE);
    if (!range || names.called(l.iter()) != "htp_tile.tiles" || range.args().size() != 2) return;
    blocks.emplace(c.name_of(l.target()));
    if (constants.integer(range.args()[1]) == 1) single.emplace(c.name_of(l.target()));
  });
  // An index counts from the beginning of its tensor, a block within another one from that one's; and along the columns
  // of a matrix one index is no line of memory.
  c.each(function, [&](Node n) {
    auto call = c.as<ast::Call>(n);
    const std::string called = call ? names.called(n) : std::string();
    if (called == "htp_tile.tiles" && blocks.contains(c.name_of(call.args()[0]))) {
      single.erase(std::string(c.name_of(call.args()[0])));
      c.each(function, [&](Node l) {
        if (auto loop = c.as<ast::For>(l); loop && loop.iter() == n)
          single.erase(std::string(c.name_of(loop.target())));
      });
    }
    static constexpr std::string_view indexed[] = {"htp_tile.load", "htp_tile.store", "htp_tile.zeros", "htp_tile.full",
                                                   "htp_tile.reshape"};
    if (called.starts_with("htp_") && std::find(std::begin(indexed), std::end(indexed), called) == std::end(indexed))
      for (const Node a : call.args()) single.erase(std::string(c.name_of(a)));
    const auto type = c.is(n, HTP_Subscript) ? read_type(c, n) : std::nullopt;
    if (type && type->form == "Tile" && type->extents.size() > 1) single.erase(type->extents.back().name);
  });
  if (single.empty()) return root;
  const auto of = [&](Node n) { return c.is(n, HTP_Name) && single.contains(c.name_of(n)); };
  const auto one = [&](Node n) {
    return rewrite(
        c, n, [&](Node e) { return of(e) ? c.integer_node(1, e) : e; }, keep);
  };
  return with_entry(
      c, root,
      [&](Node n) -> Node {
        if (const auto type = c.is(n, HTP_Subscript) ? read_type(c, n) : std::nullopt; type && type->form == "Tile")
          return one(n);
        if (auto a = c.as<ast::Attribute>(n); a && of(a.value()) && (a.attr() == "start" || a.attr() == "stop"))
          return a.attr() == "start" ? a.value() : c.parse(c.show(a.value()) + " + 1", n);
        auto k = c.as<ast::Call>(n);
        if (k && c.name_of(k.func()) == "len" && k.args().size() == 1 && of(k.args()[0])) return c.integer_node(1, n);
        const std::string called = names.called(n);
        const size_t extents = called == "htp_tile.full"                                    ? 2
                               : called == "htp_tile.zeros" || called == "htp_tile.reshape" ? 1
                                                                                            : 0;
        if (!extents) return n;
        auto with = c.read<ast::Call>(n);
        for (size_t d = extents; d < with.args.size(); ++d) with.args[d] = one(with.args[d]);
        return c.with(n, with);
      },
      [&](Node s, std::vector<uint32_t> &out) {
        auto l = c.as<ast::For>(s);
        if (!l || !single.contains(c.name_of(l.target()))) return false;
        const Node count = c.call("range", {c.get<ast::Call>(l.iter()).args()[0]}, l.iter());
        out.push_back(with_slot(c, s, HTP_FIELD(For, iter), count));
        return true;
      });
}

} // namespace htp::a2a3
