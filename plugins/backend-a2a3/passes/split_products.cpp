// A product whose sum is too long for L0A and L0B goes in steps along it: each takes a part of what L1 holds, and adds
// to what the steps before have made.
#include "analyses/program.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"
#include "htp_cpp/loops.h"

#include <algorithm>
#include <map>
#include <set>

namespace htp::a2a3 {

std::optional<int64_t> step_of_sum(const DType &dtype, int64_t rows, int64_t columns, std::optional<int64_t> sum) {
  const int64_t box = dtype.bytes == 1 ? 32 : 16;
  const auto up = [&](int64_t n) { return sdk::round_up_sat(n, box); };
  const int64_t widest = sdk::mul_sat(up(std::max(rows, columns)), int64_t{dtype.bytes} * 2);
  const int64_t fits = std::max(capacity_of("left") / widest / box, int64_t{1}) * box;
  if (sum && up(*sum) <= fits) return std::nullopt;
  int64_t step = box;
  while (step * 2 <= fits && step < 256) step *= 2;
  return step;
}

namespace {

class Products {
public:
  Products(const Context &context, Node root)
      : c(context), names_(context, root), constants_(context, root), root_(root),
        function_(context.entry_function(root)), imports_(context, root, bound()) {}

  Node run() {
    auto f = c.read<ast::FunctionDef>(function_);
    bool changed = false;
    for (uint32_t &s : f.body)
      if (auto w = c.as<ast::With>(s)) {
        const Node kernel = with_list(c, s, HTP_FIELD(With, body), body(w.body()));
        changed |= kernel != s;
        s = kernel;
      }
    return changed ? imports_.apply(with_statement(c, root_, function_, c.with(function_, f))) : root_;
  }

private:
  // `left = pto.tile(…)`, `pto.tmov(left, …)`, the same of the right one, and the product.
  static constexpr size_t statements = 5;

  std::set<std::string, std::less<>> bound() {
    std::set<std::string, std::less<>> all;
    c.each(function_, [&](Node n) {
      if (auto name = c.as<ast::Name>(n); name && name.ctx() == HTP_STORE) all.emplace(name.id());
    });
    return all;
  }
  ast::Call called(Node s, std::string_view callee) const {
    auto e = c.as<ast::Expr>(s);
    auto a = c.as<ast::Assign>(s);
    const Node value = e ? e.value() : a ? a.value() : HTP_NONE;
    return names_.called(value) == callee ? c.as<ast::Call>(value) : c.as<ast::Call>(HTP_NONE);
  }
  // The most that an extent may be; nothing where it is not known.
  std::optional<int64_t> most(Node extent) const {
    const auto it = loops_.find(c.name_of(extent));
    if (it == loops_.end()) return constants_.integer(extent);
    const Nodes a = c.get<ast::Call>(it->second).args();
    const auto size = constants_.integer(a[1]), of = most(a[0]);
    return size && of ? std::min(*size, *of) : size;
  }

  std::vector<uint32_t> body(Nodes from) {
    std::vector<uint32_t> out;
    for (size_t k = 0; k < from.size(); ++k) {
      const Node s = from[k];
      if (k + statements <= from.size() && step(from.subspan(k, statements), out)) {
        k += statements - 1;
      } else if (auto l = c.as<ast::For>(s)) {
        const Node range = loop_forms(c, names_, l.iter()).range;
        const std::string variable(c.name_of(l.target()));
        if (names_.called(range) == "htp_tile.tiles")
          loops_[variable] = range;
        else
          loops_.erase(variable);
        out.push_back(with_list(c, s, HTP_FIELD(For, body), body(l.body())));
      } else if (auto f = c.as<ast::If>(s)) {
        const Node changed = with_list(c, s, HTP_FIELD(If, body), body(f.body()));
        out.push_back(with_list(c, changed, HTP_FIELD(If, orelse), body(f.orelse())));
      } else {
        out.push_back(s);
      }
    }
    return out;
  }

  // A product as a loop over steps, if it is one that is too long.
  bool step(Nodes s, std::vector<uint32_t> &out) {
    auto left = called(s[0], "htp_pto.tile"), moved_left = called(s[1], "htp_pto.tmov");
    auto right = called(s[2], "htp_pto.tile"), moved_right = called(s[3], "htp_pto.tmov");
    auto choice = c.as<ast::If>(s[4]);
    auto product = called(choice && choice.body().size() == 1 ? choice.body()[0] : s[4], "htp_pto.tmatmul");
    if (!left || !moved_left || !right || !moved_right || !product || left.args().size() != 3 ||
        right.args().size() != 3)
      return false;
    const auto name = [&](Node n) { return c.name_of(c.get<ast::Assign>(n).targets()[0]); };
    if (c.name_of(product.args()[1]) != name(s[0]) || c.name_of(product.args()[2]) != name(s[2])) return false;
    const std::string dtype_name = names_.qualified(left.args()[0]);
    const DType *dtype = dtype_named(dtype_name.substr(dtype_name.rfind('.') + 1));
    const auto rows = most(left.args()[1]), columns = most(right.args()[2]), along = most(left.args()[2]);
    if (!dtype || !rows || !columns || !along) return false;
    const auto size = step_of_sum(*dtype, *rows, *columns, along);
    if (!size) return false;

    const Node origin = s[4], sum = left.args()[2];
    const std::string part = c.fresh("k_step"), extent = c.show(sum);
    const bool block = loops_.contains(extent);
    const std::string at = part + ".start" + (block ? " - " + extent + ".start" : "");
    std::vector<uint32_t> steps;
    for (const bool is_left : {true, false}) {
      const Node declared = s[is_left ? 0 : 2];
      auto tile = c.read<ast::Call>(c.get<ast::Assign>(declared).value());
      tile.args[is_left ? 2 : 1] = c.name(part, declared);
      const Node value = c.get<ast::Assign>(declared).value();
      steps.push_back(with_slot(c, declared, HTP_FIELD(Assign, value), c.with(value, tile)));
      const Nodes moved = (is_left ? moved_left : moved_right).args();
      const Node zero = c.integer_node(0, origin), behind = c.parse(at, origin);
      steps.push_back(c.statement(
          c.call("pto.textract", {moved[0], moved[1], is_left ? zero : behind, is_left ? behind : zero}, origin),
          origin));
    }
    // The first step of a sum writes, the others add.
    std::string first = part + ".start == " + (block && !choice ? extent + ".start" : "0");
    if (choice)
      for (const Node test : tests(choice.test()))
        if (c.dotted(c.get<ast::Compare>(test).left()) != extent + ".start") first += " and " + c.show(test);
    const auto multiply = [&](const char *which) {
      std::vector<uint32_t> operands;
      for (const Node o : product.args()) operands.push_back(copy_of(c, o, origin));
      return c.statement(c.call(which, std::move(operands), origin), origin);
    };
    steps.push_back(c.make(make::If{.test = c.parse(first, origin),
                                    .body = {multiply("pto.tmatmul")},
                                    .orelse = {multiply("pto.tmatmul_acc")}},
                           origin));
    const Node range = c.call(imports_.name("htp_tile", "tiles", "tile"),
                              {copy_of(c, sum, origin), c.integer_node(*size, origin)}, origin);
    out.push_back(
        c.make(make::For{.target = c.name(part, origin, HTP_STORE), .iter = range, .body = std::move(steps)}, origin));
    return true;
  }
  // The comparisons that a test is made of.
  std::vector<Node> tests(Node test) const {
    auto all = c.as<ast::BoolOp>(test);
    if (!all) return {test};
    return {all.values().begin(), all.values().end()};
  }

  const Context &c;
  Names names_;
  sdk::Constants constants_;
  Node root_, function_;
  Imports imports_;
  std::map<std::string, Node, std::less<>> loops_; // over blocks, and their ranges
};

} // namespace

Node split_products(const Context &c, Node root) { return Products(c, root).run(); }

} // namespace htp::a2a3
