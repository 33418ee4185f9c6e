// What this plugin is: its unit, under the name that the manifest gives it, and its diagnostics.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

constexpr htp_unit units[] = {
    layout_unit<Levels>("my-plugin.levels"),
};

constexpr htp_diag_info diagnostics[] = {
    {diag::bad_level.code, diag::bad_level.severity, diag::bad_level.summary,
     "Levels are keyword arguments with a number of units above 0: `levels(board=4, chip=8)`."},
};

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
