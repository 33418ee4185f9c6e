// Dimensions before the last two, which a tile in a core's memory does not have, are gone over one index at a time.
#include "passes/passes.h"

#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

// The loop variables whose blocks are worked on as a whole: their dimension is reduced, or an operation goes along it.
Words whole_blocks(const Context &c, const Names &names, Node function) {
  std::map<std::string, Type, std::less<>> types;
  c.each(function, [&](Node n) {
    if (auto a = c.as<ast::AnnAssign>(n))
      if (auto type = read_type(c, a.annotation()); type && type->form == "Tile")
        types.try_emplace(std::string(c.name_of(a.target())), std::move(*type));
  });
  const auto type_of = [&](Node n) -> const Type * {
    const auto it = types.find(c.name_of(n));
    return it == types.end() || it->second.extents.empty() ? nullptr : &it->second;
  };
  Words whole;
  const auto look = [&](Node target, Node value) {
    auto call = c.as<ast::Call>(value);
    const Type *const result = type_of(target);
    if (!call || !result || !names.called(value).starts_with("htp_tile.")) return;
    for (const Node operand : call.args()) {
      const Type *const type = type_of(operand);
      if (!type) continue;
      const std::string &first = type->extents[0].name;
      bool along = std::ranges::none_of(result->extents, [&](const Extent &e) { return e.name == first; });
      int64_t axis = 0;
      for (const Node w : call.keywords())
        if (auto k = c.get<ast::keyword>(w); k.arg() == "axis" && c.integer(k.value(), &axis))
          along |= axis == 0 || axis == -std::ssize(type->extents);
      if (along) whole.insert(first);
    }
  };
  c.each(function, [&](Node n) {
    if (auto a = c.as<ast::AnnAssign>(n); a && a.value()) look(a.target(), a.value());
    if (auto a = c.as<ast::Assign>(n)) look(a.targets()[0], a.value());
  });
  return whole;
}

// The loop variables that are the first of more than two extents somewhere, or of a tile that indexes, and nowhere
// another one; blocks that are worked on as a whole are not taken apart.
Words batches_of(const Context &c, const Names &names, Node function) {
  Words first, elsewhere, indices;
  c.each(function, [&](Node n) {
    if (names.called(n) != "htp_tile.load") return;
    for (const Node index : c.get<ast::Call>(n).args().subspan(1)) indices.emplace(c.name_of(index));
  });
  c.each(function, [&](Node n) {
    auto a = c.as<ast::AnnAssign>(n);
    const auto type = a ? read_type(c, a.annotation()) : std::nullopt;
    if (!type || type->form != "Tile" || type->extents.empty()) return;
    const auto counts = [](const Extent &e) { return !e.is(1); };
    if (std::count_if(type->extents.begin(), type->extents.end(), counts) > 2 ||
        indices.contains(c.name_of(a.target())))
      first.insert(type->extents[0].name);
    for (size_t d = 1; d < type->extents.size(); ++d) elsewhere.insert(type->extents[d].name);
  });
  for (const std::string &e : elsewhere) first.erase(e);
  for (const std::string &e : whole_blocks(c, names, function)) first.erase(e);
  first.erase("");
  return first;
}

} // namespace

Node flatten_to_2d(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  Words batches;
  const Words wanted = batches_of(c, names, function);
  const auto blocks = [&](Node s) {
    auto l = c.as<ast::For>(s);
    const Node range = l ? loop_forms(c, names, l.iter()).range : HTP_NONE;
    return names.called(range) == "htp_tile.tiles" && wanted.contains(c.name_of(l.target())) ? range : HTP_NONE;
  };
  c.each(function, [&](Node n) {
    if (blocks(n)) batches.emplace(c.name_of(c.get<ast::For>(n).target()));
  });
  // A loop within blocks of it would still want the block.
  c.each(function, [&](Node n) {
    auto call = c.as<ast::Call>(n);
    if (call && names.called(n) == "htp_tile.tiles" && !call.args().empty())
      batches.erase(std::string(c.name_of(call.args()[0])));
  });
  if (batches.empty()) return root;
  const auto single = [&](Node n) {
    return rewrite(
        c, n, [&](Node e) { return batches.contains(c.name_of(e)) ? c.integer_node(1, e) : e; }, keep);
  };
  return with_entry(
      c, root,
      [&](Node n) -> Node {
        if (const auto type = c.is(n, HTP_Subscript) ? read_type(c, n) : std::nullopt; type && type->form == "Tile")
          return single(n);
        const std::string called = names.called(n);
        const size_t extents = called == "htp_tile.full"                                    ? 2
                               : called == "htp_tile.zeros" || called == "htp_tile.reshape" ? 1
                                                                                            : 0;
        if (!extents) return n;
        auto k = c.read<ast::Call>(n);
        for (size_t d = extents; d < k.args.size(); ++d) k.args[d] = single(k.args[d]);
        return c.with(n, k);
      },
      [&](Node s, std::vector<uint32_t> &out) {
        const Node range = blocks(s);
        if (!range || !batches.contains(c.name_of(c.get<ast::For>(s).target()))) return false;
        const Node count = c.call("range", {c.get<ast::Call>(range).args()[0]}, range);
        out.push_back(with_slot(c, s, HTP_FIELD(For, iter), count));
        return true;
      });
}

} // namespace htp::a2a3
