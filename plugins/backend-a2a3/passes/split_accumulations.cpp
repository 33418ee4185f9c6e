// A product that is added to a tile which the accumulator of a cube core does not hold meanwhile is a product by
// itself, and an addition behind it, which vector cores do.
#include "analyses/turns.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"

#include <map>

namespace htp::a2a3 {

namespace {

class Accumulations : TurnFinder {
public:
  using TurnFinder::TurnFinder;

  // The function; 0 after a report.
  Node run() {
    items_.push_back({});
    read(c.get<ast::FunctionDef>(function_).body(), 0);
    if (c.errors()) return HTP_NONE;
    uses();
    std::map<Node, std::vector<uint32_t>> apart;
    for (size_t k = 0; k < instructions_.size(); ++k)
      if (instructions_[k].name == "tmatmul_acc" && !adds_up(k))
        apart[items_[instructions_[k].item].node] = taken_apart(instructions_[k]);
    return rewrite(
        c, function_, [](Node n) { return n; },
        [&](Node s, std::vector<uint32_t> &out) {
          const auto it = apart.find(s);
          if (it != apart.end()) out.insert(out.end(), it->second.begin(), it->second.end());
          return it != apart.end();
        });
  }

private:
  // `acc_product = pto.tile(f32, i, j)`, `pto.tmatmul(acc_product, a, b)`, `pto.tadd(acc, acc, acc_product)`
  std::vector<uint32_t> taken_apart(const Instruction &i) const {
    const Value &sum = values_[i.writes];
    const Node origin = items_[i.item].node;
    const std::string product = c.fresh(sum.name + "_product");
    std::vector<uint32_t> extents{copy_of(c, sum.dtype, origin)};
    for (const Node e : sum.extents) extents.push_back(copy_of(c, e, origin));
    const auto statement = [&](const char *callee, std::vector<uint32_t> operands) {
      return c.statement(c.call(callee, std::move(operands), origin), origin);
    };
    return {c.assign(product, HTP_NONE, c.call("pto.tile", std::move(extents), origin), origin),
            statement("pto.tmatmul",
                      {c.name(product, origin), copy_of(c, i.operands[1], origin), copy_of(c, i.operands[2], origin)}),
            statement("pto.tadd", {c.name(sum.name, origin), c.name(sum.name, origin), c.name(product, origin)})};
  }
};

} // namespace

Node split_accumulations(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  const Names names(c, root);
  bool adds = false;
  c.each(function, [&](Node n) { adds |= c.is(n, HTP_Call) && names.called(n) == "htp_pto.tmatmul_acc"; });
  if (!adds) return root;
  const Node changed = Accumulations(c, root, function).run();
  return changed ? with_statement(c, root, function, changed) : HTP_NONE;
}

} // namespace htp::a2a3
