// A tile of one element that is a number stands for the number: instructions take one as an operand.
#include "passes/passes.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

} // namespace

Node scalarize_single_elements(const Context &c, Node root) {
  const Names names(c, root);
  const Node function = c.entry_function(root);
  std::map<std::string, unsigned, std::less<>> bindings;
  std::map<std::string, Node, std::less<>> numbers;
  Words tiles;
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) ++bindings[std::string(name.id())];
  });
  c.each(function, [&](Node n) {
    auto a = c.as<ast::AnnAssign>(n);
    if (a) tiles.emplace(c.name_of(a.target()));
    auto call = a ? c.as<ast::Call>(a.value()) : c.as<ast::Call>(HTP_NONE);
    if (!call || names.qualified(call.func()) != "htp_tile.full" || call.args().size() < 3) return;
    int64_t size = 0;
    for (const Node extent : call.args().subspan(2))
      if (!c.integer(extent, &size) || size != 1) return;
    const std::string_view value = c.name_of(call.args()[1]), target = c.name_of(a.target());
    const auto times = value.empty() ? bindings.end() : bindings.find(value);
    if ((c.is(call.args()[1], HTP_Name) || c.is(call.args()[1], HTP_Constant)) &&
        (times == bindings.end() || times->second == 1) && bindings.find(target)->second == 1)
      numbers.emplace(target, call.args()[1]);
  });
  // An instruction has a tile at least: a call of numbers alone keeps them.
  for (bool fewer = true; fewer;) {
    fewer = false;
    c.each(function, [&](Node n) {
      auto call = c.as<ast::Call>(n);
      const std::string called = call ? names.called(n) : std::string();
      if (!called.starts_with("htp_tile.") || called == "htp_tile.store" || called == "htp_tile.load") return;
      const Nodes a = call.args();
      if (std::none_of(a.begin(), a.end(), [&](Node o) {
            return tiles.contains(c.name_of(o)) && !numbers.contains(std::string(c.name_of(o)));
          }))
        for (const Node o : a) fewer |= numbers.erase(std::string(c.name_of(o))) > 0;
    });
  }
  if (numbers.empty()) return root;
  const Node changed = rewrite(
      c, function,
      [&](Node n) {
        auto name = c.as<ast::Name>(n);
        const auto it = name && name.ctx() == HTP_LOAD ? numbers.find(name.id()) : numbers.end();
        return it == numbers.end() ? n : c.parse(c.show(it->second), n);
      },
      [&](Node s, std::vector<uint32_t> &) {
        auto a = c.as<ast::AnnAssign>(s);
        return a && numbers.contains(c.name_of(a.target()));
      });
  return with_statement(c, root, function, changed);
}

} // namespace htp::a2a3
