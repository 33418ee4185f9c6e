// my_plugin.h — the unit of the plugin.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp_my_plugin {

using namespace htp::sdk;

// my-plugin.cpu
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);

} // namespace htp_my_plugin
