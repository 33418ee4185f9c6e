// csp.flatten: a pipeline that another one calls is merged into it. Called in the body, its channels and processes
// stand there instead. Called in a process, they stand beside it, each process in the loops and branches that are
// around the call: what a process makes depends on its own past alone, so it need not wait for the others to have
// ended.
#include "flatten.h"

#include "csp.h"

#include "htp_cpp/calls.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/grids.h"
#include "htp_cpp/imports.h"

#include <algorithm>
#include <functional>

namespace htp::csp {

namespace {

// The row of a call's fault.
const DiagKind &row_of(EntryCall::Fault fault) {
  using Fault = EntryCall::Fault;
  switch (fault) {
  case Fault::count: return diag::call_count;
  case Fault::keyword: return diag::call_keyword;
  case Fault::twice: return diag::call_twice;
  case Fault::missing: return diag::call_missing;
  case Fault::tensor: return diag::call_tensor;
  case Fault::dtype: return diag::call_dtype;
  case Fault::extents: return diag::call_extents;
  case Fault::writes: return diag::call_writes;
  case Fault::reads: return diag::call_reads;
  case Fault::alias: return diag::call_alias;
  case Fault::other: break;
  }
  return diag::call_channel;
}

using Set = std::set<std::string, std::less<>>;

// Where a call of a pipeline stands.
struct Around {
  const ProcessDeclaration *process = nullptr; // null: in the pipeline's own body
  std::vector<std::pair<Node, bool>> path{};   // loops and branches, outermost first; whether it is behind an `else`
};

class Flattening {
public:
  Flattening(const Context &context, Node root)
      : c(context), root_(root), names_(context, root), constants_(context, root),
        dims_(read_pipeline(context, root, HTP_NONE).dims) {
    c.each(root, [&](Node n) {
      if (c.is(n, HTP_Name)) taken_.emplace(c.name_of(n));
      if (auto a = c.as<ast::arg>(n)) taken_.emplace(a.arg());
      if (auto a = c.as<ast::alias>(n)) taken_.emplace(a.asname().empty() ? a.name() : a.asname());
      if (auto f = c.as<ast::FunctionDef>(n)) taken_.emplace(f.name());
    });
  }

  // The function without calls of pipelines; 0 after a report.
  Node flat(Node function) {
    if (const auto it = done_.find(function); it != done_.end()) return it->second;
    reading_.push_back(function);
    const Node outer = std::exchange(function_, function);
    const size_t errors = c.errors();
    std::vector<uint32_t> body;
    for (const Node s : c.get<ast::FunctionDef>(function).body()) {
      const size_t before = body.size();
      if (const Node call = pipeline_call(c, names_, root_, s))
        instance(call, {}, body);
      else if (const auto declared = process(s))
        apart(*declared, s, body);
      else
        body.push_back(s);
      for (size_t k = before; k < body.size(); ++k) from_[body[k]] = s;
    }
    function_ = outer;
    reading_.pop_back();
    Node made = HTP_NONE;
    if (c.errors() == errors) made = with_list(c, function, HTP_FIELD(FunctionDef, body), body);
    return done_[function] = made;
  }

  const Set &called() const { return called_; }
  const std::map<Node, Node> &from() const { return from_; }

private:
  std::string free_name(std::string name) {
    while (!taken_.insert(name).second) name += "_";
    return name;
  }

  std::optional<ProcessDeclaration> process(Node s) const {
    auto f = c.as<ast::FunctionDef>(s);
    if (!f) return std::nullopt;
    return read_process(c, names_, constants_, s);
  }

  // ── a call in a process ──

  void apart(const ProcessDeclaration &declared, Node s, std::vector<uint32_t> &body) {
    std::vector<std::pair<Node, Around>> calls;
    Around around{&declared};
    const std::vector<uint32_t> left = without_calls(c.get<ast::FunctionDef>(s).body(), around, calls);
    if (calls.empty()) return body.push_back(s);
    const bool works = std::any_of(left.begin(), left.end(), [&](Node rest) {
      auto e = c.as<ast::Expr>(rest);
      return !c.is(rest, HTP_Pass) && !(e && c.is(e.value(), HTP_Constant));
    });
    if (works) body.push_back(with_list(c, s, HTP_FIELD(FunctionDef, body), left));
    for (const auto &[call, where] : calls) instance(call, where, body);
  }

  // The statements but for calls of pipelines, and what holds nothing else.
  std::vector<uint32_t> without_calls(Nodes statements, Around &around, std::vector<std::pair<Node, Around>> &calls) {
    std::vector<uint32_t> left;
    for (const Node s : statements) {
      if (const Node call = pipeline_call(c, names_, root_, s)) {
        calls.emplace_back(call, around);
        continue;
      }
      const size_t before = calls.size();
      const auto arm = [&](Nodes inner, bool other) {
        around.path.emplace_back(s, other);
        auto rest = without_calls(inner, around, calls);
        around.path.pop_back();
        return rest;
      };
      if (c.is(s, HTP_For) && c.is(c.get<ast::For>(s).iter(), HTP_Call)) { // and not over a channel
        auto f = c.read<ast::For>(s);
        f.body = arm(c.get<ast::For>(s).body(), false);
        if (calls.size() == before)
          left.push_back(s);
        else if (!f.body.empty())
          left.push_back(c.with(s, f));
      } else if (c.is(s, HTP_If)) {
        auto i = c.read<ast::If>(s);
        i.body = arm(c.get<ast::If>(s).body(), false);
        i.orelse = arm(c.get<ast::If>(s).orelse(), true);
        if (calls.size() == before) {
          left.push_back(s);
        } else if (!i.body.empty() || !i.orelse.empty()) {
          if (i.body.empty()) i.body = {c.make(make::Pass{}, s)};
          left.push_back(c.with(s, i));
        }
      } else {
        c.each(s, [&](Node n) {
          if (auto e = c.as<ast::Call>(n); e && is_pipeline_function(c, names_, c.function(root_, c.name_of(e.func()))))
            c.report(c.is(s, HTP_While) || c.is(s, HTP_For) ? diag::called_in_while : diag::called_within, n,
                     c.name_of(e.func()));
        });
        left.push_back(s);
      }
    }
    return left;
  }

  // ── an instance ──

  // A tensor of the function at hand: a parameter.
  std::optional<CallerTensor> tensor(std::string_view name) const {
    for (const Node p : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args()) {
      auto parameter = c.get<ast::arg>(p);
      const std::string direction = direction_of(c, parameter.annotation());
      const auto type = parameter.arg() == name ? read_type(c, parameter.annotation()) : std::nullopt;
      if (type && !direction.empty()) return CallerTensor{*type, direction};
    }
    return std::nullopt;
  }

  // The channel, or the array of channels, that an expression names: of this function's declarations, or parameters.
  struct Named {
    bool array = false;
    std::string dtype;
  };
  std::optional<Named> channel(Node n) const {
    auto at = c.as<ast::Subscript>(n);
    const std::string_view name = c.name_of(at ? at.value() : n);
    std::optional<Named> found;
    for (const Node p : c.get<ast::arguments>(c.get<ast::FunctionDef>(function_).args()).args())
      if (auto parameter = c.get<ast::arg>(p); parameter.arg() == name) found = channel_type(parameter.annotation());
    for (const Node s : c.get<ast::FunctionDef>(function_).body()) {
      auto a = c.as<ast::Assign>(s);
      const std::string callee =
          a && a.targets().size() == 1 && c.name_of(a.targets()[0]) == name ? names_.called(a.value()) : std::string();
      if (!callee.starts_with("htp_csp.")) continue;
      const Nodes arguments = c.get<ast::Call>(a.value()).args();
      const size_t dtype = callee == "htp_csp.channels" ? 1 : 0;
      found = Named{dtype == 1, callee == "htp_csp.event" || arguments.size() <= dtype
                                    ? std::string("None")
                                    : last_component(c.dotted(arguments[dtype]))};
    }
    if (found && at && !found->array) return std::nullopt;
    if (found && at) found->array = false;
    return found;
  }
  // `Channel[f32]`, `Channels[f32]`; of an event `Channel[None]`
  std::optional<Named> channel_type(Node annotation) const {
    auto s = c.as<ast::Subscript>(annotation);
    const std::string form = s ? names_.qualified(s.value()) : std::string();
    if (form != "htp_csp.Channel" && form != "htp_csp.Channels") return std::nullopt;
    auto constant = c.as<ast::Constant>(s.slice());
    return Named{form == "htp_csp.Channels", constant ? c.show(s.slice()) : last_component(c.dotted(s.slice()))};
  }

  void instance(Node call, const Around &around, std::vector<uint32_t> &into) {
    const std::string_view name = c.name_of(c.get<ast::Call>(call).func());
    const Node callee = c.function(root_, name);
    if (std::find(reading_.begin(), reading_.end(), callee) != reading_.end())
      return void(c.report(diag::recursive, call, name).label(callee, "declared here"));
    for (const Node p : c.get<ast::arguments>(c.get<ast::FunctionDef>(callee).args()).args())
      if (around.process && channel_type(c.get<ast::arg>(p).annotation()))
        return void(c.report(diag::channels_of_process, call, name, around.process->name).label(p, "a channel"));
    const Node function = flat(callee);
    if (!function) return;
    called_.emplace(name);
    EntryCall bound = read_entry_call(
        c, constants_, dims_, callee, call, [&](std::string_view one) { return tensor(one); },
        [&](Node parameter, Node argument) -> std::string {
          const auto wanted = channel_type(c.get<ast::arg>(parameter).annotation());
          if (!wanted) return {};
          const auto given = channel(argument);
          if (given && given->array == wanted->array && given->dtype == wanted->dtype) return {};
          return wanted->dtype == "None" ? "an event"
                 : wanted->array         ? "an array of channels of " + wanted->dtype
                                         : "a channel of " + wanted->dtype;
        });
    report_problems(c, bound, name, callee, row_of);
    if (!bound.problems.empty() || !reachable(call, name, around, bound)) return;
    copy(call, function, around, bound, into);
  }

  // Whether what the call needs has a meaning outside of the process it stands in.
  bool reachable(Node call, std::string_view name, const Around &around, const EntryCall &bound) const {
    if (!around.process) return true;
    Set own;
    for (const Node s : c.get<ast::FunctionDef>(around.process->function).body()) own.merge(bound_in(c, s));
    for (const auto &[loop, other] : around.path)
      if (c.is(loop, HTP_For)) own.erase(std::string(c.name_of(c.get<ast::For>(loop).target())));
    bool good = true;
    const auto look = [&](Node n) {
      c.each(n, [&](Node e) {
        if (good && c.is(e, HTP_Name) && own.contains(c.name_of(e))) {
          c.report(diag::value_of_process, e, name, c.name_of(e), around.process->name).label(call, "called here");
          good = false;
        }
      });
    };
    for (const auto &[parameter, argument] : bound.arguments) look(argument);
    for (const auto &[s, other] : around.path)
      look(c.is(s, HTP_For) ? c.get<ast::For>(s).iter() : c.get<ast::If>(s).test());
    return good;
  }

  // The callee's channels and processes, by the names of the caller.
  void copy(Node call, Node function, const Around &around, const EntryCall &bound, std::vector<uint32_t> &into) {
    auto f = c.get<ast::FunctionDef>(function);
    const std::string stem = prefix(std::string(f.name()));
    const std::vector<int64_t> grid = around.process ? around.process->grid : std::vector<int64_t>();
    Set mentioned, declared = bound_in(c, f.args());
    for (const Node s : f.body()) {
      mention(s, mentioned);
      declared.merge(bound_in(c, s));
    }
    if (!stands_apart(call, f.name(), mentioned, declared)) return;
    // What is around has names that the callee may use for something else.
    std::map<std::string, std::string, std::less<>> outer;
    std::vector<std::string> indices;
    const auto own = [&](std::string_view name) {
      if (mentioned.contains(name) && !declared.contains(name))
        outer.try_emplace(std::string(name), free_name(std::string(name)));
    };
    if (around.process)
      for (const std::string &index : around.process->indices) own(index);
    for (const auto &[s, other] : around.path)
      if (c.is(s, HTP_For)) own(c.name_of(c.get<ast::For>(s).target()));
    const auto renamed = [&](const std::string &name) {
      const auto to = outer.find(name);
      return to == outer.end() ? name : to->second;
    };
    if (around.process)
      for (const std::string &index : around.process->indices) indices.push_back(renamed(index));

    std::map<std::string, Node, std::less<>> meanings;
    for (const auto &[parameter, argument] : bound.arguments)
      meanings[parameter] = with_names(c, clone(c, argument), outer);
    for (const auto &[dim, extent] : bound.dims) meanings[dim] = c.parse(extent.text(), call);
    Set lanes; // channels that are arrays now, with one for each instance of the grid
    for (const Node s : f.body()) {
      auto a = c.as<ast::Assign>(s);
      auto process = c.as<ast::FunctionDef>(s);
      const std::string_view name = a ? c.name_of(a.targets()[0]) : process ? process.name() : std::string_view();
      if (name.empty()) continue;
      const std::string fresh = free_name(stem + "_" + std::string(name));
      meanings[std::string(name)] = c.name(fresh, call);
      if (a && !grid.empty()) lanes.insert(fresh);
    }
    for (const Node s : f.body()) {
      if (auto a = c.as<ast::Assign>(s)) {
        Node made = with_meanings(clone(c, s), meanings, {}, {});
        if (!grid.empty()) made = for_each_instance(made, f.name(), s, grid);
        if (!made) return;
        auto declaration = c.read<ast::Assign>(made);
        declaration.targets = {c.name(c.name_of(meanings[std::string(c.name_of(a.targets()[0]))]), s, HTP_STORE)};
        into.push_back(c.with(made, declaration));
      } else if (const auto declared = process(s)) {
        into.push_back(placed(*declared, s, around, meanings, lanes, indices, outer));
      }
    }
  }

  // `stages` of the callee's name, or the next that is free.
  std::string prefix(const std::string &name) {
    const size_t times = ++instances_[name];
    return times == 1 ? name : name + "_" + std::to_string(times);
  }

  void mention(Node n, Set &into) const {
    c.each(n, [&](Node e) {
      if (c.is(e, HTP_Name)) into.emplace(c.name_of(e));
    });
  }

  // What the callee finds in the module must be no name of the caller's.
  bool stands_apart(Node call, std::string_view name, const Set &mentioned, const Set &declared) const {
    Set own = bound_in(c, c.get<ast::FunctionDef>(function_).args());
    for (const Node s : c.get<ast::FunctionDef>(function_).body())
      if (auto a = c.as<ast::Assign>(s)) own.emplace(c.name_of(a.targets()[0]));
    for (const std::string &one : own)
      if (mentioned.contains(one) && !declared.contains(one))
        return c.report(diag::module_name, call, name, one, c.get<ast::FunctionDef>(function_).name()), false;
    return true;
  }

  // The expression or statement with names as they are meant. `indices`: of the instance, for `lanes`.
  Node with_meanings(Node n, const std::map<std::string, Node, std::less<>> &meanings, const Set &lanes,
                     const std::vector<std::string> &indices) const {
    const auto at = [&](Node name, Nodes more) {
      std::vector<uint32_t> all;
      for (const std::string &index : indices) all.push_back(c.name(index, name));
      all.insert(all.end(), more.begin(), more.end());
      const Node slice = all.size() == 1 ? Node{all[0]} : c.make(make::Tuple{.elts = all, .ctx = HTP_LOAD}, name);
      return c.make(make::Subscript{.value = name, .slice = slice, .ctx = HTP_LOAD}, name);
    };
    return rewrite(
        c, n,
        [&](Node e) -> Node {
          if (auto name = c.as<ast::Name>(e); name && name.ctx() == HTP_LOAD) {
            const auto to = meanings.find(name.id());
            if (to == meanings.end()) return e;
            if (lanes.contains(c.name_of(to->second))) return at(c.name(c.name_of(to->second), e), {});
            if (c.is(to->second, HTP_Name))
              return with_slot(c, e, HTP_FIELD(Name, id), c.intern(c.name_of(to->second)));
            return clone(c, to->second);
          }
          // lanes[k] of an array: lanes[w][k] is lanes[w, k]
          auto outer = c.as<ast::Subscript>(e);
          auto inner = outer ? c.as<ast::Subscript>(outer.value()) : ast::Subscript{};
          if (!inner || !lanes.contains(c.name_of(inner.value()))) return e;
          auto tuple = c.as<ast::Tuple>(outer.slice());
          const Node one[] = {outer.slice()};
          return at(inner.value(), tuple ? tuple.elts() : Nodes(one));
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // channel(f32, 8, capacity=1)  →  channels(4, f32, 8, capacity=1); channels(3, …)  →  channels((4, 3), …)
  Node for_each_instance(Node declaration, std::string_view callee, Node origin, const std::vector<int64_t> &grid) {
    auto a = c.get<ast::Assign>(declaration);
    auto call = c.read<ast::Call>(a.value());
    const std::string intrinsic = names_.called(a.value());
    bool fits = intrinsic != "htp_csp.event";
    for (const Node n : call.keywords) fits = fits && c.get<ast::keyword>(n).arg() != "readers";
    if (!fits) {
      c.report(diag::events_in_grid, origin, callee, c.name_of(a.targets()[0]));
      return HTP_NONE;
    }
    std::vector<uint32_t> extents;
    for (const int64_t extent : grid) extents.push_back(c.integer_node(extent, a.value()));
    const bool array = intrinsic == "htp_csp.channels" && !call.args.empty();
    if (array) {
      auto tuple = c.as<ast::Tuple>(call.args[0]);
      const Node one[] = {call.args[0]};
      for (const Node n : tuple ? tuple.elts() : Nodes(one)) extents.push_back(n);
      call.args.erase(call.args.begin());
    } else {
      const std::string path = c.dotted(call.func);
      const size_t dot = path.rfind('.');
      call.func = c.path(dot == std::string::npos ? imports().name("htp_csp", "channels", "csp")
                                                  : path.substr(0, dot + 1) + "channels",
                         a.value());
    }
    const Node first = extents.size() == 1
                           ? Node{extents[0]}
                           : c.make(make::Tuple{.elts = std::move(extents), .ctx = HTP_LOAD}, a.value());
    call.args.insert(call.args.begin(), first);
    return with_slot(c, declaration, HTP_FIELD(Assign, value), c.with(a.value(), call));
  }

  // A process of the callee, in the grid and the loops that are around the call.
  Node placed(const ProcessDeclaration &declared, Node s, const Around &around,
              const std::map<std::string, Node, std::less<>> &meanings, const Set &lanes,
              const std::vector<std::string> &indices, const std::map<std::string, std::string, std::less<>> &outer) {
    Node made = clone(c, s);
    // Its own names that mean something else now: those of arguments, and of what is around.
    Set elsewhere(indices.begin(), indices.end());
    for (const auto &[name, node] : meanings) mention(node, elsewhere);
    for (const auto &[loop, other] : around.path)
      if (c.is(loop, HTP_For)) {
        const std::string target(c.name_of(c.get<ast::For>(loop).target()));
        const auto to = outer.find(target);
        elsewhere.insert(to == outer.end() ? target : to->second);
      }
    std::map<std::string, std::string, std::less<>> renamed;
    Set own = bound_in(c, c.get<ast::FunctionDef>(made).args());
    for (const Node inner : c.get<ast::FunctionDef>(made).body()) own.merge(bound_in(c, inner));
    own.erase("_");
    for (const std::string &local : own)
      if (elsewhere.contains(local) || meanings.contains(local)) renamed[local] = free_name(local);
    auto f = c.read<ast::FunctionDef>(made);
    f.args = with_names(c, f.args, renamed);
    for (uint32_t &inner : f.body) inner = with_meanings(with_names(c, inner, renamed), meanings, lanes, indices);
    // The loops and branches around, from the innermost on.
    for (auto at = around.path.rbegin(); at != around.path.rend(); ++at) {
      const auto &[around_it, other] = *at;
      if (c.is(around_it, HTP_For)) {
        auto loop = c.read<ast::For>(around_it);
        loop.target = with_names(c, clone(c, loop.target), outer);
        loop.iter = with_names(c, clone(c, loop.iter), outer);
        loop.body = std::move(f.body);
        f.body = {c.make(loop, around_it)};
      } else {
        auto branch = c.read<ast::If>(around_it);
        branch.test = with_names(c, clone(c, branch.test), outer);
        if (other) branch.test = c.make(make::UnaryOp{.op = HTP_Not, .operand = branch.test}, branch.test);
        branch.body = std::move(f.body);
        branch.orelse.clear();
        f.body = {c.make(branch, around_it)};
      }
    }
    f.name = std::string(c.name_of(meanings.find(declared.name)->second));
    if (around.process && !around.process->grid.empty()) {
      std::vector<int64_t> grid = around.process->grid;
      grid.insert(grid.end(), declared.grid.begin(), declared.grid.end());
      auto parameters = c.read<ast::arguments>(f.args);
      const Node theirs = c.get<ast::FunctionDef>(around.process->function).args();
      std::vector<uint32_t> all;
      for (const Node n : c.get<ast::arguments>(with_names(c, clone(c, theirs), outer)).args()) all.push_back(n);
      all.insert(all.end(), parameters.args.begin(), parameters.args.end());
      parameters.args = std::move(all);
      f.args = c.with(f.args, parameters);
      for (uint32_t &mark : f.decorator_list) mark = with_grid(c, mark, grid);
    }
    return c.with(made, f);
  }

  Imports &imports() {
    if (!imports_) imports_.emplace(c, root_, Set());
    return *imports_;
  }

public:
  Node with_imports(Node module) const { return imports_ ? imports_->apply(module) : module; }

private:
  const Context &c;
  const Node root_;
  const Names names_;
  const Constants constants_;
  const Set dims_;
  Set taken_, called_;
  std::optional<Imports> imports_;
  std::map<std::string, size_t> instances_;
  std::map<Node, Node> done_, from_;
  std::vector<Node> reading_;
  Node function_ = HTP_NONE; // at hand
};

// The module without the pipelines that were called and are no longer, nor with schedules of them.
Node without_unused(const Context &c, Node root, const Set &called) {
  for (bool changed = true; changed;) {
    changed = false;
    Set used;
    c.each(root, [&](Node n) {
      if (c.is(n, HTP_Name)) used.emplace(c.name_of(n));
    });
    for (const Node s : c.get<ast::Module>(root).body()) {
      auto f = c.as<ast::FunctionDef>(s);
      if (!f || !called.contains(f.name()) || used.contains(f.name()) || f.name() == c.entry()) continue;
      root = with_statement(c, root, s, HTP_NONE);
      changed = true;
      break;
    }
  }
  return root;
}

} // namespace

bool is_pipeline_function(const Context &c, const Names &names, Node function) {
  auto f = c.as<ast::FunctionDef>(function);
  if (!f) return false;
  return std::any_of(f.decorator_list().begin(), f.decorator_list().end(), [&](Node d) {
    return names.qualified(d) == "htp_csp.pipeline" || names.called(d) == "htp_csp.pipeline";
  });
}

Node pipeline_call(const Context &c, const Names &names, Node root, Node statement) {
  auto e = c.as<ast::Expr>(statement);
  auto call = e ? c.as<ast::Call>(e.value()) : ast::Call{};
  const std::string_view name = call ? c.name_of(call.func()) : std::string_view();
  return !name.empty() && is_pipeline_function(c, names, c.function(root, name)) ? e.value() : HTP_NONE;
}

Node flattened(const Context &c, Node root, Node function, std::map<Node, Node> *from) {
  Flattening flattening(c, root);
  const Node made = flattening.flat(function);
  if (!made) return HTP_NONE;
  if (from) *from = flattening.from();
  if (made == function) return root;
  root = with_statement(c, root, function, made);
  return flattening.with_imports(without_unused(c, root, flattening.called()));
}

} // namespace htp::csp
