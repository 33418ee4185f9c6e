// Memory beside the parameters stands at the beginning of the entry: what is made for a block has a place for each of
// them.
#include "passes/passes.h"

#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>

namespace htp::a2a3 {

Node hoist_buffers(const Context &c, Node root) {
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
    const Node call = c.get<ast::Assign>(s).value();
    std::vector<uint32_t> args = c.read<ast::Call>(call).args;
    for (size_t d = 1; d < args.size(); ++d)
      for (auto of = blocks.find(c.name_of(args[d])); of != blocks.end(); of = blocks.find(c.name_of(args[d])))
        args[d] = c.parse(of->second, args[d]);
    buffers.push_back(with_slot(c, s, HTP_FIELD(Assign, value), with_list(c, call, HTP_FIELD(Call, args), args)));
  });
  const Nodes body = c.get<ast::FunctionDef>(function).body();
  if (buffers.size() <= body.size() && std::equal(buffers.begin(), buffers.end(), body.begin())) return root;
  auto f = c.read<ast::FunctionDef>(rewrite(
      c, function, [](Node n) { return n; }, [&](Node s, std::vector<uint32_t> &) { return is_buffer(s); }));
  f.body.insert(f.body.begin(), buffers.begin(), buffers.end());
  return with_statement(c, root, function, c.with(function, f));
}

} // namespace htp::a2a3
