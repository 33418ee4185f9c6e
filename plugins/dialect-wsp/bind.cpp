// wsp.bind: `s.bind("i_0", level="core")` turns `for i_0 in P(M, 64)` into `for i_0 in htp.parallel(P(M, 64),
// level="core")`.
#include "wsp.h"

namespace htp::wsp {

Result bind(const Context &c, Node root, Node &out) {
  if (const Result r = check(c, root); r != HTP_OK) return r; // an edited stage is checked like a program
  const Program p = read_program(c, root, false);
  if (!p.workload) return c.report(diag::not_workload, c.entry_function(root), c.entry()), HTP_FAILED;
  const auto loops = loops_of(c, p.names, p.workload);
  std::vector<std::pair<const Loop *, const Directive *>> bound;
  for (const Directive &d : p.directives) {
    if (d.name != "parallel" && d.name != "bind") continue;
    const Loop *loop = find_loop(loops, d.loop);
    if (!loop) continue; // check said so
    bound.emplace_back(loop, &d);
  }
  const Node workload = rewrite(
      c, p.workload,
      [&](Node n) {
        for (const auto &[loop, d] : bound) {
          if (n != loop->call) continue;
          std::vector<uint32_t> keywords;
          if (!d->level.empty())
            keywords.push_back(c.make(make::keyword{.arg = "level", .value = c.string_node(d->level, n)}, n));
          return c.call("htp.parallel", {n}, n, keywords);
        }
        return n;
      },
      [](Node, std::vector<uint32_t> &) { return false; });
  out = with_functions(c, root, p, workload, without_directives(c, p, {"parallel", "bind"}));
  return c.result();
}

} // namespace htp::wsp
