// What the dialect's states say, checked on a tree.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp::tile {
using namespace htp::sdk;

Result is_kernel(const Context &c, std::string_view term, Node root);
// Inlined, canonical and typed: the pass that brings the state about has nothing left to do.
Result is_expanded(const Context &c, std::string_view term, Node root);
Result is_structured(const Context &c, std::string_view term, Node root);
Result is_inlined(const Context &c, std::string_view term, Node root);
Result is_canonical(const Context &c, std::string_view term, Node root);
Result is_typed(const Context &c, std::string_view term, Node root);

} // namespace htp::tile
