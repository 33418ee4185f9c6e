// aie.fold_branches: what a constant of the program decides, `if CAUSAL:`.
#include "passes.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/edit.h"

namespace htp::aie {

Node folded_branches(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  bool branches = false;
  if (function) c.each(function, [&](Node n) { branches = branches || c.is(n, HTP_If); });
  if (!branches) return root;
  const sdk::Constants constants(c, root);
  const Node done = rewrite(
      c, function, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        auto f = c.as<ast::If>(s);
        const auto known = f ? constants.number(f.test()) : std::nullopt;
        if (!known) return false;
        const Nodes taken = known->as_double() != 0 ? f.body() : f.orelse();
        out.insert(out.end(), taken.begin(), taken.end());
        return true;
      });
  return with_statement(c, root, function, done);
}

Result verify_folded(const Context &c, std::string_view, Node root) {
  if (folded_branches(c, root) == root) return HTP_OK;
  c.report(diag::branch_left, c.entry_function(root), c.entry());
  return HTP_FAILED;
}

} // namespace htp::aie
