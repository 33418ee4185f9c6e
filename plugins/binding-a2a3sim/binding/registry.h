// binding/registry.h — what a package's registry says of its tasks and of the memory between them, in numbers.
#pragma once

#include "package.h"

#include "syntax.h"

#include <nlohmann/json.hpp>

#include <map>

namespace htp::a2a3sim {

// The extents of parameters and of buffers between kernels.
std::map<std::string, std::vector<int64_t>> shapes_of(const Package &p, const nlohmann::json &registry,
                                                      const std::vector<int64_t> &dims);
// Where a parameter's elements lie.
Spread spread_of(const Parameter &q, const std::vector<int64_t> &dims);
// How large the registry says that a buffer between kernels is.
std::optional<uint64_t> bytes_of_buffer(const Package &p, const nlohmann::json &registry, const std::string &name,
                                        const std::vector<int64_t> &dims);

// A loop of a kernel's tasks, as the registry says it.
struct TaskLoop {
  std::string part, by;
  int64_t stop = 0, step = 1;
  int64_t rounds() const { return (std::max<int64_t>(0, stop) + step - 1) / step; }
};
// Those of a kernel, outermost first; nothing where they are not read.
std::optional<std::vector<TaskLoop>> loops_of(const Package &p, const nlohmann::json &registry, int id,
                                              const std::vector<int64_t> &dims);
// What the `number`-th task of a kernel is given as a scalar: a dimension's size, an int, or where its part begins and
// how large parts are.
std::optional<int64_t> scalar_of(const Package &p, const nlohmann::json &registry, const std::string &name, int id,
                                 int64_t number, const std::vector<int64_t> &dims);

// Whether an orchestration computes the ints before its loops as the registry says, and makes its tasks in the loops
// that it says.
bool same_loops(const nlohmann::json &registry, const std::vector<Statement> &body);

} // namespace htp::a2a3sim
