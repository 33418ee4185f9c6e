// plugins/backend-aie/passes/passes.h — the passes of aie, in the order in which they run, and what verifies what each
// establishes. A pass that has nothing to do returns the root that it was given.
#pragma once

#include "aie.h"

namespace htp::aie {

// A branch that a constant of the program decides, `if CAUSAL:`, becomes what it does then.
Result fold_branches(const Context &c, Node root, Node &out);
Result verify_folded(const Context &c, std::string_view term, Node root);

// What a schedule keeps nearby, `s.cache("x", at="i")`, is loaded from where it came from: a tensor comes by streams.
Result forward_caches(const Context &c, Node root, Node &out);
Result verify_uncached(const Context &c, std::string_view term, Node root);

// Every intrinsic call of the entry becomes words of the target, by its handler (R8), and every value a tile that they
// write to.
Result select(const Context &c, Node root, Node &out);
Result verify_selected(const Context &c, std::string_view term, Node root);

// A function that is compiled apart updates the tile that its call writes to, and reads it by no other operand.
Result legalize_calls(const Context &c, Node root, Node &out);
Result verify_calls(const Context &c, std::string_view term, Node root);

// Blocks are shared among the cores of a device, or each process has a core.
Result spread(const Context &c, Node root, Node &out);
Result verify_mapped(const Context &c, std::string_view term, Node root);

// Loads and stores of cores that do the same become parts of streams.
Result insert_streams(const Context &c, Node root, Node &out);
Result verify_fed(const Context &c, std::string_view term, Node root);

// Products of named cores that the matrix units do have their tiles in blocks.
Result use_matrix_units(const Context &c, Node root, Node &out);
Result verify_in_blocks(const Context &c, std::string_view term, Node root);

// Streams of named cores that are more than channels pass a memory tile together.
Result link_streams(const Context &c, Node root, Node &out);
Result verify_streamed(const Context &c, std::string_view term, Node root);

// Named cores get tiles of the array, near to what they share streams with.
Result place(const Context &c, Node root, Node &out);
Result verify_placed(const Context &c, std::string_view term, Node root);

// Streams of the host get the shims that they pass, near to their cores.
Result route_shims(const Context &c, Node root, Node &out);
Result verify_ready(const Context &c, std::string_view term, Node root);

} // namespace htp::aie
