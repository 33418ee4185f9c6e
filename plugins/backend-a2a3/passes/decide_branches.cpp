// Branches that a constant decides are taken or gone; a chain of comparisons is one after the other.
#include "passes/passes.h"

#include "htp_cpp/constants.h"

namespace htp::a2a3 {

Node decide_branches(const Context &c, Node root) {
  const sdk::Constants constants(c, root);
  return with_entry(
      c, root,
      [&](Node n) -> Node { // `0 < n < 8` as two comparisons
        auto k = c.as<ast::Compare>(n);
        if (!k || k.ops().size() < 2) return n;
        std::vector<uint32_t> all;
        for (size_t i = 0; i < k.ops().size(); ++i)
          all.push_back(c.make(make::Compare{.left = copy_of(c, i ? k.comparators()[i - 1] : k.left(), n),
                                             .ops = {k.ops()[i]},
                                             .comparators = {copy_of(c, k.comparators()[i], n)}},
                               n));
        return c.make(make::BoolOp{.op = HTP_And, .values = std::move(all)}, n);
      },
      [&](Node s, std::vector<uint32_t> &out) {
        auto f = c.as<ast::If>(s);
        const auto decided = f ? constants.number(f.test()) : std::nullopt;
        if (!decided) return false;
        const Nodes taken = decided->as_double() != 0 ? f.body() : f.orelse();
        out.insert(out.end(), taken.begin(), taken.end());
        return true;
      });
}

} // namespace htp::a2a3
