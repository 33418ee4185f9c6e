// binding/indices.h — the indices that kernels make of a call's data and ints, held against their dimensions before the
// call runs: neither processors nor the task runtime look.
#pragma once

#include "package.h"
#include "syntax.h"

namespace htp::a2a3sim {

// Of the kernels that have such indices, what these are made of: ints, loops, branches, and elements of inputs.
class Indices {
public:
  // Reads the registry and the kernels; what cannot be read is left to the simulator.
  explicit Indices(const Context &c);
  // False after a report.
  bool hold(const Context &c, const Package &package, const Arguments &arguments) const;

private:
  struct Kernel {
    std::string path;
    int id = 0;
    std::vector<std::string> arguments; // their names
    Unit unit;
  };
  std::vector<Kernel> kernels_;
  std::string registry_;
};

} // namespace htp::a2a3sim
