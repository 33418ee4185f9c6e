// plugins/island-mlir/mlir.h — the unit of the island, its diagnostics, and what its folders share:
//   program.h  the entry's names and statements       parts.h        what of it goes out
//   export.h   Python → MLIR's text                   expressions.h  of one expression
//   affine.h   affine forms and maps                  linalg.h       nests that are one operation
//   text.h     MLIR's generic text → operations       lowered.h      → those that Python has a form for
//   lowering.h what lowered.cpp, vectors.cpp and generic.cpp (linalg's nests) share
//   values.h   operations → values with a place to live
//   import.h   values → Python                        texts.h        of one value
#pragma once

#include "htp_cpp/refusal.h"

namespace htp::mlir {

using namespace htp::sdk;

namespace diag {
#define DIAG(...) HTP_DIAGNOSTICS_KIND(__VA_ARGS__)
#include "diagnostics.def"
} // namespace diag

// mlir.passes
struct Passes {
  static constexpr const char *suffix = ".mlir";
  static bool claims(const Context &c, Node statement);
  static Result leave(const Context &c, Node region, htp_str &text);
  static Result transform(const Context &c, std::string_view text, htp_str &result);
  static std::vector<uint32_t> enter(const Context &c, Node region, std::string_view text);
};

// A row of intrinsics.def.
struct Intrinsic {
  std::string_view name;
  unsigned operands;
  std::string_view of_floats, of_ints, of_truths; // an operation, or a comparison's predicate; empty: none
  bool compares = false, opaque = false;
};
const Intrinsic *intrinsic_named(std::string_view name);
// The intrinsic that this operation is, between operands of this type; null if none.
const Intrinsic *intrinsic_of(std::string_view operation, std::string_view type);
// The comparison with this predicate's number, of arith.cmpf or arith.cmpi.
const Intrinsic *comparison_of(bool floats, int64_t predicate);
std::string_view predicate_of(bool floats, int64_t number); // "olt"; empty if there is no such number

// The type MLIR has for a dtype: "f32", "i8" → the same, "bool_" → "i1"; empty if there is none.
std::string type_of_dtype(std::string_view dtype);
std::string dtype_of_type(std::string_view type);
inline bool is_float(std::string_view type) { return type.starts_with('f') || type.starts_with("bf"); }

} // namespace htp::mlir
