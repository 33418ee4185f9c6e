// What a loop loads again in each of its iterations, from one place of a tensor that its kernel does not store to, is
// loaded before it, where the tiles fit as well then: on cube cores, whose memories keep it twice while the loop goes
// on, before as many loops as may be; on vector cores, where the next one would wait for the loop, before the outermost
// one alone.
#include "allocation/placement.h"
#include "analyses/program.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"

#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

using Words = std::set<std::string, std::less<>>;

class Steady {
public:
  Steady(const Context &context, const Names &names, Node kernel) : c(context), names_(names), kernel_(kernel) {
    c.each(kernel_, [&](Node n) {
      if (auto a = c.as<ast::Assign>(n); a && names_.called(a.value()) == "htp_pto.tile")
        ++declared_[std::string(c.name_of(a.targets()[0]))];
      auto call = c.as<ast::Call>(n);
      const std::string called = call ? names_.called(n) : std::string();
      if (!called.starts_with("htp_pto.t") || called == "htp_pto.tile" || called == "htp_pto.turns") return;
      const std::string_view instruction = std::string_view(called).substr(8);
      if (instruction == "tstore") {
        stored_.emplace(c.name_of(call.args()[0]));
        return;
      }
      ++written_[std::string(c.name_of(call.args()[0]))];
      if (const size_t work = work_of(instruction); work < call.args().size())
        ++written_[std::string(c.name_of(call.args()[work]))];
    });
  }

  Node run() {
    auto with = c.get<ast::With>(kernel_);
    const Node item = c.get<ast::withitem>(with.items()[0]).context_expr();
    cube_ = !c.get<ast::Call>(item).args().empty();
    const std::vector<uint32_t> changed = body(with.body());
    return with_list(c, kernel_, HTP_FIELD(With, body), changed);
  }

private:
  // A body with what its loops need not load again before them.
  std::vector<uint32_t> body(Nodes statements) {
    std::vector<uint32_t> out;
    ++depth_;
    for (const Node s : statements) {
      if (auto l = c.as<ast::For>(s)) {
        std::vector<uint32_t> inner = body(l.body());
        if (cube_ || depth_ == 1) lift(s, inner, out);
        out.push_back(with_list(c, s, HTP_FIELD(For, body), inner));
      } else {
        out.push_back(s);
      }
    }
    --depth_;
    return out;
  }
  // Moves tiles and the loads to them from a loop's body to what stands before it.
  void lift(Node loop, std::vector<uint32_t> &inner, std::vector<uint32_t> &before) {
    Words bound;
    c.each(loop, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) bound.emplace(name.id());
    });
    std::set<Node> moved;
    for (const Node s : inner) {
      auto e = c.as<ast::Expr>(s);
      if (!e || names_.called(e.value()) != "htp_pto.tload") continue;
      const Nodes operands = c.get<ast::Call>(e.value()).args();
      const std::string tile(c.name_of(operands[0]));
      if (declared_[tile] != 1 || written_[tile] != 1 || stored_.contains(c.name_of(operands[1]))) continue;
      const auto declares = [&](Node n) {
        auto a = c.as<ast::Assign>(n);
        return a && c.name_of(a.targets()[0]) == tile && names_.called(a.value()) == "htp_pto.tile";
      };
      const auto declaration = std::find_if(inner.begin(), inner.end(), declares);
      if (declaration == inner.end()) continue;
      bool same = true;
      const auto holds = [&](Node n) {
        c.each(n, [&](Node name) { same &= !c.is(name, HTP_Name) || !bound.contains(c.name_of(name)); });
      };
      holds(c.get<ast::Assign>(*declaration).value());
      for (const Node o : operands.subspan(1)) holds(o);
      if (!same) continue;
      before.push_back(*declaration), before.push_back(s);
      moved.insert(*declaration), moved.insert(s);
    }
    std::erase_if(inner, [&](Node n) { return moved.contains(n); });
  }

  const Context &c;
  const Names &names_;
  Node kernel_;
  std::map<std::string, unsigned, std::less<>> declared_, written_;
  Words stored_;
  bool cube_ = false;
  size_t depth_ = 0;
};

} // namespace

Node hoist_loads(const Context &c, Node root) {
  Placement placement(c, root);
  const Node changed = placement.with_kernels([&](Node kernel) {
    const Node steady = Steady(c, placement.names, kernel).run();
    if (steady == kernel) return kernel;
    Memory::Fit fit = placement.attempt(kernel);
    const auto any = [](const Memory &) { return true; };
    const Node out = c.errors() || fit == Memory::Fit::none ? kernel : placement.better(kernel, steady, fit, any);
    placement.accept();
    return out;
  });
  return changed ? with_statement(c, root, c.entry_function(root), changed) : HTP_NONE;
}

} // namespace htp::a2a3
