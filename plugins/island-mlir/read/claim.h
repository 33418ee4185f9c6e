// plugins/island-mlir/read/claim.h — what of the entry goes to MLIR.
#pragma once

#include "read/program.h"

namespace htp::mlir {

// What loops, and what they read and write, go out as. linalg: nests that do one thing at each element, and scf around.
enum class Form : uint8_t { scf, affine, linalg };

// What goes to MLIR as one function: the entry's whole body, or one loop of it.
struct Part {
  std::vector<Node> statements;
  NameSet after; // names that are read behind it
  std::string name;
  Form form = Form::scf;
  std::vector<std::string> inputs, results;
};

// What has no form in MLIR.
struct NoOperation {
  Node where = HTP_NONE;
  Refusal why;
};

// The entry's body; or, of `loops`, the outermost loops that have a form. `left` gets each innermost loop that
// has none, and why.
std::vector<Part> parts_of(const Program &program, bool loops, Form form, std::vector<NoOperation> *left);

} // namespace htp::mlir
