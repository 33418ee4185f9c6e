// my_plugin.h — the units of the plugin.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp_my_plugin {

using namespace htp::sdk;

// The typing rule of my-plugin.intrinsics.
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes types);
// my-plugin.cpu
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);

namespace diag {
inline constexpr DiagKind no_float{"my-plugin.no-float", error, "`{}` takes floats, not {}"};
} // namespace diag

} // namespace htp_my_plugin
