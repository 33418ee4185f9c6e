// A sum of products that takes more than half of L0C is made in two halves of its columns, in two buffers by turns, so
// that one half is stored while the other is added to: where L0A and L0B have two buffers then, too.
#include "allocation/placement.h"
#include "passes/passes.h"

namespace htp::a2a3 {

Node double_buffer_sums(const Context &c, Node root) {
  Placement placement(c, root);
  const Node changed = placement.with_kernels([&](Node kernel) {
    if (!on_cube(c, kernel)) return kernel;
    Memory::Fit fit = placement.attempt(kernel);
    // A half without a buffer of its own would be lost while the other is added to.
    for (const bool longer : {true, false})
      if (fit != Memory::Fit::none && placement.memory().fills("acc"))
        kernel = placement.better(
            kernel, with_halved_sums(c, placement.names, placement.constants, kernel, longer), fit,
            [](const Memory &m) { return m.has_twice("acc") && m.has_twice("left") && m.has_twice("right"); });
    placement.accept();
    return kernel;
  });
  return changed ? with_statement(c, root, c.entry_function(root), changed) : HTP_NONE;
}

} // namespace htp::a2a3
