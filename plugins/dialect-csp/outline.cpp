// csp.outline: a workload of which tasks are pipelines becomes a pipeline. What stands between their calls becomes
// workloads, each run by a process; where two tasks use a tensor that one of them stores, the later one's processes
// meet the earlier one's when these have ended.
#include "csp.h"
#include "flatten.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/grids.h"
#include "htp_cpp/imports.h"

#include <algorithm>

namespace htp::csp {

namespace {

using Set = std::set<std::string, std::less<>>;

constexpr int64_t open_size = 64; // of a loop around a call that says no size of its blocks

bool is_workload(const Context &c, const Names &names, Node function) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return false;
  return std::any_of(f.decorator_list().begin(), f.decorator_list().end(),
                     [&](Node d) { return names.qualified(d) == "htp_wsp.workload"; });
}

bool calls_pipeline(const Context &c, const Names &names, Node root, Node statement) {
  bool found = false;
  c.each(statement, [&](Node n) {
    auto call = c.as<ast::Call>(n);
    found = found || (call && is_pipeline_function(c, names, c.function(root, c.name_of(call.func()))));
  });
  return found;
}

// A tensor that a task uses; whether it stores to it.
using Uses = std::map<std::string, bool, std::less<>>;

class Outlining {
public:
  Outlining(const Context &context, Node root, Node function)
      : c(context), root_(root), function_(function), names_(context, root),
        imports_(context, root, bound_in(context, function)) {
    c.each(root, [&](Node n) {
      if (c.is(n, HTP_Name)) taken_.emplace(c.name_of(n));
      if (auto f = c.as<ast::FunctionDef>(n)) taken_.emplace(f.name());
      if (auto a = c.as<ast::alias>(n)) taken_.emplace(a.asname().empty() ? a.name() : a.asname());
      if (auto a = c.as<ast::arg>(n)) taken_.emplace(a.arg());
    });
    for (const Node n : parameters()) tensors_.emplace(c.get<ast::arg>(n).arg());
  }

  // The module with the pipeline; 0 after a report.
  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    for (const Node s : c.get<ast::Module>(root_).body())
      for (const Node d : c.is(s, HTP_FunctionDef) ? c.get<ast::FunctionDef>(s).decorator_list() : Nodes())
        if (auto call = c.as<ast::Call>(d); call && names_.called(d) == "htp_wsp.schedule" && call.args().size() == 1 &&
                                            c.name_of(call.args()[0]) == f.name)
          return c.report(diag::scheduled_tasks, s, c.get<ast::FunctionDef>(s).name(), f.name)
                     .label(function_, "declared here"),
                 HTP_NONE;
    std::vector<uint32_t> tasks, between;
    Set before; // names bound by tasks
    for (const Node s : f.body) {
      std::string_view text;
      if (auto e = c.as<ast::Expr>(s); e && c.string(e.value(), &text)) continue;
      if (!calls_pipeline(c, names_, root_, s)) {
        between.push_back(s);
        continue;
      }
      if (!between.empty()) tasks.push_back(workload(std::exchange(between, {})));
      tasks.push_back(process({with_blocks(s)}));
    }
    if (!between.empty()) tasks.push_back(workload(std::exchange(between, {})));
    if (c.errors()) return HTP_NONE;
    f.body = tasks;
    for (uint32_t &d : f.decorator_list)
      if (names_.qualified(d) == "htp_wsp.workload") d = c.path(imports_.name("htp_csp", "pipeline", "csp"), d);
    auto m = c.read<ast::Module>(root_);
    const auto at = std::find(m.body.begin(), m.body.end(), uint32_t{function_});
    *at = c.with(function_, f);
    const Node pipeline = *at;
    m.body.insert(at, made_.begin(), made_.end());
    const Node module = c.with(root_, m);
    return in_order(module, pipeline, tasks);
  }

private:
  Nodes parameters() const { return c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args(); }

  std::string free_name(std::string name) {
    while (!taken_.insert(name).second) name += "_";
    return name;
  }

  Node process(std::vector<uint32_t> body) {
    make::FunctionDef f;
    f.name = free_name("task_" + std::to_string(++count_));
    f.args = c.make(make::arguments{}, body[0]);
    const Node origin = body[0];
    f.decorator_list = {c.path(imports_.name("htp_csp", "process", "csp"), origin)};
    f.returns = c.make(make::Constant{.value = {}}, origin);
    f.body = std::move(body);
    return c.make(f, origin);
  }

  // A workload of these statements, and the process that runs it.
  Node workload(std::vector<uint32_t> body) {
    Set mentioned, bound;
    for (const Node s : body) {
      c.each(s, [&](Node n) {
        if (c.is(n, HTP_Name)) mentioned.emplace(c.name_of(n));
      });
      bound.merge(bound_in(c, s));
    }
    // What an earlier task bound is not there any more.
    for (const Node s : body)
      c.each(s, [&](Node n) {
        auto name = c.as<ast::Name>(n);
        if (!name || name.ctx() != HTP_LOAD || bound.contains(name.id())) return;
        const auto at = values_.find(name.id());
        if (at == values_.end()) return;
        auto report = c.report(diag::task_value, n, name.id());
        report.label(at->second, "of another task");
        if (buffers_.contains(name.id()))
          report.hint("tasks share parameters: let `" + std::string(name.id()) +
                      "` be an `InOut` tensor of the workload");
      });
    for (const Node s : body)
      c.each(s, [&](Node n) {
        if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) values_.emplace(name.id(), n);
      });
    for (const Node s : body)
      if (auto made = c.as<ast::Assign>(s); made && names_.called(made.value()) == "htp_tile.buffer")
        buffers_.emplace(c.name_of(made.targets()[0]));
    const Node origin = body[0];
    auto f = c.read<ast::FunctionDef>(function_);
    f.name = free_name(f.name + "_" + std::to_string(count_ + 1));
    auto arguments = c.read<ast::arguments>(f.args);
    std::vector<uint32_t> kept, given;
    for (const Node n : arguments.args)
      if (mentioned.contains(c.get<ast::arg>(n).arg())) {
        kept.push_back(clone(c, n));
        given.push_back(c.name(c.get<ast::arg>(n).arg(), origin));
      }
    arguments.args = kept;
    f.args = c.make(arguments, function_);
    f.decorator_list = {clone(c, f.decorator_list[0])};
    if (f.returns) f.returns = clone(c, f.returns);
    f.body = std::move(body);
    made_.push_back(c.make(f, function_));
    return process({c.statement(c.call(f.name, given, origin), origin)});
  }

  // Loops around a call run in order, over blocks.
  Node with_blocks(Node s) {
    return rewrite(
        c, s,
        [&](Node n) {
          const std::string callee = names_.called(n);
          if (callee != "htp_wsp.P" && callee != "htp_wsp.seq") return n;
          auto call = c.read<ast::Call>(n);
          call.func = c.path(imports_.name("htp_tile", "tiles", "tile"), call.func);
          if (call.args.size() == 1) call.args.push_back(c.integer_node(open_size, n));
          return c.with(n, call);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // ── the order of tasks ──

  // What a process uses: what it stores, by itself or in what it calls.
  Uses uses(Node module, Node process) const {
    Uses found;
    c.each(process, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && tensors_.contains(name.id()))
        found.try_emplace(std::string(name.id()));
    });
    c.each(process, [&](Node n) {
      const auto target = [&](Node t) {
        auto at = c.as<ast::Subscript>(t);
        if (const auto it = at ? found.find(c.name_of(at.value())) : found.end(); it != found.end()) it->second = true;
      };
      if (auto a = c.as<ast::Assign>(n))
        for (const Node t : a.targets()) target(t);
      if (auto a = c.as<ast::AugAssign>(n)) target(a.target());
      auto call = c.as<ast::Call>(n);
      if (!call) return;
      const Node callee = c.function(module, c.name_of(call.func()));
      const Nodes theirs = callee ? c.get<ast::arguments>(c.get<ast::FunctionDef>(callee).args()).args() : Nodes();
      for (size_t k = 0; k < call.args().size(); ++k) {
        const auto it = found.find(c.name_of(call.args()[k]));
        // What is neither a parameter that is read nor an intrinsic's operand may be stored to.
        if (it != found.end() && callee &&
            (k >= theirs.size() || direction_of(c, c.get<ast::arg>(theirs[k]).annotation()) != "In"))
          it->second = true;
      }
      const htp_intrinsic *row = names_.called(n).empty() ? nullptr : c.intrinsic(names_.called(n));
      if (row && std::string_view(row->effects).find("write") != std::string_view::npos && !call.args().empty())
        if (const auto it = found.find(c.name_of(call.args()[0])); it != found.end()) it->second = true;
    });
    return found;
  }

  Node in_order(Node module, Node pipeline, const std::vector<uint32_t> &tasks) {
    std::map<Node, Node> from; // statement of the flat pipeline → the task it came from
    const Node whole = flattened(c, module, pipeline, &from);
    if (!whole) return HTP_NONE;
    const Node flat = c.function(whole, c.get<ast::FunctionDef>(pipeline).name());
    const Program p = read_pipeline(c, whole, flat);
    if (c.errors()) return HTP_NONE;
    struct Task {
      ProcessDeclaration declared;
      size_t number;
      Uses uses;
      std::vector<std::string> before{}; // events that it comes to first
    };
    std::vector<Task> all;
    for (const ProcessDeclaration &declared : p.processes) {
      const auto it = from.find(declared.function);
      const Node task = it == from.end() ? declared.function : it->second;
      const auto number = std::find(tasks.begin(), tasks.end(), uint32_t{task}) - tasks.begin();
      all.push_back({declared, static_cast<size_t>(number), uses(whole, declared.function)});
    }
    std::map<Node, std::string> ends; // processes that others wait for
    std::vector<uint32_t> events;
    for (Task &one : all) {
      int64_t readers = 0;
      for (Task &other : all) {
        const bool waits =
            other.number > one.number && std::any_of(one.uses.begin(), one.uses.end(), [&](const auto &use) {
              const auto it = other.uses.find(use.first);
              return it != other.uses.end() && (use.second || it->second);
            });
        if (!waits) continue;
        if (!one.declared.grid.empty())
          return c.report(diag::grid_task, one.declared.function, one.declared.name, other.declared.name), HTP_NONE;
        if (readers == 0) ends[one.declared.function] = free_name(one.declared.name + "_done");
        readers += position_count(other.declared.grid);
        other.before.push_back(ends[one.declared.function]);
      }
      if (readers == 0) continue;
      std::vector<uint32_t> keywords;
      const Node origin = one.declared.function;
      if (readers > 1)
        keywords.push_back(c.make(make::keyword{.arg = "readers", .value = c.integer_node(readers, origin)}, origin));
      events.push_back(c.assign(ends[origin], HTP_NONE,
                                c.call(imports_.name("htp_csp", "event", "csp"), {}, origin, keywords), origin));
    }
    auto f = c.read<ast::FunctionDef>(flat);
    for (uint32_t &s : f.body)
      for (const Task &task : all) {
        if (s != task.declared.function) continue;
        auto made = c.read<ast::FunctionDef>(s);
        const auto meets = [&](const std::string &event, const char *how) {
          return c.statement(c.call(event + "." + how, {}, task.declared.function), task.declared.function);
        };
        for (auto at = task.before.rbegin(); at != task.before.rend(); ++at)
          made.body.insert(made.body.begin(), meets(*at, "get"));
        if (const auto it = ends.find(task.declared.function); it != ends.end())
          made.body.push_back(meets(it->second, "put"));
        s = c.with(s, made);
        break;
      }
    f.body.insert(f.body.begin(), events.begin(), events.end());
    return drop_unused_imports(c, imports_.apply(with_statement(c, whole, flat, c.with(flat, f))),
                               [](std::string_view path) { return path.starts_with("htp_wsp"); });
  }

  const Context &c;
  const Node root_, function_;
  const Names names_;
  Imports imports_;
  Set taken_, tensors_;
  std::map<std::string, Node, std::less<>> values_; // names that tasks bind
  Set buffers_;                                     // of these, buffers
  std::vector<uint32_t> made_;                      // workloads of what stands between calls
  size_t count_ = 0;
};

// The workload that is compiled, if it calls pipelines: the entry, or what it is a schedule of.
Node workload_of_tasks(const Context &c, const Names &names, Node root) {
  Node function = c.entry_function(root);
  for (std::set<Node> seen; function && seen.insert(function).second;) {
    if (is_workload(c, names, function)) {
      for (const Node s : c.get<ast::FunctionDef>(function).body())
        if (calls_pipeline(c, names, root, s)) return function;
      return HTP_NONE;
    }
    Node of = HTP_NONE;
    for (const Node d : c.get<ast::FunctionDef>(function).decorator_list())
      if (auto call = c.as<ast::Call>(d); call && names.called(d) == "htp_wsp.schedule" && call.args().size() == 1)
        of = c.function(root, c.name_of(call.args()[0]));
    function = of;
  }
  return HTP_NONE;
}

} // namespace

Node outlined(const Context &c, Node root) {
  const Node function = workload_of_tasks(c, Names(c, root), root);
  return function ? Outlining(c, root, function).run() : root;
}

Result outline(const Context &c, Node root, Node &out) {
  if (!workload_of_tasks(c, Names(c, root), root))
    return c.report(diag::no_tasks, c.entry_function(root), c.entry()), HTP_FAILED;
  out = outlined(c, root);
  return c.result();
}

Result has_tasks(const Context &c, std::string_view, Node root) {
  if (workload_of_tasks(c, Names(c, root), root)) return HTP_OK;
  c.report(diag::no_tasks, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

} // namespace htp::csp
