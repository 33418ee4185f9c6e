// Loops that all kernels consist of have parts, each of which is a task: loops around the kernels, over blocks that
// their own loops go over then. Where cube cores wait for vector cores, two tasks of these share a part.
#include "analyses/families.h"
#include "analyses/program.h"
#include "analyses/tasks.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <set>

namespace htp::a2a3 {

namespace {

class Splitter {
public:
  Splitter(const Context &context, Node root)
      : c(context), names_(context, root), constants_(context, root), root_(root),
        function_(context.entry_function(root)), imports_(context, root, bound()) {}

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    std::vector<uint32_t> before, memories, kernels;
    std::set<std::string, std::less<>> between;
    for (const Node s : f.body) {
      auto a = c.as<ast::Assign>(s);
      if (a) between.emplace(c.name_of(a.targets()[0]));
      (c.is(s, HTP_With) ? kernels : a ? memories : before).push_back(s);
    }
    tasks_ = tasks_of(c, names_, constants_, function_, kernels, between);
    if (tasks_.loops.empty()) {
      if (auto families = families_of(c, names_, constants_, function_, imports_)) return with_families(*families);
      if (tasks_.few) tasks_.few.report(c, tasks_.where);
      return root_;
    }
    for (uint32_t &k : kernels) {
      const Node item = c.get<ast::withitem>(c.get<ast::With>(k).items()[0]).context_expr();
      const PartLoop *lane = tasks_.lanes && c.get<ast::Call>(item).args().empty() ? &*tasks_.lanes : nullptr;
      k = over_parts(k, lane);
      if (lane) k = around(*lane, tasks_.of(*lane->variables.begin())->name, {k});
    }
    for (auto l = tasks_.loops.rbegin(); l != tasks_.loops.rend(); ++l)
      kernels = {around(*l, l->extent, std::move(kernels))};
    for (const auto &[name, value] : tasks_.ints)
      before.push_back(c.assign(name, HTP_NONE, c.parse(value, function_), function_));
    f.body = std::move(before);
    f.body.insert(f.body.end(), memories.begin(), memories.end());
    f.body.insert(f.body.end(), kernels.begin(), kernels.end());
    return imports_.apply(with_statement(c, root_, function_, c.with(function_, f)));
  }

private:
  // Kernels, each of whose loops has parts of its own.
  Node with_families(FamilyBody &families) {
    auto f = c.read<ast::FunctionDef>(function_);
    f.body = std::move(families.before);
    for (FamilyBody::Kernel &k : families.kernels) {
      if (k.tasks) {
        tasks_ = std::move(*k.tasks);
        k.node = over_parts(k.node, nullptr);
        for (auto l = tasks_.loops.rbegin(); l != tasks_.loops.rend(); ++l) k.node = around(*l, l->extent, {k.node});
      }
      f.body.push_back(k.node);
    }
    return imports_.apply(with_statement(c, root_, function_, c.with(function_, f)));
  }
  std::set<std::string, std::less<>> bound() const {
    std::set<std::string, std::less<>> all;
    c.each(function_, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) all.emplace(name.id());
    });
    return all;
  }
  // `for i_part in tiles(M, i_step):`
  Node around(const PartLoop &l, const std::string &extent, std::vector<uint32_t> body) {
    const Node blocks = c.call(imports_.name("htp_tile", "tiles", "tile"),
                               {c.parse(extent, function_), c.parse(l.step, function_)}, function_);
    return c.make(make::For{.target = c.name(l.name, function_, HTP_STORE), .iter = blocks, .body = std::move(body)},
                  function_);
  }
  // A kernel whose loops go over blocks, or ints, of a part alone, or of a lane.
  Node over_parts(Node kernel, const PartLoop *lane) {
    std::map<Node, Node> ranges;
    c.each(kernel, [&](Node n) {
      auto l = c.as<ast::For>(n);
      const PartLoop *part = l ? tasks_.of(c.name_of(l.target())) : nullptr;
      if (!part) return;
      const std::string &of = lane && lane->variables.contains(c.name_of(l.target())) ? lane->name : part->name;
      const Node range = loop_forms(c, names_, l.iter()).range;
      auto call = c.get<ast::Call>(range);
      std::vector<uint32_t> args{c.name(of, range)};
      if (c.name_of(call.func()) == "range")
        args = {c.parse(of + ".start", range), c.parse(of + ".stop", range)};
      else
        args.push_back(call.args()[1]);
      ranges[range] = with_list(c, range, HTP_FIELD(Call, args), args);
    });
    return rewrite(
        c, kernel,
        [&](Node n) {
          const auto it = ranges.find(n);
          return it == ranges.end() ? n : it->second;
        },
        keep);
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_, function_;
  Imports imports_;
  Tasks tasks_;
};

} // namespace

Node split_tasks(const Context &c, Node root) { return Splitter(c, root).run(); }

} // namespace htp::a2a3
