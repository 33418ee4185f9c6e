// plugins/island-mlir/export.h — Python → MLIR's text.
#pragma once

#include "program.h"

namespace htp::mlir {

// What goes to MLIR as one function: the entry's whole body, or one loop of it.
struct Part {
  std::vector<Node> statements;
  NameSet after; // names that are read behind it
  std::string name;
  std::vector<std::string> inputs, results;
};

// What has no form in MLIR.
struct Refusal {
  Node where = HTP_NONE;
  std::string what;
};

// The entry's body; or, of `loops`, the outermost loops that have a form. `left` is told of each innermost loop that
// has none, and why.
std::vector<Part> parts_of(const Program &program, bool loops, std::vector<Refusal> *left);
// The module with a function for each part; throws a Refusal.
std::string text_of_parts(const Program &program, const std::vector<Part> &parts);

} // namespace htp::mlir
