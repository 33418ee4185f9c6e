// htp_cpp/reshape.h — a tile's elements in row-major order under other extents, which may be made of dims. A draft; of
// the SDK's library, `htp::lib`.
#pragma once

#include "htp_cpp/ints.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace htp::sdk {

// Dimensions next to each other, by number, that hold the same elements in the same order before and after.
struct ReshapeGroup {
  std::vector<size_t> from, to;
};

// The shortest groups whose products are equal, whatever the names stand for; each dimension is in one, but for those
// of extent 1, which are in none. Nothing where the products of all are not equal. What may be below 0, and stands for
// no elements then, is no factor of a product: give it as an atom, `clamped`.
std::optional<std::vector<ReshapeGroup>> reshape_groups(const std::vector<IntExpr> &from,
                                                        const std::vector<IntExpr> &to);

// The extent that is missing in `to`, so that the products are equal: `-1` in `reshape(x, -1, 4)`. Nothing where there
// is none that is right whatever the names stand for.
MaybeInt missing_extent(const std::vector<IntExpr> &from, const std::vector<IntExpr> &to);

// An extent as a number of elements: itself where it is never below 0 when the names that `natural` knows are not, else
// an atom of its text.
IntExpr clamped(const IntExpr &extent, const std::function<bool(const std::string &)> &natural);

} // namespace htp::sdk
