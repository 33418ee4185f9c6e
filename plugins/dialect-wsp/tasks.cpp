// wsp.tasks: a workload's tasks and what each needs of the others, as JSON (decision 0008). One row of the entry; and
// for each task, at its statement, its id. A task is a loop, a call, or the statements between these; a loop over
// several loops or calls has tasks of its own.
#include "wsp.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace htp::wsp {

namespace {

using nlohmann::ordered_json;

// A place of a tensor that a task touches, in a call where the index is not known.
struct Touch {
  TensorAccess access;
  std::string text;
};

struct Task {
  std::string id, name;
  const char *kind;
  std::vector<Node> statements;
  std::vector<Touch> touches = {};
  std::vector<std::string> waits = {}; // tensors to which copies are on their way that it waits for
  std::optional<Loop> loop = {};       // over blocks, the outermost
  std::set<std::string> own = {};
};

class Tasks {
public:
  Tasks(const Context &context, Node root, const Program &program)
      : c(context), root_(root), p_(program), t_(context, program.names, root, program.workload),
        loops_(loops_of(context, program.names, program.workload)) {}

  ordered_json run(const Sink &sink) {
    auto f = c.get<ast::FunctionDef>(p_.workload);
    ordered_json json{{"entry", c.entry()}};
    auto tensors = ordered_json::array();
    for (const Node n : c.get<ast::arguments>(f.args()).args()) {
      auto a = c.get<ast::arg>(n);
      if (const std::string direction = direction_of(c, a.annotation()); !direction.empty())
        tensors.push_back({{"name", a.arg()}, {"type", type_text(a.arg())}, {"is", direction}});
    }
    for (const auto &[name, at] : t_.bound())
      if (t_.buffer_binding(name)) tensors.push_back({{"name", name}, {"type", type_text(name)}, {"is", "buffer"}});
    json["tensors"] = tensors;
    json.update(level(f.body(), "", HTP_NONE, sink));
    return json;
  }

private:
  // ── what is a task ────────────────────────────────────────────────────────────────────────────────────────────────

  bool is_loop(Node s) const { return c.is(s, HTP_For) || c.is(s, HTP_While); }

  Node called_function(Node n) const {
    auto call = c.as<ast::Call>(n);
    return call ? c.function(root_, c.name_of(call.func())) : HTP_NONE;
  }
  Node called_entry(Node s) const {
    auto e = c.as<ast::Expr>(s);
    const Node f = e ? called_function(e.value()) : HTP_NONE;
    return f && !c.get<ast::FunctionDef>(f).decorator_list().empty() ? f : HTP_NONE;
  }

  Nodes body_of(Node s) const {
    if (auto f = c.as<ast::For>(s)) return f.body();
    return c.is(s, HTP_While) ? c.get<ast::While>(s).body() : Nodes();
  }

  // Of a loop that holds nothing but a loop, that one and so on: the loop whose body has tasks of its own; 0: none has.
  Node with_tasks(Node s) const {
    for (Node at = s; is_loop(at);) {
      size_t count = 0, others = 0;
      Node inner = HTP_NONE;
      for (const Node n : body_of(at)) {
        if (is_loop(n) || called_entry(n))
          inner = n, ++count;
        else if (!is_none(n))
          ++others;
      }
      if (count > 1 || (count == 1 && others && with_tasks(inner))) return at;
      if (count != 1 || others) return HTP_NONE;
      at = inner;
    }
    return HTP_NONE;
  }

  // Says nothing of what is computed: a docstring, the making of a buffer.
  bool is_none(Node s) const {
    std::string_view text;
    if (c.is(s, HTP_Pass)) return true;
    if (auto e = c.as<ast::Expr>(s)) return c.string(e.value(), &text);
    auto a = c.as<ast::Assign>(s);
    auto n = c.as<ast::AnnAssign>(s);
    const Node target = a ? a.targets()[0] : n ? n.target() : HTP_NONE;
    return target && c.is(target, HTP_Name) && t_.buffer_binding(c.name_of(target)) == s;
  }

  std::vector<Task> tasks_of(Nodes body, const std::string &prefix) const {
    std::vector<Task> found;
    std::map<std::string, int> named;
    const auto add = [&](std::string name, const char *kind, Node s) -> Task & {
      const int before = named[name]++;
      if (before) name += "_" + std::to_string(before + 1);
      return found.emplace_back(Task{prefix + std::to_string(found.size() + 1), name, kind, {s}});
    };
    for (const Node s : body) {
      if (is_none(s)) continue;
      if (auto f = c.as<ast::For>(s)) {
        Task &task = add(std::string(c.name_of(f.target())), "loop", s);
        for (const Loop &loop : loops_)
          if (loop.statement == s) task.loop = loop;
        if (!task.loop) task.loop = sized(s);
        task.own = t_.blocks_of(s, std::string(c.name_of(f.target())));
      } else if (auto w = c.as<ast::While>(s)) {
        add("while " + c.show(w.test()), "loop", s);
      } else if (const Node callee = called_entry(s)) {
        add(std::string(c.get<ast::FunctionDef>(callee).name()), "call", s);
      } else if (auto i = c.as<ast::If>(s)) {
        add("if " + c.show(i.test()), "choice", s);
      } else if (!found.empty() && std::string_view(found.back().kind) == "statements") {
        found.back().statements.push_back(s);
      } else {
        add("", "statements", s);
      }
    }
    for (Task &task : found) {
      if (std::string_view(task.kind) == "statements") task.name = made_by(task.statements);
      for (const Node s : task.statements) collect(s, task.touches);
      std::erase_if(task.touches, [&](const Touch &touch) { return made_in(task.statements, touch.access.tensor); });
    }
    wait_for_copies(found);
    return found;
  }

  // What a barrier, or a wait, has waited for is there: that task stands between the copies and what reads them.
  void wait_for_copies(std::vector<Task> &tasks) const {
    std::vector<std::pair<std::string, std::string>> begun; // tensor, token
    for (Task &task : tasks) {
      std::vector<std::pair<std::string, std::string>> own;
      for (const Node s : task.statements)
        c.each(s, [&](Node n) {
          auto a = c.as<ast::Assign>(n);
          auto call = c.as<ast::Call>(a ? a.value() : n);
          const std::string callee = call ? p_.names.called(call.node) : std::string();
          if (callee == "htp_tile.copy_async" && !call.args().empty())
            own.emplace_back(c.name_of(call.args()[0]), a ? c.name_of(a.targets()[0]) : std::string_view());
          if (callee != "htp_tile.barrier" && callee != "htp_tile.wait") return;
          const std::string token(callee == "htp_tile.wait" && !call.args().empty() ? c.name_of(call.args()[0]) : "");
          for (const auto &[tensor, known_as] : begun) {
            if (!token.empty() && !known_as.empty() && token != known_as) continue;
            if (std::ranges::find(task.waits, tensor) != task.waits.end()) continue;
            task.waits.push_back(tensor);
            for (const bool writes : {false, true}) task.touches.push_back({{n, tensor, writes, {}}, c.show(n)});
          }
        });
      begun.insert(begun.end(), own.begin(), own.end());
    }
  }

  // A loop of a kernel that is a task, over blocks as those of a workload are; nothing for others.
  std::optional<Loop> sized(Node s) const {
    const Node range = loop_forms(c, p_.names, c.get<ast::For>(s).iter()).range;
    auto call = c.as<ast::Call>(range);
    if (!call || p_.names.called(range) != "htp_tile.tiles" || call.args().size() != 2) return std::nullopt;
    Loop loop;
    loop.statement = s;
    loop.call = range;
    loop.extent = call.args()[0];
    loop.size = call.args()[1];
    return loop;
  }

  // What statements bind and store, each once.
  std::string made_by(const std::vector<Node> &statements) const {
    std::vector<std::string> names;
    for (const Node s : statements)
      c.each(s, [&](Node n) {
        std::string name;
        if (auto x = c.as<ast::Name>(n); x && x.ctx() == HTP_STORE) name = x.id();
        if (auto x = c.as<ast::Subscript>(n); x && x.ctx() == HTP_STORE) name = c.name_of(x.value());
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      });
    if (auto e = c.as<ast::Expr>(statements[0]); e && names.empty()) return c.show(e.value());
    return names.empty() ? "statements" : join(names, ", ", [](const std::string &name) { return name; });
  }

  // ── what a task touches ───────────────────────────────────────────────────────────────────────────────────────────

  bool is_tensor(std::string_view name) const {
    const auto type = t_.tensor_type(name);
    return type && type->rank() > 0;
  }

  void collect(Node s, std::vector<Touch> &into) const {
    c.each(s, [&](Node n) {
      if (auto a = tensor_access(c, p_.names, n); a && is_tensor(a->tensor)) {
        into.push_back({*a, c.show(n)});
        auto updated = c.as<ast::AugAssign>(s); // `y[i] += x` reads as well
        if (updated && updated.target() == n) a->writes = false, into.push_back({std::move(*a), c.show(n)});
        return;
      }
      Node callee = called_function(n);
      if (!callee) return;
      if (const Program called = read_called(c, root_, callee); called.workload) callee = called.workload;
      auto call = c.get<ast::Call>(n);
      const Nodes parameters = c.get<ast::arguments>(c.get<ast::FunctionDef>(callee).args()).args();
      const auto given = [&](Node argument, Node parameter) {
        const std::string name(c.name_of(argument));
        if (name.empty() || !is_tensor(name)) return;
        const std::string direction = parameter ? direction_of(c, c.get<ast::arg>(parameter).annotation()) : "";
        const std::string text = c.show(n);
        if (direction != "Out") into.push_back({{n, name, false, {}}, text});
        if (direction != "In" && (!direction.empty() || stores(callee, parameter)))
          into.push_back({{n, name, true, {}}, text});
      };
      for (size_t k = 0; k < call.args().size(); ++k)
        given(call.args()[k], k < parameters.size() ? parameters[k] : HTP_NONE);
      for (const Node k : call.keywords()) {
        auto keyword = c.get<ast::keyword>(k);
        const auto at = std::find_if(parameters.begin(), parameters.end(),
                                     [&](Node q) { return c.get<ast::arg>(q).arg() == keyword.arg(); });
        given(keyword.value(), at == parameters.end() ? HTP_NONE : *at);
      }
    });
  }

  // Whether a plain function may store to what it is given: it does, or hands it on.
  bool stores(Node function, Node parameter) const {
    if (!parameter) return true;
    const std::string_view name = c.get<ast::arg>(parameter).arg();
    bool found = false;
    for (const Node s : c.get<ast::FunctionDef>(function).body())
      c.each(s, [&](Node n) {
        if (const auto a = tensor_access(c, p_.names, n)) found = found || (a->tensor == name && a->writes);
        if (!called_function(n)) return;
        for (const Node a : c.get<ast::Call>(n).args()) found = found || c.name_of(a) == name;
      });
    return found;
  }

  // ── what tasks need of each other ─────────────────────────────────────────────────────────────────────────────────

  // What the second needs by its outermost loop's blocks: "same", the first's block of the same number; "overlapping",
  // those over the same indices; "around", those beside them as well; else "whole".
  std::string overlap(const Task &first, const Touch &a, const Task &second, const Touch &b) const {
    if (!first.loop || !second.loop) return "whole";
    const auto over = [&](const Loop &l) { return c.show(l.extent) + " " + (l.size ? c.show(l.size) : std::string()); };
    const auto plain = [&](Node n, const Task &task) { return task.own.contains(std::string(c.name_of(n))); };
    std::string found = "whole";
    for (size_t k = 0; k < std::min(a.access.index.size(), b.access.index.size()); ++k) {
      const Node at = a.access.index[k], other = b.access.index[k];
      if (plain(at, first) && plain(other, second))
        return over(*first.loop) == over(*second.loop) ? "same" : "overlapping";
      if (mentions(at, first.own) && mentions(other, second.own)) found = "around";
    }
    return found;
  }
  bool mentions(Node n, const std::set<std::string> &names) const {
    bool found = false;
    c.each(n, [&](Node e) { found = found || names.contains(std::string(c.name_of(e))); });
    return found;
  }

  static int rank(std::string_view overlap) {
    return overlap == "whole" ? 3 : overlap == "around" ? 2 : overlap == "overlapping" ? 1 : 0;
  }

  // Of each tensor the strongest reason: a value, then a place that is read before it is stored, then one stored twice.
  void tensors_between(const Task &first, const Task &second, bool carried, const std::set<std::string> &apart,
                       ordered_json &edges) const {
    struct Reason {
      int kind = 0; // 2: a value, 1: read before, 0: stored twice
      std::string needs, from, to;
    };
    std::map<std::string, Reason> reasons;
    std::vector<std::string> order;
    for (const Touch &a : first.touches)
      for (const Touch &b : second.touches) {
        if (a.access.tensor != b.access.tensor || (!a.access.writes && !b.access.writes)) continue;
        if (carried && at_own_blocks(a, b, apart)) continue;
        const int kind = a.access.writes && !b.access.writes ? 2 : a.access.writes ? 0 : 1;
        const Reason reason{kind, carried ? "whole" : overlap(first, a, second, b), a.text, b.text};
        const auto [it, fresh] = reasons.try_emplace(a.access.tensor, reason);
        if (fresh) order.push_back(a.access.tensor);
        Reason &known = it->second;
        if (kind > known.kind || (kind == known.kind && rank(reason.needs) > rank(known.needs))) known = reason;
      }
    for (const std::string &tensor : order) {
      const Reason &r = reasons.at(tensor);
      constexpr const char *kinds[] = {"output", "anti", "flow"};
      edge(edges, first, second, tensor, kinds[r.kind], r.needs, r.from, r.to, carried);
    }
  }

  // What iterations of the loop around touch at its own blocks, no other iteration does.
  bool at_own_blocks(const Touch &a, const Touch &b, const std::set<std::string> &own) const {
    for (size_t k = 0; k < std::min(a.access.index.size(), b.access.index.size()); ++k)
      if (own.contains(std::string(c.name_of(a.access.index[k]))) &&
          own.contains(std::string(c.name_of(b.access.index[k]))))
        return true;
    return false;
  }

  static void edge(ordered_json &edges, const Task &first, const Task &second, const std::string &name,
                   const char *kind, const std::string &needs, const std::string &from, const std::string &to,
                   bool carried) {
    edges.push_back({{"from", first.id},
                     {"to", second.id},
                     {"of", name},
                     {"kind", kind},
                     {"needs", needs},
                     {"first", from},
                     {"second", to},
                     {"carried", carried}});
  }

  // Values by name: what a task binds last before another one reads it.
  void names_between(const std::vector<Task> &tasks, bool again, ordered_json &edges) const {
    const Flows flows(c);
    std::map<std::string, size_t> last;
    std::vector<std::map<std::string, Node>> exposed;
    std::vector<std::set<std::string>> bound;
    for (const Task &task : tasks) {
      exposed.push_back(flows.of(task.statements).exposed);
      std::set<std::string> &mine = bound.emplace_back();
      for (const Node s : task.statements)
        c.each(s, [&](Node n) {
          if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) mine.emplace(name.id());
        });
    }
    const auto is_value = [&](const std::string &name) { return !is_tensor(name); };
    for (int round = 0; round < (again ? 2 : 1); ++round)
      for (size_t k = 0; k < tasks.size(); ++k) {
        for (const auto &[name, at] : exposed[k])
          if (const auto it = last.find(name); it != last.end() && is_value(name) && (round == 0 || it->second >= k))
            edge(edges, tasks[it->second], tasks[k], name, "flow", "whole", name, name, round > 0);
        for (const std::string &name : bound[k]) last[name] = k;
        if (round > 0) // what this iteration binds is no longer the one before's
          for (const std::string &name : flows.of(tasks[k].statements).bound) last.erase(name);
      }
  }

  // ── as JSON ───────────────────────────────────────────────────────────────────────────────────────────────────────

  std::string type_text(std::string_view name) const {
    const auto type = t_.tensor_type(name);
    if (!type) return {};
    std::string text = type->dtype;
    for (const Extent &e : type->extents) text += ", " + e.text();
    return text;
  }

  // A loop, and what it holds when that is one loop more.
  ordered_json loops(Node s) const {
    auto found = ordered_json::array();
    for (Node at = s; at;) {
      ordered_json one;
      if (auto f = c.as<ast::For>(at)) {
        const LoopForms forms = loop_forms(c, p_.names, f.iter());
        one["name"] = c.name_of(f.target());
        one["over"] = c.show(forms.range);
        std::string how;
        for (const Node w : forms.wrappers) {
          auto call = c.get<ast::Call>(w);
          how += (how.empty() ? "" : ", ") + last_component(c.dotted(call.func()));
          for (const Node k : call.keywords()) {
            auto keyword = c.get<ast::keyword>(k);
            std::string_view text;
            how += " " + std::string(keyword.arg()) + "=" +
                   (c.string(keyword.value(), &text) ? std::string(text) : c.show(keyword.value()));
          }
        }
        if (!how.empty()) one["runs"] = how;
      } else {
        one["over"] = "while " + c.show(c.get<ast::While>(at).test());
      }
      found.push_back(std::move(one));
      Node inner = HTP_NONE;
      size_t count = 0;
      for (const Node n : body_of(at))
        if (is_loop(n)) inner = n, ++count;
      at = count == 1 && with_tasks(s) != at ? inner : HTP_NONE;
    }
    return found;
  }

  static ordered_json names_of(const std::vector<Touch> &touches, bool written) {
    auto names = ordered_json::array();
    for (const Touch &touch : touches)
      if (touch.access.writes == written && std::find(names.begin(), names.end(), touch.access.tensor) == names.end())
        names.push_back(touch.access.tensor);
    return names;
  }

  // The tasks of a body and what they need of each other. `around`: the loop whose body it is.
  ordered_json level(Nodes body, const std::string &prefix, Node around, const Sink &sink) {
    const std::vector<Task> tasks = tasks_of(body, prefix);
    auto edges = ordered_json::array();
    for (size_t k = 0; k < tasks.size(); ++k)
      for (size_t j = 0; j < k; ++j) tensors_between(tasks[j], tasks[k], false, {}, edges);
    const bool again = around && in_order(around);
    if (again) {
      auto f = c.as<ast::For>(around);
      const auto own = f ? t_.blocks_of(around, std::string(c.name_of(f.target()))) : std::set<std::string>();
      std::vector<Task> kept = tasks; // a buffer of the iteration's own is no other iteration's
      for (Task &task : kept)
        std::erase_if(task.touches, [&](const Touch &touch) { return made_in(body, touch.access.tensor); });
      for (size_t k = 0; k < kept.size(); ++k)
        for (size_t j = 0; j <= k; ++j) tensors_between(kept[k], kept[j], true, own, edges);
    }
    names_between(tasks, again, edges);

    // The longest way there: what has the same number has no other way to it.
    std::map<std::string, int> after;
    for (const Task &task : tasks)
      for (const auto &e : edges)
        if (!e["carried"].get<bool>() && e["to"] == task.id)
          after[task.id] = std::max(after[task.id], after[e["from"].get<std::string>()] + 1);
    auto listed = ordered_json::array();
    for (const Task &task : tasks) {
      sink.string(task.statements[0], task.id);
      ordered_json one{{"id", task.id}, {"name", task.name}, {"kind", task.kind}, {"after", after[task.id]}};
      if (is_loop(task.statements[0])) one["loops"] = loops(task.statements[0]);
      if (std::string_view(task.kind) == "call") one["call"] = c.show(task.statements[0]);
      std::vector<Touch> own = task.touches; // without what it waits for
      std::erase_if(own, [&](const Touch &touch) {
        auto call = c.as<ast::Call>(touch.access.at);
        const std::string callee = call ? p_.names.called(call.node) : std::string();
        return callee == "htp_tile.barrier" || callee == "htp_tile.wait";
      });
      one["reads"] = names_of(own, false);
      one["writes"] = names_of(own, true);
      if (!task.waits.empty()) one["waits"] = task.waits;
      if (const Node loop = with_tasks(task.statements[0])) one.update(level(body_of(loop), task.id + ".", loop, sink));
      listed.push_back(std::move(one));
    }
    return {{"tasks", listed}, {"dependences", edges}};
  }

  // Whether the iterations of a loop may need what earlier ones made.
  bool in_order(Node loop) const {
    for (const Loop &known : loops_)
      if (known.statement == loop) return known.ordered;
    auto f = c.as<ast::For>(loop);
    return !f || !loop_forms(c, p_.names, f.iter()).parallel;
  }
  // Whether it is a buffer that these statements make.
  bool made_in(Nodes body, std::string_view tensor) const {
    const Node binding = t_.buffer_binding(tensor);
    bool found = false;
    for (const Node s : body) c.each(s, [&](Node n) { found = found || n == binding; });
    return binding && found;
  }

  const Context &c;
  const Node root_;
  const Program &p_;
  const Transform t_;
  const std::vector<Loop> loops_;
};

} // namespace

Result tasks(const Context &c, Node root, const Sink &sink) {
  if (c.cancelled()) return HTP_CANCELLED;
  const Program p = read_program(c, root, false);
  if (!p.workload) return c.report(diag::no_tasks, c.entry_function(root), c.entry()), HTP_FAILED;
  sink.string(c.entry_function(root), Tasks(c, root, p).run(sink).dump());
  return c.result();
}

} // namespace htp::wsp
