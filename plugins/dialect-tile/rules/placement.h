// Where values lie, as the typing rules ask for it: the layouts of types in the terms of the algebra.
#pragma once

#include "rules/rules.h"

#include "htp_cpp/layout/annotation.h"

namespace htp::tile {

// The layout of a canonical expression, `htp.layout(…)`; nothing for a facet's own constructor.
std::optional<layout::Layout> core_of(const Call &call, Node expression);
// The extents as ints; nothing where one is a block, or a dim.
std::optional<std::vector<int64_t>> shape_of(const std::vector<Extent> &extents);
// The devices that the layouts of two types speak of.
layout::Space mesh_of(const Call &call, const Type &a, const Type &b);
// The type's layout as a distribution over a mesh; nothing where it is another, or its extents are not all known.
std::optional<layout::Sharding> distribution_of(const Call &call, const Type &type, const layout::Space &mesh);

} // namespace htp::tile
