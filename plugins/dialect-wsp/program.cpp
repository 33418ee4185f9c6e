// Reading a workload and its schedule.
#include "wsp.h"

#include "htp_cpp/suggest.h"

namespace htp::wsp {

namespace {

bool is_workload_function(const Context &c, const Names &names, Node function) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return false;
  for (const Node d : f.decorator_list())
    if (names.qualified(d) == "htp_wsp.workload") return true;
  return false;
}

// The workload's name in `@schedule(name)`; 0 when the function is no schedule.
Node scheduled(const Context &c, const Names &names, Node function) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return HTP_NONE;
  for (const Node d : f.decorator_list())
    if (names.called(d) == "htp_wsp.schedule" && c.get<ast::Call>(d).args().size() == 1)
      return c.get<ast::Call>(d).args()[0];
  return HTP_NONE;
}

Node find_workload(const Context &c, const Names &names, Node root, Node name) {
  const Node function = c.function(root, c.name_of(name));
  return is_workload_function(c, names, function) ? function : HTP_NONE;
}

// s.name(…) as a directive; one without a call is none.
Directive read_directive(const Context &c, Node statement, std::string_view schedule_name, bool report) {
  Directive d;
  auto e = c.as<ast::Expr>(statement);
  auto call = e ? c.as<ast::Call>(e.value()) : ast::Call{&c, HTP_NONE};
  auto method = call ? c.as<ast::Attribute>(call.func()) : ast::Attribute{&c, HTP_NONE};
  if (!method || c.name_of(method.value()) != schedule_name) {
    if (report) c.report(diag::not_a_directive, statement, c.show(statement).substr(0, c.show(statement).find('\n')));
    return d;
  }
  d.name = method.attr();
  const auto refuse = [&](const char *takes) {
    if (report) c.report(diag::bad_arguments, call.node, d.name, takes);
    return Directive{};
  };
  if (d.name != "tile" && d.name != "parallel" && d.name != "bind") {
    if (report) {
      const std::string near = nearest(d.name, {"tile", "parallel", "bind"});
      c.report(diag::unknown_directive, call.node, d.name)
          .hint(near.empty() ? "there are `tile`, `parallel` and `bind`" : "did you mean `" + near + "`?");
    }
    return Directive{};
  }
  std::string_view loop, level;
  if (call.args().empty() || !c.string(call.args()[0], &loop)) return refuse("a loop's name first, as a string");
  d.loop = loop;
  const bool tiles = d.name == "tile", binds = d.name == "bind";
  if (tiles && (call.args().size() < 2 || !call.keywords().empty())) return refuse("a loop and one size or more");
  if (!tiles && call.args().size() != 1) return refuse(binds ? "a loop and `level=`" : "a loop");
  if (!tiles && !binds && !call.keywords().empty()) return refuse("a loop");
  if (tiles) d.sizes.assign(call.args().begin() + 1, call.args().end());
  if (binds) {
    if (call.keywords().size() != 1) return refuse("a loop and `level=`");
    auto k = c.get<ast::keyword>(call.keywords()[0]);
    if (k.arg() != "level" || !c.string(k.value(), &level)) return refuse("a loop and `level=`, a string");
    d.level = level;
  }
  d.statement = statement;
  d.call = call.node;
  return d;
}

} // namespace

Program read_program(const Context &c, Node root, bool report) {
  Program p{Names(c, root), HTP_NONE, HTP_NONE, {}};
  const Node entry = c.entry_function(root);
  if (const Node name = scheduled(c, p.names, entry)) {
    p.workload = find_workload(c, p.names, root, name);
    p.schedule = entry;
    if (!p.workload && report) c.report(diag::no_workload, name, c.show(name));
  } else if (is_workload_function(c, p.names, entry)) {
    p.workload = entry;
    std::vector<std::string> schedules;
    for (const Node s : c.get<ast::Module>(root).body()) {
      const Node of = scheduled(c, p.names, s);
      if (!of || c.name_of(of) != c.entry()) continue;
      p.schedule = s;
      schedules.emplace_back(c.get<ast::FunctionDef>(s).name());
    }
    if (schedules.size() > 1) {
      if (report)
        c.report(diag::which_schedule, entry, c.entry(),
                 join(schedules, ", ", [](const std::string &s) { return "`" + s + "`"; }))
            .hint("choose one: `--entry " + schedules[0] + "`");
      p.schedule = HTP_NONE;
    }
  }
  if (!p.workload || !p.schedule) return p;
  auto f = c.get<ast::FunctionDef>(p.schedule);
  const Nodes parameters = c.get<ast::arguments>(f.args()).args();
  const std::string_view self = parameters.empty() ? std::string_view() : c.get<ast::arg>(parameters[0]).arg();
  bool first = true;
  for (const Node s : f.body()) {
    std::string_view doc;
    auto e = c.as<ast::Expr>(s);
    const bool docstring = first && e && c.string(e.value(), &doc);
    first = false;
    if (docstring || c.is(s, HTP_Pass)) continue;
    Directive d = read_directive(c, s, self, report);
    if (d.statement) p.directives.push_back(std::move(d));
  }
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
      const LoopForms forms = loop_forms(c, names, f.iter());
      const std::string called = names.called(forms.range);
      if (called != "htp_wsp.P" && called != "htp_wsp.seq") return;
      loop.parallel = forms.parallel;
      loop.call = forms.range;
      loop.ordered = called == "htp_wsp.seq";
      loops.push_back(std::move(loop));
    });
  return loops;
}

const Loop *find_loop(const std::vector<Loop> &loops, std::string_view variable) {
  for (const Loop &loop : loops)
    if (loop.variable == variable) return &loop;
  return nullptr;
}

std::vector<int64_t> sizes_of(const Context &c, Node root, const Directive &directive, bool report) {
  const Constants constants(c, root);
  std::vector<int64_t> sizes;
  bool good = true;
  for (const Node n : directive.sizes) {
    const auto size = constants.integer(n);
    if (!size || *size < 1) {
      if (report) c.report(diag::bad_size, n, c.show(n));
      good = false;
    } else if (good && !sizes.empty() && *size > sizes.back()) {
      if (report) c.report(diag::growing_size, n, sizes.back(), *size);
      good = false;
    } else {
      sizes.push_back(*size);
    }
  }
  return good ? sizes : std::vector<int64_t>{};
}

Node with_functions(const Context &c, Node root, const Program &program, Node workload, Node schedule) {
  auto module = c.read<ast::Module>(root);
  std::vector<uint32_t> body;
  for (const Node s : module.body) {
    const Node now = s == program.workload ? workload : s == program.schedule ? schedule : s;
    if (now) body.push_back(now);
  }
  module.body = body;
  return c.with(root, module);
}

Node without_directives(const Context &c, const Program &program, const std::set<std::string> &done) {
  if (!program.schedule) return HTP_NONE;
  auto f = c.read<ast::FunctionDef>(program.schedule);
  std::vector<uint32_t> body;
  for (const Node s : f.body) {
    bool drop = false;
    for (const Directive &d : program.directives) drop |= d.statement == s && done.contains(d.name);
    if (!drop) body.push_back(s);
  }
  if (body.empty()) body.push_back(c.make(make::Pass{}, program.schedule));
  f.body = body;
  return c.with(program.schedule, f);
}

} // namespace htp::wsp
