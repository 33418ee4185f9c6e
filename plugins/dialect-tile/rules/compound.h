// Intrinsics that tile.infer makes of others: what their arguments say.
#pragma once

#include "rules/rules.h"

#include <string>

namespace htp::tile {

// `"mk,kn->mn"`: a letter for each dimension of the two operands and of the result.
struct Letters {
  std::string a, b, result;
};
// What the `spec` of an einsum says; nothing after a diagnostic.
std::optional<Letters> letters_of(const Call &call);
// The two widths of a pad, each 0 or more; nothing after a diagnostic.
std::optional<std::pair<int64_t, int64_t>> widths_of(const Call &call);

} // namespace htp::tile
