// The dialect's check, right after parsing: the schedule's lines, and the promises of parallel loops.
#include "wsp.h"

#include "htp_cpp/suggest.h"

#include <algorithm>
#include <map>

namespace htp::wsp {

namespace {

// The loops there will be after the tile directives, by name.
std::vector<std::string> names_after_tiling(const std::vector<Loop> &loops, const std::vector<Directive> &directives) {
  std::vector<std::string> names;
  for (const Loop &loop : loops) names.push_back(loop.variable);
  for (const Directive &d : directives)
    if (d.name == "tile" && find_loop(loops, d.loop))
      for (size_t k = 0; k + 1 < d.sizes.size(); ++k) names.push_back(d.loop + "_" + std::to_string(k));
  return names;
}

// The workload's own loop that a name stands for after tiling: `i_0` is cut from `i`.
const Loop *source_of(const std::vector<Loop> &loops, const std::vector<Directive> &directives,
                      const std::string &name) {
  if (const Loop *loop = find_loop(loops, name)) return loop;
  for (const Directive &d : directives)
    for (size_t k = 0; d.name == "tile" && k + 1 < d.sizes.size(); ++k)
      if (name == d.loop + "_" + std::to_string(k)) return find_loop(loops, d.loop);
  return nullptr;
}

// Names the function binds, and where.
std::map<std::string, Node> bound_in(const Context &c, Node function) {
  std::map<std::string, Node> result;
  c.each(function, [&](Node n) {
    if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) result.try_emplace(std::string(name.id()), n);
    if (auto a = c.as<ast::arg>(n)) result.try_emplace(std::string(a.arg()), n);
  });
  return result;
}

bool well_formed(const Context &c, const Loop &loop) {
  auto call = c.get<ast::Call>(loop.call);
  auto f = c.get<ast::For>(loop.statement);
  if (!loop.variable.empty() && call.keywords().empty() && (call.args().size() == 1 || call.args().size() == 2) &&
      f.orelse().empty())
    return true;
  const std::string text = c.show(loop.statement);
  c.report(diag::bad_loop, loop.statement, text.substr(0, text.find(':')));
  return false;
}

} // namespace

Result check(const Context &c, Node root) {
  const Program p = read_program(c, root, true);
  if (!p.workload) return c.result();
  const auto loops = loops_of(c, p.names, p.workload);
  const std::string_view workload = c.get<ast::FunctionDef>(p.workload).name();
  for (const Loop &loop : loops) well_formed(c, loop);
  if (c.errors()) return HTP_FAILED;
  const auto bound = bound_in(c, p.workload);
  for (const Loop &loop : loops)
    if (!loop.ordered) check_independent(c, p.names, p.workload, loop, loop.statement);
  const auto names = names_after_tiling(loops, p.directives);
  std::map<std::string, Node> tiled, parallel;
  for (const Directive &d : p.directives) {
    const Node name = c.get<ast::Call>(d.call).args()[0];
    if (d.name == "tile" ? !find_loop(loops, d.loop) : std::find(names.begin(), names.end(), d.loop) == names.end()) {
      auto report = c.report(diag::unknown_loop, name, workload, d.loop);
      if (const std::string near = nearest(d.loop, names); !near.empty())
        report.hint("did you mean `" + near + "`?");
      else
        report.hint("it has: " + join(names, ", ", [](const std::string &n) { return "`" + n + "`"; }));
      continue;
    }
    const Loop *loop = source_of(loops, p.directives, d.loop);
    const auto same = [&](const Loop &l) { return l.variable == loop->variable; };
    if (std::count_if(loops.begin(), loops.end(), same) > 1) {
      c.report(diag::ambiguous_loop, name, workload, loop->variable);
      continue;
    }
    if (d.name == "tile") {
      if (const auto [first, fresh] = tiled.emplace(d.loop, d.call); !fresh)
        c.report(diag::tiled_twice, d.call, d.loop)
            .label(first->second, "tiled here")
            .hint("give all sizes to one directive, outermost first");
      if (c.get<ast::Call>(loop->call).args().size() > 1)
        c.report(diag::sized_loop, name, d.loop).label(loop->call, "here");
      sizes_of(c, root, d, true);
      for (size_t k = 0; k + 1 < d.sizes.size(); ++k)
        if (const auto taken = bound.find(d.loop + "_" + std::to_string(k)); taken != bound.end())
          c.report(diag::taken_name, d.call, taken->first, workload).label(taken->second, "bound here");
      continue;
    }
    if (const auto [first, fresh] = parallel.emplace(d.loop, d.call); !fresh)
      c.report(diag::bound_twice, d.call, d.loop).label(first->second, "made parallel here");
    else if (loop->parallel)
      c.report(diag::bound_twice, d.call, d.loop).label(loop->statement, "parallel already");
    if (loop->ordered) c.report(diag::ordered_loop, name, d.loop).label(loop->call, "`seq`: one after the other");
    if (d.name != "bind") continue;
    const auto levels = c.hardware_names("levels");
    if (std::find(levels.begin(), levels.end(), d.level) != levels.end()) continue;
    auto report = c.report(diag::unknown_level, c.get<ast::keyword>(c.get<ast::Call>(d.call).keywords()[0]).value(),
                           c.target(), d.level);
    if (!levels.empty())
      report.hint("it has: " + join(levels, ", ", [](const std::string &n) { return "`" + n + "`"; }));
  }
  return c.result();
}

} // namespace htp::wsp
