// What this plugin is: its unit, under the name that the manifest gives it.
#include "my_plugin.h"

#include <array>

namespace htp_my_plugin {
namespace {

constexpr htp_handler handler_rows[] = {{"tile.sigmoid", "cpu"}};

constexpr htp_unit units[] = {handlers_unit<handler_rows, rewrite_call>("my-plugin.cpu")};

constexpr std::array<htp_diag_info, 0> diagnostics{}; // it refuses nothing

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
