// What a `P` loop does along its own blocks: nothing that depends on how large they are.
#include "wsp.h"

#include <algorithm>
#include <utility>

namespace htp::wsp {
namespace {

// The `P` variable that each dimension of a tile is a block of; empty for other extents. Nothing of what is not seen.
using Shape = std::optional<std::vector<std::string>>;

class OwnBlocks {
public:
  OwnBlocks(const Context &context, const Program &program) : c(context), p(program) {
    for (const Loop &loop : loops_of(c, p.names, p.workload))
      if (!loop.ordered && !loop.size) loops_.emplace(loop.variable, loop.statement);
  }

  void run() {
    for (const Node s : c.get<ast::FunctionDef>(p.workload).body())
      c.each(s, [&](Node n) {
        if (c.is(n, HTP_Assign) || c.is(n, HTP_AnnAssign) || c.is(n, HTP_AugAssign)) return bind(n), false;
        if (c.info(n).group != HTP_GROUP_EXPR) return true;
        shape(n);
        return false;
      });
  }

private:
  void bind(Node n) {
    if (auto g = c.as<ast::AugAssign>(n)) return void(joined({g.target(), g.value()}));
    auto a = c.as<ast::Assign>(n);
    const Node target = a ? a.targets()[0] : c.get<ast::AnnAssign>(n).target();
    const Shape found = shape(a ? a.value() : c.get<ast::AnnAssign>(n).value());
    if (c.is(target, HTP_Name)) shapes_[std::string(c.name_of(target))] = found;
  }

  Shape shape(Node n) {
    if (!n) return std::nullopt;
    if (const std::string_view name = c.name_of(n); !name.empty()) {
      const auto it = shapes_.find(name);
      return it == shapes_.end() ? std::nullopt : it->second;
    }
    if (auto s = c.as<ast::Subscript>(n)) {
      auto several = c.as<ast::Tuple>(s.slice());
      const std::vector<Node> one{s.slice()};
      return extents(several ? several.elts() : Nodes(one));
    }
    if (c.is(n, HTP_Call)) return call(n);
    std::vector<Node> operands;
    c.children(n, [&](Node child) {
      if (c.info(child).group == HTP_GROUP_EXPR) operands.push_back(child);
    });
    return joined(operands);
  }

  Shape extents(Nodes indices) const {
    std::vector<std::string> result;
    for (const Node n : indices) {
      const std::string name(c.name_of(n));
      result.push_back(loops_.contains(name) ? name : std::string());
    }
    return result;
  }

  // Extents are equal or 1.
  Shape joined(const std::vector<Node> &operands) {
    Shape result;
    for (const Node n : operands) {
      const Shape one = shape(n);
      if (!one) continue;
      if (!result) result = std::vector<std::string>(one->size());
      if (result->size() != one->size()) return std::nullopt;
      for (size_t d = 0; d < one->size(); ++d)
        if (!(*one)[d].empty()) (*result)[d] = (*one)[d];
    }
    return result;
  }

  Shape call(Node n) {
    auto k = c.get<ast::Call>(n);
    const htp_intrinsic *row = c.intrinsic(p.names.qualified(k.func()));
    const std::string_view rule = row ? row->rule : "";
    uint32_t first = 0;
    while (row && first < row->parameter_count && row->parameters[first].name[0] != '*') ++first;
    if (rule == "load" || rule == "create") return extents(k.args().subspan(std::min<size_t>(first, k.args().size())));
    std::vector<Node> operands(k.args().begin(), k.args().end());
    if (rule == "matmul" && operands.size() > 1) {
      const Shape a = shape(operands[0]), b = shape(operands[1]);
      if (a && !a->empty()) along(n, a->back());
      if (!a || !b || a->empty() || a->size() != b->size()) return std::nullopt;
      Shape result = a;
      result->back() = b->back();
      return result;
    }
    if (rule == "reduce" || rule == "locate" || rule == "scan" || rule == "argsort" || rule == "topk") {
      Shape of = operands.empty() ? std::nullopt : shape(operands[0]);
      int64_t axis = 0;
      for (const Node w : k.keywords())
        if (auto word = c.get<ast::keyword>(w); word.arg() == "axis" && !c.integer(word.value(), &axis)) of.reset();
      if (!of) return std::nullopt;
      if (axis < 0) axis += static_cast<int64_t>(of->size());
      if (axis < 0 || axis >= static_cast<int64_t>(of->size())) return std::nullopt;
      std::string &own = (*of)[static_cast<size_t>(axis)];
      along(n, own);
      if (rule != "scan" && rule != "argsort") own.clear();
      return of;
    }
    if (rule == "transpose" && !operands.empty()) {
      Shape of = shape(operands[0]);
      if (of && of->size() > 1) std::swap((*of)[of->size() - 1], (*of)[of->size() - 2]);
      return of;
    }
    const Shape all = joined(operands);
    const bool same = rule == "elementwise" || rule == "compare" || rule == "select" || rule == "cast";
    return same ? all : std::nullopt;
  }

  void along(Node n, const std::string &variable) {
    if (const auto loop = loops_.find(variable); loop != loops_.end())
      c.report(diag::own_block, n, c.show(c.get<ast::Call>(n).func()), variable)
          .label(c.get<ast::For>(loop->second).iter(), "`P`: blocks of any size");
  }

  const Context &c;
  const Program &p;
  std::map<std::string, Node, std::less<>> loops_;
  std::map<std::string, Shape, std::less<>> shapes_;
};

} // namespace

void check_own_blocks(const Context &c, const Program &p) { OwnBlocks(c, p).run(); }

} // namespace htp::wsp
