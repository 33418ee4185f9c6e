// What this plugin is: its units, under the names that the manifest gives them, and its diagnostics.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

constexpr htp_unit units[] = {
    pass_unit<use_reciprocals>("my-plugin.reciprocals"),
    verifier_unit<has_reciprocals>("my-plugin.has-reciprocals"),
};

constexpr htp_diag_info diagnostics[] = {
    {diag::division.code, diag::division.severity, diag::division.summary,
     "A verifier points at what breaks its state: a division that the pass `my-plugin.reciprocals` would have "
     "replaced."},
};

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
