// aie.instantiate: each core has a body of its own, `@aie.core()`: a process of a grid for its coordinates, a kernel
// for its iterations of the loop that is dealt out. What coordinates decide is decided, and loops that choose channels
// are unrolled.
#include "analyses/cores.h"
#include "passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"

namespace htp::aie {

Node instantiated(const Context &c, Node root) {
  const Node function = c.entry_function(root);
  const Names names(c, root);
  const auto found = function ? on_device(c, names, function) : std::nullopt;
  const Nodes body = found ? c.get<ast::With>(found->with).body() : Nodes();
  if (!found || found->named || body.empty() || (!found->choices.cores && !c.is(body.back(), HTP_FunctionDef)))
    return root;
  OnDevice on = *found;
  cores::Cores all;
  if (!cores::read(c, root, function, {.choices = on.choices}, all)) return HTP_NONE;
  on.choices.processes = 1, on.choices.neighbours = on.choices.interleaved = true, on.choices.cores = 0;
  return drop_unused_imports(
      c, with_statement(c, root, function, cores::write(c, function, on, all)), [](std::string_view path) {
        return path == "htp_tile" || path.starts_with("htp_tile.") || path == "htp_csp" || path.starts_with("htp_csp.");
      });
}

Result instantiate(const Context &c, Node root, Node &out) { return made(c, instantiated(c, root), out); }

} // namespace htp::aie
