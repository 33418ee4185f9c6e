// plugins/backend-aie/passes/passes.h — the passes of aie, in the order in which they run, and what verifies what each
// establishes. A pass that has nothing to do returns the root that it was given.
#pragma once

#include "aie.h"

namespace htp::aie {

// The pass that is one change of a module: what it gives is the module that was made, or the one that it was given; 0
// after a report.
template <Node (*change)(const Context &c, Node root)> Result pass_of(const Context &c, Node root, Node &out) {
  out = change(c, root);
  return out ? c.result() : HTP_FAILED;
}

// A branch that a constant of the program decides, `if CAUSAL:`, becomes what it does then.
Node folded_branches(const Context &c, Node root);
Result verify_folded(const Context &c, std::string_view term, Node root);

// What a schedule keeps nearby, `s.cache("x", at="i")`, is loaded from where it came from: a tensor comes by streams.
Result forward_caches(const Context &c, Node root, Node &out);
Result verify_uncached(const Context &c, std::string_view term, Node root);

// Every intrinsic call of the entry becomes those of the target set, by its handler (R8), and every value a tile that
// they write to.
Result select(const Context &c, Node root, Node &out);
Result verify_selected(const Context &c, std::string_view term, Node root);

// A function that is compiled apart updates the tile that its call writes to, and reads it by no other operand.
Node legal_calls(const Context &c, Node root);
Result verify_calls(const Context &c, std::string_view term, Node root);

// What counts is loaded from a tensor that the host makes.
Node lowered_iota(const Context &c, Node root);
Result verify_iota(const Context &c, std::string_view term, Node root);
Node spread_stores(const Context &c, Node root);
Result verify_stores(const Context &c, std::string_view term, Node root);

// It is chosen which cores of a device share a kernel's loops, or do which processes, and what passes do with these.
Result spread(const Context &c, Node root, Node &out);
Result verify_mapped(const Context &c, std::string_view term, Node root);

// Passes on processes, in order.
#define CORE_PASS(state, name, made) Node made(const Context &c, Node root);
#include "passes/on_cores.def"
#undef CORE_PASS

Result verify_on_cores(const Context &c, std::string_view term, Node root);

// What cores load, store, put and get comes and goes by streams.
Result insert_streams(const Context &c, Node root, Node &out);
Result verify_fed(const Context &c, std::string_view term, Node root);

// Tiles that are copies of blocks of streams are these.
Node elided_copies(const Context &c, Node root);
Result verify_elided(const Context &c, std::string_view term, Node root);

// A loop of one iteration is what stands in it.
Node inlined_loops(const Context &c, Node root);
Result verify_inlined(const Context &c, std::string_view term, Node root);

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
