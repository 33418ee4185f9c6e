// aie.inline_loops: a loop of one iteration is what stands in it.
#include "passes.h"

#include "analyses/on_device.h"

#include "htp_cpp/edit.h"

namespace htp::aie {

Node inlined_loops(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  const auto on = function ? on_device(c, Names(c, root), function) : std::nullopt;
  if (!on) return root;
  const Node made = rewrite(
      c, on->with, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        auto l = c.as<ast::For>(s);
        auto k = c.as<ast::Call>(l ? l.iter() : HTP_NONE);
        int64_t times = 0;
        if (!k || c.name_of(k.func()) != "range" || k.args().size() != 1 || !c.integer(k.args()[0], &times) ||
            times != 1)
          return false;
        bool counts = false; // its variable
        for (const Node inner : l.body())
          c.each(inner, [&](Node n) { counts = counts || c.name_of(n) == c.name_of(l.target()); });
        if (counts) return false;
        const Nodes body = l.body();
        out.insert(out.end(), body.begin(), body.end());
        return true;
      });
  if (made == on->with) return root;
  // A tile from before a loop may be the block that is acquired beside it now.
  return elided_copies(c, with_statement(c, root, function, with_body(c, function, made)));
}
Result verify_inlined(const Context &c, std::string_view term, Node root) {
  if (verify_elided(c, term, root) != HTP_OK) return HTP_FAILED;
  if (inlined_loops(c, root) == root) return HTP_OK;
  c.report(diag::not_done, c.entry_function(root), "aie.inline_loops", c.entry());
  return HTP_FAILED;
}

} // namespace htp::aie
