// The dialect's passes. Each is its own inverse test: a state holds exactly when its pass has nothing to do.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp::tile {
using namespace htp::sdk;

// Names every intrinsic's result and spells every operator, subscript and intrinsic as a call through its module.
Result canonicalize(const Context &c, Node root, Node &out);
// Writes the type of each name at its first binding.
Result infer(const Context &c, Node root, Node &out);

} // namespace htp::tile
