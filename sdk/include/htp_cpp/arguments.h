// htp_cpp/arguments.h — the arguments of a run, as a binding takes them. The host has held them against the entry's
// typed signature (htp/binding.h), so that a binding needs their addresses, and the sizes of the dims in their types.
#pragma once

#include "htp/binding.h"
#include "htp_cpp/ints.h"

#include <map>
#include <span>

namespace htp::sdk {

// The argument of a parameter; null where the package's own signature has parameters that its manifest has not.
inline const DLTensor *argument(std::span<const htp_argument> arguments, std::string_view parameter) {
  for (const htp_argument &a : arguments)
    if (a.name == parameter) return a.tensor;
  return nullptr;
}
inline void *address(const DLTensor &t) { return static_cast<char *>(t.data) + t.byte_offset; }

// The name that an extent gives its size, and that size, where the extent is `is`: `4 * M + 2` of 30 gives M 7. Nothing
// of an extent that is not a positive number times one name, and a number.
inline std::optional<std::pair<std::string, int64_t>> size_by(const IntExpr &extent, int64_t is) {
  const std::set<std::string> names = extent.names();
  if (!extent.affine() || names.size() != 1) return std::nullopt;
  const int64_t times = extent.coefficient(*names.begin());
  int64_t rest = 0;
  if (times < 1 || __builtin_sub_overflow(is, extent.offset(), &rest)) return std::nullopt;
  return std::pair(*names.begin(), rest / times);
}

} // namespace htp::sdk
