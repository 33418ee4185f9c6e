// The language check: what a kernel may be made of. Reports everything the language has not, each at its node.
#pragma once

#include "language/module.h"

#include <optional>
#include <string>
#include <unordered_map>

namespace htp::tile {

// What an expression is.
enum class Sort : uint8_t {
  unknown, // reported already, or another plugin's compile-time value
  tile,    // a value an intrinsic computed, of whatever type
  tensor,  // a parameter in memory, or a buffer
  block,   // a loop variable of `tiles`
  integer, // an int known at run time
  number,  // a compile-time number
  dim,     // M = htp.dim("M")
  dtype,
  whole, // `:` or tile.whole
  text,  // a string
  token, // of a copy on its way
  none,  // None, or a call without a result
};

struct Meaning {
  Sort sort = Sort::unknown;
  // The set whose operators a tile has; for a call, an operator, a load or a store, the set that owns `row`.
  const htp_intrinsics *set = nullptr;
  // The intrinsic this expression (or store target) stands for; null for anything else.
  const htp_intrinsic *row = nullptr;
  std::optional<Number> value = {}; // of a number
};

// By node; for look-ups only.
using Meanings = std::unordered_map<Node, Meaning>;

// Checks the kernel `function`; whether it passed is given by the context's error count.
Meanings check(const Module &module, Node function);

// Whether a name is one of those that an annotation of an intrinsic is made of: "Number | float" has Number and float.
bool has_name(std::string_view annotation, std::string_view name);
// A parameter that takes all further positional arguments: `*index: Index`.
bool is_variadic(const htp_parameter &parameter);
std::string_view parameter_name(const htp_parameter &parameter);
// An int known when the program runs may stand where a literal does: tile.infer makes a tile of it.
bool takes_ints(const htp_intrinsic &row, const htp_parameter &parameter);

} // namespace htp::tile
