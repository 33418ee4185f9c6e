// my-plugin.work: a row for each loop over blocks.
#include "htp_cpp/loops.h"
#include "my_plugin.h"

namespace htp_my_plugin {

bool over_blocks(const Context &c, const Names &names, Node statement) {
  const auto loop = c.as<ast::For>(statement);
  return loop && names.called(loop_forms(c, names, loop.iter()).range) == "htp_tile.tiles";
}

Result work(const Context &c, Node root, const Sink &sink) {
  const Names names(c, root);
  c.each(c.entry_function(root), [&](Node loop) {
    if (!over_blocks(c, names, loop)) return;
    int64_t calls = 0;
    for (const Node s : c.get<ast::For>(loop).body())
      c.each(s, [&](Node n) { calls += c.intrinsic(names.called(n)) != nullptr; });
    sink.integer(loop, calls);
  });
  return c.result();
}

} // namespace htp_my_plugin
