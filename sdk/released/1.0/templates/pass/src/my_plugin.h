// my_plugin.h — the units of the plugin.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp_my_plugin {

using namespace htp::sdk;

// my-plugin.reciprocals
Result use_reciprocals(const Context &c, Node root, Node &out);
// my-plugin.has-reciprocals
Result has_reciprocals(const Context &c, std::string_view term, Node root);

namespace diag {
inline constexpr DiagKind division{"my-plugin.division", note, "this divides by a power of two"};
} // namespace diag

} // namespace htp_my_plugin
