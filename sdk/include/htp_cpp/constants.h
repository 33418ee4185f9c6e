// htp_cpp/constants.h — HTP's constant evaluator: ints over literals, arithmetic and module constants.
#pragma once

#include "htp_cpp/tree.h"

#include <optional>
#include <string_view>

namespace htp::sdk {

// The value of a module constant: the right side of `NAME = …` or `NAME: T = …` at module level, assigned once. 0 if
// none.
inline Node module_constant(const Reader &r, Node module, std::string_view name) {
  Node found = HTP_NONE;
  for (const Node s : r.get<ast::Module>(module).body()) {
    Node target = HTP_NONE, value = HTP_NONE;
    if (auto a = r.as<ast::Assign>(s); a && a.targets().size() == 1) target = a.targets()[0], value = a.value();
    if (auto a = r.as<ast::AnnAssign>(s)) target = a.target(), value = a.value();
    if (!value || r.name_of(target) != name) continue;
    if (found) return HTP_NONE;
    found = value;
  }
  return found;
}

// Nothing when the expression is no constant int, or when it would not fit 64 bits. `depth` guards against constants
// that are defined by each other.
inline std::optional<int64_t> constant_int(const Reader &r, Node module, Node n, int depth = 0) {
  if (!n || depth > 64) return std::nullopt;
  int64_t value = 0;
  if (r.integer(n, &value)) return value;
  if (const auto name = r.name_of(n); !name.empty())
    return constant_int(r, module, module_constant(r, module, name), depth + 1);
  if (auto u = r.as<ast::UnaryOp>(n)) {
    const auto operand = constant_int(r, module, u.operand(), depth + 1);
    if (!operand || (u.op() != HTP_USub && u.op() != HTP_UAdd)) return std::nullopt;
    if (u.op() == HTP_USub && __builtin_sub_overflow(int64_t{0}, *operand, &value)) return std::nullopt;
    return u.op() == HTP_USub ? value : *operand;
  }
  auto b = r.as<ast::BinOp>(n);
  if (!b) return std::nullopt;
  const auto left = constant_int(r, module, b.left(), depth + 1), right = constant_int(r, module, b.right(), depth + 1);
  if (!left || !right) return std::nullopt;
  switch (b.op()) {
  case HTP_Add: return __builtin_add_overflow(*left, *right, &value) ? std::nullopt : std::optional(value);
  case HTP_Sub: return __builtin_sub_overflow(*left, *right, &value) ? std::nullopt : std::optional(value);
  case HTP_Mult: return __builtin_mul_overflow(*left, *right, &value) ? std::nullopt : std::optional(value);
  case HTP_FloorDiv:
  case HTP_Mod: { // Python's: towards minus infinity
    if (*right == 0 || (*right == -1 && *left == INT64_MIN)) return std::nullopt;
    int64_t quotient = *left / *right, rest = *left % *right;
    if (rest != 0 && (rest < 0) != (*right < 0)) --quotient, rest += *right;
    return b.op() == HTP_FloorDiv ? quotient : rest;
  }
  default: return std::nullopt;
  }
}

} // namespace htp::sdk
