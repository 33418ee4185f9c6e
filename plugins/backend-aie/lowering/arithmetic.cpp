// What dtypes a core calculates with, and what an operation and its numbers ask of the dtype of its tiles.
#include "analyses/program.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace htp::aie {

namespace {
template <size_t N> bool among(const std::array<std::string_view, N> &names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}
constexpr std::array<std::string_view, 9> of_masks{"bit_and", "bit_or",    "bit_xor", "bit_not", "where",
                                                   "copy",    "transpose", "cast",    "fill"};
constexpr std::array<std::string_view, 11> of_reals{"div",     "exp",   "log",  "sqrt",  "rsqrt", "tanh",
                                                    "sigmoid", "floor", "ceil", "round", "trunc"};

bool shifts(std::string_view operation) { return operation == "shl" || operation == "shr"; }

// What an operation computes in, which for a comparison is not what it makes; null where it takes any.
const DType *computed(const Statement &n) {
  if (n.name == "call" || n.name == "unpack" || n.name == "cast") return nullptr;
  if (!compares(n.name)) return n.tile->dtype;
  for (const Operand &o : n.operands)
    if (o.tile) return o.tile->dtype;
  return nullptr;
}

std::string limits_of(const DType &d) {
  const int64_t most = (int64_t{1} << (8 * d.bytes - 1)) - 1;
  return std::to_string(-most - 1) + " to " + std::to_string(most);
}

std::optional<Unfit> number_of(const DType &d, double number, bool real, const std::string &shown) {
  if (d.real) return std::nullopt;
  const std::string dtype(d.name);
  if (d.name == "bool_") {
    if (!real && (number == 0 || number == 1)) return std::nullopt;
    return Unfit{{}, Refusal(diag::not_literal, shown, dtype).with("write `True` or `False`")};
  }
  const double above = std::ldexp(1, static_cast<int>(8 * d.bytes - 1));
  if (!real && number >= -above && number < above) return std::nullopt;
  return Unfit{{}, Refusal(diag::not_literal, shown, dtype).with("write a whole number from " + limits_of(d))};
}
} // namespace

bool calculates(std::string_view operation, std::string_view dtype) {
  const bool real = dtype == "f32" || dtype == "bf16";
  if (dtype == "bool_") return among(of_masks, operation);
  if (real) return !operation.starts_with("bit_") && !shifts(operation);
  return (dtype == "i32" || dtype == "i16" || dtype == "i8") && !among(of_reals, operation);
}

std::optional<Unfit> unfit(const Statement &n, const std::function<std::string(size_t operand)> &shown) {
  const DType *d = computed(n);
  if (!d) return std::nullopt;
  const std::string dtype(d->name);
  if (!calculates(n.name, dtype))
    return Unfit{{},
                 Refusal(diag::no_arithmetic, n.name, dtype)
                     .with("it does of " +
                           std::string(calculates(n.name, "f32")
                                           ? calculates(n.name, "i32") ? "f32, bf16, i32, i16 and i8" : "f32 and bf16"
                                       : calculates(n.name, "bool_") ? "i32, i16, i8 and masks"
                                                                     : "i32, i16 and i8"))};
  for (size_t k = 0; k < n.operands.size(); ++k) {
    const Operand &o = n.operands[k];
    if (o.tile) continue;
    std::optional<Unfit> found;
    if (shifts(n.name) && k == 1) {
      const int64_t most = 8 * d->bytes - 1;
      const std::string by = shown(k);
      if (o.real || o.number < 0 || o.number > static_cast<double>(most))
        found = Unfit{{},
                      Refusal(diag::shift_count, n.name + "(…, " + by.substr(1, by.size() - 2) + ")", dtype, most)
                          .with("write a number from 0 to " + std::to_string(most))};
    } else if (n.name.starts_with("reduce_")) {
      if (o.real || o.number < 0) found = Unfit{{}, Refusal(diag::bad_axis, shown(k))};
    } else {
      found = number_of(*d, o.number, o.real, shown(k));
    }
    if (found) return found->operand = k, found;
  }
  return std::nullopt;
}

} // namespace htp::aie
