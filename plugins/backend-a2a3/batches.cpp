#include "batches.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"
#include "htp_cpp/types.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

bool keep(Node, std::vector<uint32_t> &) { return false; }

// The loop variables that are the first of more than two extents somewhere, or of a tile that indexes, and nowhere
// another one.
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
  first.erase("");
  return first;
}

Node function_with(const Context &c, Node root, const auto &expression, const auto &statement) {
  const Node function = c.entry_function(root);
  return with_statement(c, root, function, rewrite(c, function, expression, statement));
}

} // namespace

Node with_single_batches(const Context &c, Node root) {
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
  return function_with(
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

Node with_single_rows(const Context &c, Node root) {
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
  return function_with(
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

Node with_decided_branches(const Context &c, Node root) {
  const sdk::Constants constants(c, root);
  return function_with(
      c, root,
      [&](Node n) -> Node { // `0 < n < 8` as two comparisons
        auto k = c.as<ast::Compare>(n);
        if (!k || k.ops().size() < 2) return n;
        std::vector<uint32_t> all;
        for (size_t i = 0; i < k.ops().size(); ++i)
          all.push_back(c.make(make::Compare{.left = copy_of(c, i ? k.comparators()[i - 1] : k.left(), n),
                                             .ops = {k.ops()[i]},
                                             .comparators = {copy_of(c, k.comparators()[i], n)}},
                               n));
        return c.make(make::BoolOp{.op = HTP_And, .values = std::move(all)}, n);
      },
      [&](Node s, std::vector<uint32_t> &out) {
        auto f = c.as<ast::If>(s);
        const auto decided = f ? constants.number(f.test()) : std::nullopt;
        if (!decided) return false;
        const Nodes taken = decided->as_double() != 0 ? f.body() : f.orelse();
        out.insert(out.end(), taken.begin(), taken.end());
        return true;
      });
}

Node with_whole_buffers(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  std::map<std::string, std::string, std::less<>> blocks; // a loop's variable, and what its blocks are of
  std::vector<uint32_t> buffers;
  c.each(function, [&](Node n) {
    auto l = c.as<ast::For>(n);
    const Node range = l ? loop_forms(c, names, l.iter()).range : HTP_NONE;
    if (names.called(range) == "htp_tile.tiles")
      blocks[std::string(c.name_of(l.target()))] = c.show(c.get<ast::Call>(range).args()[0]);
  });
  const auto is_buffer = [&](Node s) {
    auto a = c.as<ast::Assign>(s);
    return a && names.called(a.value()) == "htp_pto.gm";
  };
  c.each(function, [&](Node s) {
    if (!is_buffer(s)) return;
    auto call = c.read<ast::Call>(c.get<ast::Assign>(s).value());
    for (size_t d = 1; d < call.args.size(); ++d)
      for (auto of = blocks.find(c.name_of(call.args[d])); of != blocks.end();
           of = blocks.find(c.name_of(call.args[d])))
        call.args[d] = c.parse(of->second, call.args[d]);
    buffers.push_back(with_slot(c, s, HTP_FIELD(Assign, value), c.with(c.get<ast::Assign>(s).value(), call)));
  });
  if (buffers.empty()) return root;
  auto f = c.read<ast::FunctionDef>(rewrite(
      c, function, [](Node n) { return n; }, [&](Node s, std::vector<uint32_t> &) { return is_buffer(s); }));
  f.body.insert(f.body.begin(), buffers.begin(), buffers.end());
  return with_statement(c, root, function, c.with(function, f));
}

Node with_marked_indices(const Context &c, Node root, bool marked) {
  const Names names(c, root);
  Words ints, blocks;
  c.each(c.entry_function(root), [&](Node n) {
    auto l = c.as<ast::For>(n);
    auto range = l ? c.as<ast::Call>(loop_forms(c, names, l.iter()).range) : c.as<ast::Call>(HTP_NONE);
    if (range) (c.name_of(range.func()) == "range" ? ints : blocks).emplace(c.name_of(l.target()));
    // Tiles have their types beside them.
    if (auto a = c.as<ast::Assign>(n); a && a.targets().size() == 1) ints.emplace(c.name_of(a.targets()[0]));
    if (auto a = c.as<ast::AnnAssign>(n); a && c.name_of(a.annotation()) == "int") ints.emplace(c.name_of(a.target()));
    if (auto p = c.as<ast::arg>(n); p && c.name_of(p.annotation()) == "int") ints.emplace(p.arg());
  });
  const auto whole = [&](Node n) { // `len(N)` of a dimension
    auto k = c.as<ast::Call>(n);
    return !marked && k && c.name_of(k.func()) == "len" && k.args().size() == 1 &&
           !blocks.contains(c.name_of(k.args()[0]));
  };
  const auto other = [&](Node n) -> Node {
    if (marked) return ints.contains(c.name_of(n)) ? c.call("int", {n}, n) : n;
    auto k = c.as<ast::Call>(n);
    return k && c.name_of(k.func()) == "int" && k.args().size() == 1 && ints.contains(c.name_of(k.args()[0]))
               ? k.args()[0]
               : n;
  };
  return function_with(
      c, root,
      [&](Node n) -> Node {
        if (whole(n)) return c.get<ast::Call>(n).args()[0];
        const std::string called = names.called(n);
        if (marked && called == "htp_tile.iota") {
          auto k = c.read<ast::Call>(n);
          for (size_t d = 1; d < k.args.size(); ++d)
            if (const auto name = c.name_of(k.args[d]); !name.empty() && !blocks.contains(name))
              k.args[d] = c.call("int", {k.args[d]}, n);
          return c.with(n, k);
        }
        if (called != (marked ? "htp_tile.store" : "htp_pto.tstore")) return n;
        auto k = c.read<ast::Call>(n);
        for (size_t d = 2; d < k.args.size(); ++d) k.args[d] = other(k.args[d]);
        return c.with(n, k);
      },
      keep);
}

} // namespace htp::a2a3
