// aie.instantiate: each core has a body of its own, `@aie.core()`: a process of a grid for its coordinates, a kernel
// for its iterations of the loop that is dealt out. What coordinates decide is decided, and loops that choose channels
// are unrolled.
#include "analyses/cores.h"
#include "passes.h"

#include "htp_cpp/edit.h"

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
  return without_languages(c, with_statement(c, root, function, cores::write(c, function, on, all)));
}

} // namespace htp::aie
