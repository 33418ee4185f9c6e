// wsp.expand: a workload that another entry calls, or a schedule of one, becomes a plain function with the schedule
// applied, and its dims as the caller has them. tile.inline puts it where it is called.
#include "wsp.h"

#include "htp_cpp/calls.h"
#include "htp_cpp/imports.h"

#include <algorithm>

namespace htp::wsp {

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
  return diag::call_tensor;
}

using Set = std::set<std::string, std::less<>>;

class Expanding {
public:
  Expanding(const Context &context, Node root)
      : c(context), root_(root), names_(context, root), constants_(context, root), imports_(context, root, locals()),
        tile_(imports_.module("htp_tile", "tile")) {
    dims_ = dims_of(c, names_, root);
    c.each(root, [&](Node n) {
      if (c.is(n, HTP_Name)) taken_.emplace(c.name_of(n));
      if (auto f = c.as<ast::FunctionDef>(n)) taken_.emplace(f.name());
      if (auto a = c.as<ast::alias>(n)) taken_.emplace(a.asname().empty() ? a.name() : a.asname());
    });
  }

  // The module with plain functions for what entries call; 0 after a report.
  Node run() {
    std::vector<uint32_t> body;
    for (const Node s : c.get<ast::Module>(root_).body()) {
      const bool speaks = scheduled(c, names_, s) || is_combination(c, names_, s); // of a workload, and calls none
      const Node now = c.is(s, HTP_FunctionDef) && !speaks ? function(s, {}) : s;
      // Functions stand before what calls them first.
      body.insert(body.end(), made_.begin() + static_cast<ptrdiff_t>(placed_), made_.end());
      placed_ = made_.size();
      body.push_back(now);
    }
    if (c.errors()) return HTP_NONE;
    if (made_.empty()) return root_;
    auto m = c.read<ast::Module>(root_);
    m.body = std::move(body);
    const Node whole = without_unused(c.with(root_, m));
    return drop_unused_imports(c, imports_.apply(whole),
                               [](std::string_view path) { return path.starts_with("htp_wsp"); });
  }

private:
  Set locals() const {
    Set found;
    c.each(root_, [&](Node n) {
      auto f = c.as<ast::FunctionDef>(n);
      if (!f) return;
      for (const Node s : f.body())
        c.each(s, [&](Node e) {
          if (auto name = c.as<ast::Name>(e); name && name.ctx() == HTP_STORE) found.emplace(name.id());
          if (auto a = c.as<ast::arg>(e)) found.emplace(a.arg());
        });
    });
    return found;
  }

  // A function, in others or not, with the calls of workloads as those of functions.
  Node function(Node f, std::vector<Node> around) {
    around.push_back(f);
    return rewrite(
        c, f,
        [&](Node e) {
          auto call = c.as<ast::Call>(e);
          const Node called = call ? c.function(root_, c.name_of(call.func())) : HTP_NONE;
          const Program p = called ? read_called(c, root_, called) : Program{names_};
          if (!p.workload) return e;
          // The innermost function that the call stands in.
          std::vector<Node> chain = around;
          c.each(f, [&](Node n) {
            if (n != f && c.is(n, HTP_FunctionDef)) {
              bool inside = false;
              c.each(n, [&](Node inner) { inside = inside || inner == e; });
              if (inside) chain.push_back(n);
            }
          });
          const std::string name = plain(e, called, p, chain);
          if (name.empty()) return e;
          auto k = c.read<ast::Call>(e);
          k.func = c.name(name, call.func());
          for (const auto &[parameter, block] : blocks_)
            k.keywords.push_back(c.make(make::keyword{.arg = parameter, .value = c.name(block, e)}, e));
          return c.with(e, k);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  // A parameter of a function around, or a buffer in it.
  std::optional<CallerTensor> tensor(std::string_view name, const std::vector<Node> &around) const {
    for (auto at = around.rbegin(); at != around.rend(); ++at) {
      auto f = c.get<ast::FunctionDef>(*at);
      for (const Node n : c.get<ast::arguments>(f.args()).args()) {
        auto parameter = c.get<ast::arg>(n);
        if (parameter.arg() != name) continue;
        const auto type = read_type(c, parameter.annotation());
        if (!type || type->form != "Tensor") return std::nullopt;
        const std::string direction = direction_of(c, parameter.annotation());
        return CallerTensor{*type, direction.empty() ? "InOut" : direction};
      }
      std::optional<CallerTensor> found;
      for (const Node s : f.body())
        c.each(s, [&](Node n) {
          auto a = c.as<ast::Assign>(n);
          if (!a || a.targets().size() != 1 || c.name_of(a.targets()[0]) != name ||
              names_.called(a.value()) != "htp_tile.buffer")
            return;
          const Nodes arguments = c.get<ast::Call>(a.value()).args();
          if (arguments.empty()) return;
          Type type;
          type.form = "Tensor";
          type.dtype = last_component(c.dotted(arguments[0]));
          for (const Node extent : arguments.subspan(1))
            if (const auto e = read_extent(c, extent)) type.extents.push_back(*e);
          found = CallerTensor{std::move(type), "InOut"};
        });
      if (found) return found;
    }
    return std::nullopt;
  }

  // The name of the plain function that a call means; empty after a report.
  std::string plain(Node call, Node called, const Program &p, const std::vector<Node> &around) {
    const std::string callee(c.get<ast::FunctionDef>(called).name());
    const EntryCall bound = read_entry_call(
        c, constants_, dims_, p.workload, call, [&](std::string_view name) { return tensor(name, around); },
        [](Node, Node) { return std::string(); }); // the language refuses such a parameter
    report_problems(c, bound, callee, p.workload, row_of);
    if (!bound.problems.empty()) return {};
    if (reaches(p.workload, p.workload))
      return c.report(diag::recursive, call, callee).label(p.workload, "declared here"), "";
    std::string key = callee;
    blocks_.clear();
    for (const auto &[dim, extent] : bound.dims) {
      if (is_block(extent)) blocks_.emplace_back(parameter_for(dim, p.workload), extent.name);
      if (dim != extent.text()) key += " " + dim + "=" + (is_block(extent) ? "block" : extent.text());
    }
    const auto [it, fresh] = functions_.try_emplace(key);
    if (!fresh) return it->second;
    used_.insert(callee);
    const Node module_now = applied(c, root_, p);
    if (!module_now) return {};
    const Node workload = c.function(module_now, c.get<ast::FunctionDef>(p.workload).name());
    std::string name = callee + "_tiles";
    for (unsigned k = 1; !taken_.insert(name).second; ++k) name = callee + "_tiles_" + std::to_string(k);
    made_.push_back(as_function(workload, name, bound, module_now));
    return it->second = name;
  }

  // Whether a workload runs another, by what it calls.
  bool reaches(Node from, Node to) const {
    std::vector<Node> open{from};
    for (std::set<Node> seen; !open.empty();) {
      const Node f = open.back();
      open.pop_back();
      bool found = false;
      for (const Node s : c.get<ast::FunctionDef>(f).body())
        c.each(s, [&](Node n) {
          auto call = c.as<ast::Call>(n);
          Node callee = call ? c.function(root_, c.name_of(call.func())) : HTP_NONE;
          if (const Program p = callee ? read_called(c, root_, callee) : Program{names_}; p.workload)
            callee = p.workload;
          found = found || callee == to;
          if (callee && seen.insert(callee).second) open.push_back(callee);
        });
      if (found) return true;
    }
    return false;
  }

  Node as_function(Node workload, const std::string &name, const EntryCall &bound, Node module_now) {
    const Names names_now(c, module_now);
    for (const auto &[local, qualified] : names_now.imports()) // what directives brought along
      if (!names_.imports().contains(local)) brought(local, qualified);
    Node made = with_tiles(c, names_now, clone(c, workload), tile_, c.option_int("size"));
    auto f = c.read<ast::FunctionDef>(made);
    f.name = name;
    f.decorator_list.clear();
    auto parameters = c.read<ast::arguments>(f.args);
    std::map<std::string, std::string, std::less<>> blocks;
    for (const auto &[dim, extent] : bound.dims)
      if (is_block(extent)) blocks.emplace(dim, parameter_for(dim, workload));
    for (uint32_t &n : parameters.args) {
      auto parameter = c.read<ast::arg>(n);
      auto direction = c.as<ast::Subscript>(parameter.annotation);
      if (!direction || direction_of(c, parameter.annotation).empty()) continue;
      parameter.annotation = direction.slice();
      n = c.with(n, parameter);
    }
    for (const auto &[dim, block] : blocks)
      parameters.args.push_back(
          c.make(make::arg{.arg = block, .annotation = c.path(imports_.name("htp", "Block", "htp"), made)}, made));
    f.args = with_extents(c.with(f.args, parameters), bound, blocks);
    for (uint32_t &s : f.body) s = with_extents(s, bound, blocks);
    return c.with(made, f);
  }

  void brought(const std::string &local, const std::string &qualified) {
    const size_t dot = qualified.rfind('.');
    if (dot == std::string::npos)
      imports_.module(qualified, local);
    else
      imports_.name(qualified.substr(0, dot), qualified.substr(dot + 1), local);
  }

  // A dim that is a block of the caller is a parameter.
  std::string parameter_for(const std::string &dim, Node workload) const {
    Set own;
    c.each(workload, [&](Node n) {
      if (c.is(n, HTP_Name)) own.emplace(c.name_of(n));
      if (auto a = c.as<ast::arg>(n)) own.emplace(a.arg());
    });
    std::string name = dim + "_block";
    while (own.contains(name)) name += "_";
    return name;
  }

  // An extent that is neither a number nor made of dims.
  bool is_block(const Extent &e) const {
    return !e.name.empty() && !e.sum() && !dims_.contains(e.name) && !constants_.named(e.name);
  }

  // With what its dims are in the caller. A block stands for a dim in intrinsics of tiles and in types, and its length
  // elsewhere.
  Node with_extents(Node n, const EntryCall &bound,
                    const std::map<std::string, std::string, std::less<>> &blocks) const {
    std::set<Node> whole;
    c.each(n, [&](Node e) {
      auto call = c.as<ast::Call>(e);
      if (call && names_tile(call.func()))
        for (const Node a : call.args()) whole.insert(a);
    });
    return rewrite(
        c, n,
        [&](Node e) -> Node {
          auto name = c.as<ast::Name>(e);
          const auto to = name ? bound.dims.find(name.id()) : bound.dims.end();
          if (to == bound.dims.end() || name.ctx() != HTP_LOAD) return e;
          if (const auto block = blocks.find(name.id()); block != blocks.end()) {
            if (c.is(n, HTP_arguments)) return e; // a hint for readers
            const Node given = c.name(block->second, e);
            return whole.contains(e) ? given : c.call("len", {given}, e);
          }
          return to->second.text() == name.id() ? e : c.parse(to->second.text(), e);
        },
        [](Node, std::vector<uint32_t> &) { return false; });
  }

  bool names_tile(Node function) const {
    const std::string path = c.dotted(function);
    return names_.qualified(function).starts_with("htp_tile.") || path.starts_with(tile_ + ".");
  }

  // Without the workloads that were called and are no longer, nor their schedules.
  Node without_unused(Node root) const {
    for (bool changed = true; changed;) {
      changed = false;
      Set used;
      c.each(root, [&](Node n) {
        if (c.is(n, HTP_Name)) used.emplace(c.name_of(n));
      });
      for (const Node s : c.get<ast::Module>(root).body()) {
        auto f = c.as<ast::FunctionDef>(s);
        if (!f || used.contains(f.name()) || f.name() == c.entry() || !belongs(s)) continue;
        root = with_statement(c, root, s, HTP_NONE);
        changed = true;
        break;
      }
    }
    return root;
  }
  // Whether a function is one that was called, what such a schedule is of, or what a schedule calls.
  bool belongs(Node f) const {
    if (used_.contains(c.get<ast::FunctionDef>(f).name()) || is_combination(c, names_, f)) return true;
    for (const std::string &name : used_)
      for (Node at = c.function(root_, name); at;) {
        if (at == f) return true;
        const Node of = scheduled(c, names_, at);
        at = of ? c.function(root_, c.name_of(of)) : HTP_NONE;
      }
    return false;
  }

  const Context &c;
  const Node root_;
  const Names names_;
  const Constants constants_;
  Imports imports_;
  const std::string tile_;
  Set dims_, taken_, used_;
  std::map<std::string, std::string> functions_; // what is called, with which dims → the function
  std::vector<Node> made_;
  std::vector<std::pair<std::string, std::string>> blocks_; // of the call at hand: parameters, and blocks of the caller
  size_t placed_ = 0;
};

} // namespace

Result expand(const Context &c, Node root, Node &out) {
  // What is made of a workload may call others.
  for (out = root; out;) {
    const Node before = out;
    out = Expanding(c, before).run();
    if (out == before) break;
  }
  return c.result();
}

} // namespace htp::wsp
