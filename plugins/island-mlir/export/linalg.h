// plugins/island-mlir/export/linalg.h — nests of loops that do one thing at each element, as `linalg.generic` has them.
#pragma once

#include "read/claim.h"

namespace htp::mlir {

// Where an element lies: along each extent an offset, to which a loop's variable may be added.
struct Offset {
  std::optional<size_t> loop;                 // of the nest
  std::vector<std::pair<bool, Node>> offsets; // whether it is taken away, and what
};
struct Element {
  Node memory = HTP_NONE; // its name
  Node call = HTP_NONE;   // the `get` or `put`
  std::vector<Offset> places;
};

// Loops over ranges from 0 by 1, in the innermost of which scalars are loaded, computed and stored: no iteration reads
// what another stores. The innermost loop may hand one scalar on, which begins as an element and ends there.
struct Nest {
  std::vector<Node> loops, extents;
  std::vector<std::string> variables;
  std::string carried; // the scalar that is handed on; empty: none
  std::vector<Node> body;
  std::vector<Element> loads, stores; // one each for each place; a load of what is stored is in both
  std::vector<Node> load_statements, store_statements;
};
std::optional<Nest> nest_of(const Program &program, Node loop, const NameSet &after);

} // namespace htp::mlir
