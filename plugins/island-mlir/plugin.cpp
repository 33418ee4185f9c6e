// htp.island-mlir: passes of MLIR over the CPU's loops.
#include "mlir.h"

#include <algorithm>

namespace htp::mlir {

namespace {

constexpr Intrinsic intrinsics[] = {
#define INTRINSIC(name, operands, floats, ints, truths) {#name, operands, floats, ints, truths},
#define COMPARE(name, floats, ints) {#name, 2, #floats, #ints, "", true, false},
#define OPAQUE(name, operands) {#name, operands, "", "", "", false, true},
#include "intrinsics.def"
};

// As MLIR numbers them.
constexpr std::string_view float_predicates[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                                 "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
constexpr std::string_view int_predicates[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};

constexpr std::pair<std::string_view, std::string_view> types[] = {{"bool_", "i1"},  {"i8", "i8"},   {"i16", "i16"},
                                                                   {"i32", "i32"},   {"i64", "i64"}, {"f16", "f16"},
                                                                   {"bf16", "bf16"}, {"f32", "f32"}, {"f64", "f64"}};

constexpr htp_unit units[] = {island_unit<Passes>("mlir.passes")};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
};

} // namespace

const Intrinsic *intrinsic_named(std::string_view name) {
  const auto at =
      std::find_if(std::begin(intrinsics), std::end(intrinsics), [&](const Intrinsic &w) { return w.name == name; });
  return at == std::end(intrinsics) ? nullptr : at;
}

const Intrinsic *intrinsic_of(std::string_view operation, std::string_view type) {
  for (const Intrinsic &w : intrinsics)
    if (!w.compares && !w.opaque &&
        (is_float(type) ? w.of_floats
         : type == "i1" ? w.of_truths
                        : w.of_ints) == operation)
      return &w;
  return nullptr;
}

const Intrinsic *comparison_of(bool floats, int64_t predicate) {
  const std::string_view name = predicate_of(floats, predicate);
  for (const Intrinsic &w : intrinsics)
    if (w.compares && !name.empty() && (floats ? w.of_floats : w.of_ints) == name) return &w;
  return nullptr;
}

std::string_view predicate_of(bool floats, int64_t n) {
  if (n < 0 || n >= (floats ? 16 : 10)) return {};
  return floats ? float_predicates[n] : int_predicates[n];
}

std::string type_of_dtype(std::string_view dtype) {
  for (const auto &[dtype_name, type] : types)
    if (dtype_name == dtype) return std::string(type);
  return {};
}

std::string dtype_of_type(std::string_view type) {
  for (const auto &[dtype_name, own] : types)
    if (own == type) return std::string(dtype_name);
  return {};
}

} // namespace htp::mlir

HTP_PLUGIN("htp.island-mlir", "0.1.0", htp::mlir::units, htp::mlir::diagnostics)
