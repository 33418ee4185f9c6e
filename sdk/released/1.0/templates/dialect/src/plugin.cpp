// What this plugin is: its units, under the names that the manifest gives them, and its diagnostics.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

constexpr const char module_name[] = "htp_my_plugin";
constexpr const char *decorators[] = {"whole", nullptr};

constexpr htp_unit units[] = {
    dialect_unit<module_name, decorators, check>("my-plugin"),
    pass_unit<blocks>("my-plugin.blocks"),
    verifier_unit<is_whole>("my-plugin.is-whole"),
};

constexpr htp_diag_info diagnostics[] = {
#define DIAG HTP_DIAGNOSTICS_ROW
#include "diagnostics.def"
#undef DIAG
};

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
