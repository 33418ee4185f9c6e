// plugins/backend-simt/model/bounds.h — which indices are inside of what they index, at all sizes, by isl.
#pragma once

#include "program.h"

namespace htp::simt {

// The indices that are not shown to be inside of their dimension.
std::set<Node> unproved_indices(const Context &c, Node root, const Program &program);

} // namespace htp::simt
