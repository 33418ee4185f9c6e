// wsp.tile: `s.tile("i", 64, 16)` turns `for i in P(M)` into `for i_0 in P(M, 64): for i in P(i_0, 16)`. The body stays
// as it is.
#include "wsp.h"

#include "htp_cpp/edit.h"

namespace htp::wsp {

namespace {

// The nest of loops that stands for `loop` with these block sizes, outermost first. How the loop may run is said of the
// outermost.
Node cut(const Context &c, const Names &names, Node statement, const Loop &loop, const std::vector<int64_t> &sizes) {
  auto inner = c.read<ast::For>(statement);
  const auto level_name = [&](size_t k) {
    return k + 1 == sizes.size() ? loop.variable : loop.variable + "_" + std::to_string(k);
  };
  Node nest = HTP_NONE;
  for (size_t k = sizes.size(); k-- > 0;) {
    auto call = c.read<ast::Call>(loop.call);
    const Node extent = k == 0 ? call.args[0] : c.name(level_name(k - 1), statement);
    call.args = {extent, c.integer_node(sizes[k], statement)};
    make::For m = inner;
    m.target = c.name(level_name(k), statement, HTP_STORE);
    m.iter = c.with(loop.call, call);
    if (k == 0) {
      const auto wrappers = loop_forms(c, names, inner.iter).wrappers;
      for (auto w = wrappers.rbegin(); w != wrappers.rend(); ++w) {
        const Node around[] = {m.iter};
        m.iter = with_list(c, *w, HTP_FIELD(Call, args), around);
      }
    }
    if (nest) m.body = {nest};
    // The outermost keeps the statement's comments.
    nest = k == 0 ? c.with(statement, m) : c.make(m, statement);
  }
  return nest;
}

} // namespace

Result tile(const Context &c, Node root, Node &out) {
  if (const Result r = check(c, root); r != HTP_OK) return r; // an edited stage is checked like a program
  const Program p = read_program(c, root, false);
  if (!p.workload) return c.report(diag::not_workload, c.entry_function(root), c.entry()), HTP_FAILED;
  const auto loops = loops_of(c, p.names, p.workload);
  std::vector<std::pair<const Loop *, std::vector<int64_t>>> cuts;
  for (const Directive &d : p.directives) {
    if (d.name != "tile") continue;
    const Loop *loop = find_loop(loops, d.loop);
    if (!loop) continue; // check said so
    cuts.emplace_back(loop, sizes_of(c, root, d, false));
  }
  const Node workload = rewrite(
      c, p.workload, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &to) {
        if (!c.is(s, HTP_For)) return false;
        for (const auto &[loop, sizes] : cuts)
          if (loop_forms(c, p.names, c.get<ast::For>(s).iter()).range == loop->call)
            return to.push_back(cut(c, p.names, s, *loop, sizes)), true;
        return false;
      });
  out = with_functions(c, root, p, workload, without_directives(c, p, {"tile"}));
  return c.result();
}

} // namespace htp::wsp
