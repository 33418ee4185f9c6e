// plugins/backend-a2a3/passes/passes.h — the backend's passes, and what several of them use.
#pragma once

#include "a2a3.h"
#include "analyses/program.h"
#include "analyses/shapes.h"

#include "htp_cpp/edit.h"

#include <optional>

namespace htp::a2a3 {

// Each gives the module with its rewrite done; `root` itself where there is nothing to do, and HTP_NONE after a report.
#define PASS(name) Node name(const Context &c, Node root);
#define REWRITE(name, state) PASS(name)
#include "passes/passes.def"

template <Node (*rewritten)(const Context &, Node)> Result pass(const Context &c, Node root, Node &out) {
  out = rewritten(c, root);
  return out ? c.result() : HTP_FAILED;
}

// For `rewrite`: statements stay as they are.
inline bool keep(Node, std::vector<uint32_t> &) { return false; }
// The module with its entry rewritten.
Node with_entry(const Context &c, Node root, const auto &expression, const auto &statement) {
  const Node function = c.entry_function(root);
  return with_statement(c, root, function, rewrite(c, function, expression, statement));
}

// The module with the kernels of cube cores that `changed` gives.
Node with_cube_kernels(const Context &c, Node root, const auto &changed) {
  return with_entry(
      c, root, [](Node n) { return n; },
      [&](Node s, std::vector<uint32_t> &out) {
        const Node kernel = c.is(s, HTP_With) && on_cube(c, s) ? changed(s) : s;
        if (kernel && kernel != s) out.push_back(kernel);
        return kernel && kernel != s;
      });
}

// The load that a value is, also where dimensions of 1 come or go: `reshape(load(x, k, i, whole), i, N)`, which
// a2a3.sequence_processes makes of what is got from a channel; 0 of anything else.
Node load_of(const Context &c, const Names &names, Node value);
// The same with another last index, which is the last extent too.
Node with_last_index(const Context &c, Node value, Node index);

// The module of instructions with tiles declared before the branches that name them first, where others name them too.
Node with_hoisted_declarations(const Context &c, Node root);

// The module of instructions without the marks of a2a3.mark_indices, which its handlers have read.
Node without_marks(const Context &c, Node root);

// How much of a product's sum L0A and L0B hold at once, twice; nothing: all of it.
std::optional<int64_t> step_of_sum(const DType &dtype, int64_t rows, int64_t columns, std::optional<int64_t> sum);

// Whether the cores have what the entry asks for as a whole: loops that are counted, and dtypes of its parameters.
// False after a report.
bool is_supported(const Context &c, Node root);
// Whether the instructions that a program writes itself are those that it may, and write to tiles of their own. False
// after a report.
bool check_instructions(const Context &c, Node root);
// Whether there are such instructions. Their tiles are declared with a type, as everything is before a2a3.select, and
// without one behind it.
bool has_instructions(const Context &c, Node root);
Node with_plain_tiles(const Context &c, Node root);

} // namespace htp::a2a3
