// The backend `opencl`: kernel.cl, and launch.json, what the host does.
#include "emit.h"

#include "text.h"

namespace htp::simt {

Result emit(const Context &c, Node root) {
  Program program;
  if (!read_program(c, root, program)) return c.result();
  const Emitted emitted = emit_kernels(c, root, program);
  if (c.errors()) return c.result();
  c.artifact("kernel.cl", "source", emitted.text);
  c.artifact("launch.json", "launch", launch_text(c, root, program, emitted));
  return c.result();
}

} // namespace htp::simt
