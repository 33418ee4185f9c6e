// How values depend on the sizes of blocks that a schedule chooses: open blocks. What a workload computes must not.
#pragma once

#include "wsp.h"

namespace htp::wsp {

// The open loop's variable that each dimension of a tile is a block of; empty for other extents. Nothing when that is
// not seen.
using Shape = std::optional<std::vector<std::string>>;

struct Value {
  enum Kind {
    same,     // the same element by element, however the blocks are cut
    partial,  // reduced by `op` over one block of each loop in `over`
    prefix,   // scanned by `op` within a block: `term`
    sofar,    // what the name `of` holds after some blocks: reduced by `op` over them; `op` is empty before this one
    distance, // an element less the extreme `by` so far
    weight,   // its exp
    shift,    // the extreme that the name `of` held, less the extreme `by`
    rescale,  // its exp
    varies,   // anything else
  } kind = same;
  Shape shape = {};
  std::string op = {}, of = {};
  std::set<std::string> over = {};
  std::string extreme = {}; // of a sum of weights so far: the name that holds what they are relative to
  Node by = HTP_NONE;       // the extreme that weights are relative to: where it was computed
  std::string term = {};    // what of each block was put together, or will be
  bool zero = false;        // the neutral element of a sum
  Node why = HTP_NONE;      // where it comes to depend on `loop`'s blocks
  std::string loop = {};
  std::string intrinsic = {};          // of what is reduced over one block: by which intrinsic
  Node used = HTP_NONE;                // where that, or what a name holds so far, is used before the other blocks'
  Refusal held = {};                   // why that is refused
  std::string block = {}, tensor = {}; // the name stands for a block, for a tensor
  std::vector<Value> items = {};       // of a tuple
  // It is right when this block adds the second to the first.
  std::pair<std::string, std::string> owes = {};

  bool is(Kind k, std::string_view with = {}) const { return kind == k && (with.empty() || op == with); }
};

// Why a value that is put together from block to block, and is not yet, cannot be used; nothing of other values.
Refusal pending(const Value &v);

// What does not matter: the largest of what was seen twice is what it was.
inline bool idempotent(std::string_view op) { return op == "max" || op == "min" || op == "any" || op == "all"; }

// The value of an operation on elements, by its intrinsic's name without its owner; `at` is the operation.
Value combined(std::string_view operation, const std::vector<Value> &operands, Node at);
// What there is where two ways meet.
Value met(const Value &a, const Value &b);
// Extents are equal or 1, the last under each other.
Shape joined(const std::vector<Value> &operands);

} // namespace htp::wsp
