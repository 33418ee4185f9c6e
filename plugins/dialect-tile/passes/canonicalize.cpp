// tile.canonicalize: expressions become one call a statement, each result with a name.
#include "passes/canonicalizer.h"

#include "passes/passes.h"

namespace htp::tile {

Result canonicalize(const Context &c, Node root, Node &out) {
  const Module module(c, root);
  const Node function = c.entry_function(root);
  if (!function || !module.decorated(function, "htp_tile.kernel")) {
    c.report(diag::no_kernel, function, c.entry()).hint("decorate it with `@kernel` of htp_tile");
    return HTP_FAILED;
  }
  Meanings meanings = check(module, function);
  if (c.errors()) return HTP_FAILED;
  out = Canonicalizer(module, function, std::move(meanings)).run();
  return c.result();
}

} // namespace htp::tile
