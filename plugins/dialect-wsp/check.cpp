// The dialect's check, right after parsing: the schedule's lines, and the promises of parallel loops.
#include "wsp.h"

#include <algorithm>

namespace htp::wsp {

namespace {

// The loops there will be after the tile directives, by name.
std::vector<std::string> names_after_tiling(const std::vector<Loop> &loops, const std::vector<Directive> &directives) {
  std::vector<std::string> names;
  for (const Loop &loop : loops) names.push_back(loop.variable);
  for (const Directive &d : directives)
    if (d.name == "tile")
      for (size_t k = 0; k + 1 < d.sizes.size(); ++k) names.push_back(d.loop + "_" + std::to_string(k));
  return names;
}

// The workload's own loop that a name stands for after tiling: `i_0` is cut from `i`.
const Loop *source_of(const std::vector<Loop> &loops, const std::vector<Directive> &directives, const std::string &name) {
  if (const Loop *loop = find_loop(loops, name)) return loop;
  for (const Directive &d : directives)
    for (size_t k = 0; d.name == "tile" && k + 1 < d.sizes.size(); ++k)
      if (name == d.loop + "_" + std::to_string(k)) return find_loop(loops, d.loop);
  return nullptr;
}

bool has_level(const Context &c, const std::string &level) {
  for (const char *suffix : {"", ".units", ".count", ".doc"})
    if (c.hardware(("levels." + level + suffix).c_str()).data()) return true;
  return false;
}

} // namespace

Result check(const Context &c, Node root) {
  const Program p = read_program(c, root, true);
  if (!p.workload) return c.result();
  const auto loops = loops_of(c, p.names, p.workload);
  const std::string_view workload = c.get<ast::FunctionDef>(p.workload).name();
  for (const Loop &loop : loops)
    if (!loop.ordered) check_independent(c, p.names, p.workload, loop, loop.statement);
  const auto names = names_after_tiling(loops, p.directives);
  std::set<std::string> tiled, parallel;
  for (const Directive &d : p.directives) {
    const Node name = c.get<ast::Call>(d.call).args()[0];
    if (d.name == "tile" ? !find_loop(loops, d.loop) : std::find(names.begin(), names.end(), d.loop) == names.end()) {
      c.report(diag::unknown_loop, name, workload, d.loop).hint("it has: " + join(names, ", ", [](const std::string &n) { return "`" + n + "`"; }));
      continue;
    }
    const Loop *loop = source_of(loops, p.directives, d.loop);
    const auto same = [&](const Loop &l) { return l.variable == loop->variable; };
    if (std::count_if(loops.begin(), loops.end(), same) > 1) {
      c.report(diag::ambiguous_loop, name, workload, loop->variable);
      continue;
    }
    if (d.name == "tile") {
      if (!tiled.insert(d.loop).second) c.report(diag::tiled_twice, d.call, d.loop);
      if (c.get<ast::Call>(loop->call).args().size() > 1) c.report(diag::sized_loop, name, d.loop).label(loop->call, "here");
      sizes_of(c, root, d, true);
      continue;
    }
    if (!parallel.insert(d.loop).second) c.report(diag::bound_twice, d.call, d.loop);
    if (loop->ordered) c.report(diag::ordered_loop, name, d.loop).label(loop->call, "`seq`: one after the other");
    if (d.name == "bind" && !has_level(c, d.level)) c.report(diag::unknown_level, c.get<ast::keyword>(c.get<ast::Call>(d.call).keywords()[0]).value(), d.level);
  }
  return c.result();
}

} // namespace htp::wsp
