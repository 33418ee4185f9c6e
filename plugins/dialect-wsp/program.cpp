// Finding a workload, its schedule and its loops.
#include "wsp.h"

namespace htp::wsp {

namespace {

bool is_marked(const Context &c, const Names &names, Node function, std::string_view decorator) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return false;
  for (const Node d : f.decorator_list())
    if (names.qualified(d) == decorator) return true;
  return false;
}
bool is_workload_function(const Context &c, const Names &names, Node function) {
  return is_marked(c, names, function, "htp_wsp.workload");
}

} // namespace

Node scheduled(const Context &c, const Names &names, Node function) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return HTP_NONE;
  for (const Node d : f.decorator_list())
    if (names.called(d) == "htp_wsp.schedule" && c.get<ast::Call>(d).args().size() == 1)
      return c.get<ast::Call>(d).args()[0];
  return HTP_NONE;
}

bool is_combination(const Context &c, const Names &names, Node function) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f || !f.decorator_list().empty()) return false;
  const Nodes parameters = c.get<ast::arguments>(f.args()).args();
  return !parameters.empty() && names.qualified(c.get<ast::arg>(parameters[0]).annotation()) == "htp_wsp.Schedule";
}

// Of a schedule of a schedule, the workload at the end; 0 when there is none.
static Node workload_of(const Context &c, const Names &names, Node root, Node schedule) {
  Node name = scheduled(c, names, schedule);
  for (std::set<Node> seen; name;) {
    const Node function = c.function(root, c.name_of(name));
    if (is_workload_function(c, names, function)) return function;
    if (!function || !seen.insert(function).second) return HTP_NONE;
    name = scheduled(c, names, function);
  }
  return HTP_NONE;
}

void read_directives(const Context &c, const Names &names, Node root, Node schedule, bool report,
                     std::vector<Directive> &directives);

Program read_called(const Context &c, Node root, Node function) {
  Program p{Names(c, root)};
  // A kernel is a workload whose blocks have sizes.
  if (is_workload_function(c, p.names, function) || is_marked(c, p.names, function, "htp_tile.kernel")) {
    p.workload = function;
  } else if (scheduled(c, p.names, function)) {
    p.workload = workload_of(c, p.names, root, function);
    p.schedule = function;
  }
  if (p.workload && p.schedule) read_directives(c, p.names, root, p.schedule, true, p.directives);
  return p;
}

Program read_program(const Context &c, Node root, bool report) {
  Program p{Names(c, root)};
  const Node entry = c.entry_function(root);
  if (const Node name = scheduled(c, p.names, entry)) {
    p.workload = workload_of(c, p.names, root, entry);
    p.schedule = entry;
    if (!p.workload && report) c.report(diag::no_workload, name, c.show(name));
  } else if (is_workload_function(c, p.names, entry)) {
    p.workload = entry;
    std::vector<std::string> schedules;
    for (const Node s : c.get<ast::Module>(root).body()) {
      if (workload_of(c, p.names, root, s) != entry) continue;
      p.schedule = s;
      schedules.emplace_back(c.get<ast::FunctionDef>(s).name());
    }
    if (schedules.size() > 1) { // none is meant
      p.schedule = HTP_NONE;
      p.passed_over = schedules;
    }
  }
  if (p.workload && p.schedule) read_directives(c, p.names, root, p.schedule, report, p.directives);
  return p;
}

std::vector<Loop> loops_of(const Context &c, const Names &names, Node workload) {
  std::vector<Loop> loops;
  for (const Node s : c.get<ast::FunctionDef>(workload).body())
    c.each(s, [&](Node n) {
      auto f = c.as<ast::For>(n);
      if (!f) return;
      Loop loop;
      loop.statement = n;
      loop.variable = c.name_of(f.target());
      loop.forms = loop_forms(c, names, f.iter());
      loop.call = loop.forms.range;
      const std::string called = names.called(loop.call);
      if (called != "htp_wsp.P" && called != "htp_wsp.seq") return;
      loop.ordered = called == "htp_wsp.seq";
      const Nodes arguments = c.get<ast::Call>(loop.call).args();
      if (!arguments.empty()) loop.extent = arguments[0];
      if (arguments.size() > 1) loop.size = arguments[1];
      loops.push_back(std::move(loop));
    });
  return loops;
}

const Loop *find_loop(const std::vector<Loop> &loops, std::string_view variable) {
  for (const Loop &loop : loops)
    if (loop.variable == variable) return &loop;
  return nullptr;
}

} // namespace htp::wsp
