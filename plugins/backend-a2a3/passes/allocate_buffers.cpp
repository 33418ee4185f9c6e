// Blocks become ints, and every tile gets its bytes of a core's memory: what moves is double buffered, so that one
// iteration loads while another computes, unless that leaves little capacity.
#include "allocation/placement.h"
#include "analyses/program.h"
#include "passes/passes.h"

#include "htp_cpp/edit.h"
#include "htp_cpp/imports.h"

#include <algorithm>

namespace htp::a2a3 {

static Node allocated(Placement &p, Node kernel) {
  p.attempt(kernel);
  p.accept();
  return p.c.errors() ? kernel : p.placed(kernel);
}

Node allocate_buffers(const Context &c, Node root) {
  Placement placement(c, root);
  const Node placed = placement.over_ints([&](Node kernel) { return allocated(placement, kernel); });
  if (!placed || !placement.overlaps() || c.errors()) return HTP_NONE;
  const Node out =
      drop_unused_imports(c, with_statement(c, root, c.entry_function(root), placed),
                          [](std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); });
  Program program;                                  // what the next pass cannot read has no form yet
  if (read_program(c, out, Stage::placed, program)) // what a program says itself: how large tiles are is known now
    static_cast<void>(std::all_of(program.kernels.begin(), program.kernels.end(),
                                  [&](const Kernel &k) { return check_operands(c, out, k); }));
  return out;
}

} // namespace htp::a2a3
