// wsp.lower: the scheduled workload becomes a kernel, under the entry's name; P and seq become tile's loop over blocks.
#include "wsp.h"

#include "htp_cpp/imports.h"

#include <algorithm>

namespace htp::wsp {

Node with_tiles(const Context &c, const Names &names, Node workload, const std::string &tile, int64_t size) {
  const auto loops = loops_of(c, names, workload);
  return rewrite(
      c, workload,
      [&](Node n) {
        for (const Loop &loop : loops) {
          if (n != loop.call) continue;
          auto call = c.read<ast::Call>(n);
          call.func = c.path(tile + ".tiles", call.func);
          if (call.args.size() == 1) call.args.push_back(c.integer_node(size, n));
          return c.with(n, call);
        }
        return names.qualified(n) == "htp_wsp.workload" ? c.path(tile + ".kernel", n) : n;
      },
      [](Node, std::vector<uint32_t> &) { return false; });
}

Result lower(const Context &c, Node root, Node &out) {
  const Program p = read_program(c, root, true);
  if (!p.workload) return c.report(diag::not_workload, c.entry_function(root), c.entry()), HTP_FAILED;
  std::set<std::string, std::less<>> locals;
  c.each(p.workload, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) locals.emplace(name.id());
    if (auto a = c.as<ast::arg>(n)) locals.emplace(a.arg());
  });
  Imports imports(c, root, locals);
  const std::string tile = imports.module("htp_tile", "tile");
  Node workload = with_tiles(c, p.names, p.workload, tile, c.option_int("size"));
  auto function = c.read<ast::FunctionDef>(workload);
  function.name = c.entry();
  workload = c.with(workload, function);

  // Schedules and what they call speak of a workload, and so do imports that nothing uses any more.
  auto module = c.read<ast::Module>(root);
  std::erase_if(module.body, [&](Node s) { return scheduled(c, p.names, s) || is_combination(c, p.names, s); });
  std::replace(module.body.begin(), module.body.end(), uint32_t{p.workload}, uint32_t{workload});
  out = drop_unused_imports(c, imports.apply(c.with(root, module)),
                            [](std::string_view path) { return path.starts_with("htp_wsp"); });
  return c.result();
}

} // namespace htp::wsp
