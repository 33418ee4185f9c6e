// plugins/backend-a2a3/analyses/tasks.h — which parts of a program are tasks.
#pragma once

#include "a2a3.h"

#include "htp_cpp/constants.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace htp::a2a3 {

// A docstring.
bool is_text(const Context &c, Node s);

// A loop around the kernels, of whose turns each makes tasks: `for i_part in range(0, M, i_step)`.
struct PartLoop {
  std::set<std::string, std::less<>> variables; // of the loops of kernels that it has parts of
  std::string name;                             // of where a part begins
  std::string extent, step;                     // ints
};
struct Tasks {
  std::vector<PartLoop> loops; // outermost first
  // Within a part of the loop of the same variables: what a task of vector cores has of it, where cube cores wait for
  // what vector cores make. `name` counts from where the part begins, and `extent` is the part's step.
  std::optional<PartLoop> lanes;
  std::vector<std::pair<std::string, std::string>> ints; // that steps are made of, in their order
  // Why there is one task a kernel, if there is, and of how many cores it keeps one busy.
  Refusal few;
  std::string cores;
  Node where = HTP_NONE;

  const PartLoop *of(std::string_view variable) const {
    for (const PartLoop &l : loops)
      if (l.variables.contains(variable)) return &l;
    return nullptr;
  }
};

// Loops have parts where all kernels consist of them, one in the other, and all that is stored is indexed by each:
// tasks share neither elements nor, by what steps are multiples of, lines of memory. There are as many parts as keep
// the cores busy. There are two vector cores for each cube core: where cube cores wait for vector cores, two tasks of
// these share the rows of a part, if each row is computed by itself. `memories` lie between kernels. A task
// may be given some tensors `beside`; where it `sums` up for itself, the outermost loop alone has parts, and need not
// store.
Tasks tasks_of(const Context &c, const Names &names, const sdk::Constants &constants, Node function, Nodes kernels,
               const std::set<std::string, std::less<>> &memories, size_t beside = 0, bool sums = false);

} // namespace htp::a2a3
