// What is loaded to index with, one element, becomes an int of the tensor: `page = pto.value(table, b, p)`.
#include "passes/passes.h"

#include "analyses/shapes.h"
#include "htp_cpp/imports.h"

#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

} // namespace

Node scalarize_loaded_indices(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  std::map<std::string, unsigned, std::less<>> used;
  std::map<std::string, Node, std::less<>> loads;
  Words single; // tiles of one element
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_LOAD) ++used[std::string(name.id())];
    auto a = c.as<ast::AnnAssign>(n);
    if (!a || names.called(a.value()) != "htp_tile.load") return;
    loads[std::string(c.name_of(a.target()))] = a.value();
    const auto type = read_type(c, a.annotation());
    if (type && shape_of(type->extents).kind == Kind::single) single.emplace(c.name_of(a.target()));
  });
  const auto read = [&](Node s) {
    auto a = c.as<ast::Assign>(s);
    if (!a || names.called(a.value()) != "htp_tile.index") return HTP_NONE;
    const auto it = loads.find(c.name_of(c.get<ast::Call>(a.value()).args()[0]));
    return it == loads.end() ? HTP_NONE : it->second;
  };
  const auto value = [&](Node load, Node s) {
    std::vector<uint32_t> operands;
    for (const Node o : c.get<ast::Call>(load).args()) operands.push_back(copy_of(c, o, s));
    return c.call("pto.value", std::move(operands), s);
  };
  const auto index_of = [&](Node load) { // the operand that is such a tile; 0: none
    const Nodes a = names.called(load) == "htp_tile.load" ? c.get<ast::Call>(load).args() : Nodes();
    for (size_t k = 1; k < a.size(); ++k)
      if (single.contains(c.name_of(a[k]))) return k;
    return size_t{0};
  };
  std::set<Node> dropped;
  c.each(function, [&](Node s) {
    if (const Node load = c.is(s, HTP_Assign) ? read(s) : HTP_NONE; load) dropped.insert(load);
    auto a = c.as<ast::AnnAssign>(s);
    if (const size_t k = a ? index_of(a.value()) : 0)
      dropped.insert(loads.find(c.name_of(c.get<ast::Call>(a.value()).args()[k]))->second);
  });
  if (dropped.empty()) return root;
  const Node changed = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        if (const Node load = c.is(s, HTP_Assign) ? read(s) : HTP_NONE; load) {
          out.push_back(with_slot(c, s, HTP_FIELD(Assign, value), value(load, s)));
          return true;
        }
        auto a = c.as<ast::AnnAssign>(s);
        if (const size_t k = a && !dropped.contains(a.value()) ? index_of(a.value()) : 0) {
          auto call = c.read<ast::Call>(a.value());
          const std::string tile(c.name_of(call.args[k])), index = c.fresh(tile + "_index");
          out.push_back(c.assign(index, HTP_NONE, value(loads.find(tile)->second, s), s));
          call.args[k] = c.name(index, s);
          out.push_back(with_slot(c, s, HTP_FIELD(AnnAssign, value), c.with(a.value(), call)));
          return true;
        }
        return a && dropped.contains(a.value()) && used[std::string(c.name_of(a.target()))] == 1;
      });
  return add_import(c, with_statement(c, root, function, changed), "htp_pto", "pto");
}

} // namespace htp::a2a3
