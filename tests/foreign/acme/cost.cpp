// acme.cost: for each `for` over blocks, the calls of intrinsics inside it.
#include "acme.h"

namespace acme {

Result cost(const Context &c, Node root, const Sink &sink) {
  const Names names(c, root);
  c.each(root, [&](Node n) {
    auto loop = c.as<ast::For>(n);
    if (!loop) return;
    Node iter = loop.iter();
    while (c.is(iter, HTP_Call) && names.called(iter).starts_with("htp.") && !c.get<ast::Call>(iter).args().empty())
      iter = c.get<ast::Call>(iter).args()[0];
    if (names.called(iter) != "htp_tile.tiles") return;
    int64_t calls = 0;
    for (const Node s : loop.body())
      c.each(s, [&](Node inner) { calls += c.intrinsic(names.called(inner)) != nullptr; });
    sink.integer(n, calls);
  });
  return c.result();
}

} // namespace acme
