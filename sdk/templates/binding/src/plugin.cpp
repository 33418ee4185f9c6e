// What this plugin is: its unit, under the name that the manifest gives it, and its diagnostics.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

constexpr htp_unit units[] = {binding_unit<Debug>("my-plugin.debug")};

constexpr htp_diag_info diagnostics[] = {
#define DIAG HTP_DIAGNOSTICS_ROW
#include "diagnostics.def"
#undef DIAG
};

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
