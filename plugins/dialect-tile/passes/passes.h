// The dialect's passes. Each is its own inverse test: a state holds exactly when its pass has nothing to do.
#pragma once

#include "language/module.h"

namespace htp::tile {

// Ends each loop where its range or condition does, and each function at its last line.
Result structure(const Context &c, Node root, Node &out);
// What that pass gives; the module's own root when there was nothing to do.
Node structured(const Module &module);
// Puts the body of a function of the module where an entry calls it.
Result inline_functions(const Context &c, Node root, Node &out);
// What that pass gives; the module's own root when no entry calls a function of it, and after a report.
Node inlined(const Module &module);
// The kernels that the entry calls, itself or through functions: each in a module in which it calls nothing, by its
// name.
std::vector<std::pair<Node, std::string>> called_kernels(const Module &module);
// Names every intrinsic's result and spells every operator, subscript and intrinsic as a call through its module.
Result canonicalize(const Context &c, Node root, Node &out);
// Writes the type of each name at its first binding.
Result infer(const Context &c, Node root, Node &out);

} // namespace htp::tile
