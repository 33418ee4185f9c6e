// The first product of a sum writes the accumulator and the others add to it, so that nothing fills it with zeros
// before: no instruction of a cube core does.
#include "passes/passes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

namespace {

class Sums {
public:
  Sums(const Context &context, Node root) : c(context), names_(context, root), constants_(context, root) {}

  Node run(Node kernel) {
    writers_.clear(), products_.clear(), zeros_.clear();
    c.each(kernel, [&](Node n) {
      auto e = c.as<ast::Expr>(n);
      if (e && c.is(e.value(), HTP_Call) && !called(n, "tstore")) ++writers_[target(n)];
    });
    const Nodes body = c.get<ast::With>(kernel).body();
    find(body, 0);
    return products_.empty() ? kernel : with_list(c, kernel, HTP_FIELD(With, body), block(body));
  }

private:
  struct Loop {
    std::string variable, start; // of a range
    std::string outer;           // of blocks: what they are blocks of
    bool blocks = false;
  };

  bool called(Node s, std::string_view instruction) const {
    auto e = c.as<ast::Expr>(s);
    return e && names_.called(e.value()) == "htp_pto." + std::string(instruction);
  }
  std::string target(Node s) const {
    const Nodes operands = c.get<ast::Call>(c.get<ast::Expr>(s).value()).args();
    return operands.empty() ? std::string() : std::string(c.name_of(operands[0]));
  }
  bool mentions(Node n, std::string_view name) const {
    bool found = false;
    c.each(n, [&](Node child) { found |= c.is(child, HTP_Name) && c.name_of(child) == name; });
    return found;
  }
  bool is_zero(Node s) const {
    if (!called(s, "texpands")) return false;
    const Nodes operands = c.get<ast::Call>(c.get<ast::Expr>(s).value()).args();
    const auto n = operands.size() == 2 ? constants_.number(operands[1]) : std::nullopt;
    return n && n->as_double() == 0;
  }
  // The only statement in loops that mentions a tile, if it adds a product to it.
  Node product_in(Node s, std::string_view name) const {
    if (called(s, "tmatmul_acc") && target(s) == name) return s;
    auto l = c.as<ast::For>(s);
    Node found = HTP_NONE;
    if (l && !mentions(l.iter(), name))
      for (const Node n : l.body())
        if (mentions(n, name)) {
          if (found) return HTP_NONE;
          found = product_in(n, name);
          if (!found) return HTP_NONE;
        }
    return found;
  }

  // Zeros whose first reader is a product that adds to them, and what else writes there is nothing.
  void find(Nodes body, size_t loops) {
    std::set<std::string, std::less<>> declared;
    for (size_t k = 0; k < body.size(); ++k) {
      if (auto a = c.as<ast::Assign>(body[k])) declared.emplace(c.name_of(a.targets()[0]));
      if (auto l = c.as<ast::For>(body[k])) find(l.body(), loops + 1);
      if (auto f = c.as<ast::If>(body[k])) find(f.body(), loops), find(f.orelse(), loops);
      const std::string name = is_zero(body[k]) ? target(body[k]) : std::string();
      if (writers_[name] != 2 || !declared.contains(name)) continue;
      const auto next = std::find_if(body.begin() + static_cast<ptrdiff_t>(k) + 1, body.end(),
                                     [&](Node s) { return mentions(s, name); });
      const Node product = next == body.end() ? HTP_NONE : product_in(*next, name);
      if (!product) continue;
      zeros_.insert(body[k]);
      products_[product] = loops;
    }
  }

  Loop loop(ast::For l) const {
    const Node range = loop_forms(c, names_, l.iter()).range;
    auto call = c.as<ast::Call>(range);
    const Nodes a = call ? call.args() : Nodes();
    const bool blocks = names_.called(range) == "htp_tile.tiles";
    return {std::string(c.name_of(l.target())), !blocks && a.size() > 1 ? text(a[0]) : "0",
            blocks && !a.empty() ? std::string(c.name_of(a[0])) : std::string(), blocks};
  }
  std::vector<uint32_t> block(Nodes body) {
    std::vector<uint32_t> out;
    for (const Node s : body) {
      if (auto l = c.as<ast::For>(s)) {
        loops_.push_back(loop(l));
        out.push_back(with_list(c, s, HTP_FIELD(For, body), block(l.body())));
        loops_.pop_back();
      } else if (auto f = c.as<ast::If>(s)) {
        const Node changed = with_list(c, s, HTP_FIELD(If, body), block(f.body()));
        out.push_back(with_list(c, changed, HTP_FIELD(If, orelse), block(f.orelse())));
      } else if (const auto product = products_.find(s); product != products_.end()) {
        out.push_back(first_writes(s, product->second));
      } else if (!zeros_.contains(s)) {
        out.push_back(s);
      }
    }
    return out;
  }
  // `if k.start == 0: pto.tmatmul(…)`, `else: pto.tmatmul_acc(…)`, by the loops from one on around the product.
  Node first_writes(Node s, size_t from) const {
    std::string condition;
    std::set<size_t> seen; // loops over blocks of which an inner loop goes over
    for (size_t n = loops_.size(); n-- > from;) {
      const Loop &l = loops_[n];
      size_t outer = loops_.size();
      for (size_t k = 0; k < n && l.blocks; ++k)
        if (loops_[k].variable == l.outer) outer = k;
      const bool known = outer < loops_.size();
      if (!seen.contains(n))
        condition += (condition.empty() ? "" : " and ") +
                     (!l.blocks ? l.variable + " == " + l.start
                                : l.variable + ".start == " + (known && outer >= from ? l.outer + ".start" : "0"));
      if (known) seen.insert(outer);
    }
    const auto multiply = [&](const char *callee) {
      std::vector<uint32_t> operands;
      for (const Node o : c.get<ast::Call>(c.get<ast::Expr>(s).value()).args()) operands.push_back(copy_of(c, o, s));
      return c.statement(c.call(callee, std::move(operands), s), s);
    };
    if (condition.empty()) return multiply("pto.tmatmul");
    return c.make(make::If{.test = c.parse(condition, s),
                           .body = {multiply("pto.tmatmul")},
                           .orelse = {multiply("pto.tmatmul_acc")}},
                  s);
  }
  std::string text(Node n) const {
    const auto number = constants_.integer(n);
    return number ? std::to_string(*number) : c.show(n);
  }

  const Context &c;
  const Names names_;
  const sdk::Constants constants_;
  std::map<std::string, unsigned, std::less<>> writers_;
  std::map<Node, size_t> products_; // and in how many loops the zeros stand that it adds to
  std::set<Node> zeros_;
  std::vector<Loop> loops_; // around
};

} // namespace

Node initialize_accumulators(const Context &c, Node root) {
  Sums sums(c, root);
  return with_cube_kernels(c, root, [&](Node kernel) { return sums.run(kernel); });
}

} // namespace htp::a2a3
