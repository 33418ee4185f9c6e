// What this plugin is: its units, under the names that the manifest gives them, and its diagnostics.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

#include "intrinsics.inc" // intrinsic_rows, made from python/htp_my_plugin/intrinsics.py

constexpr htp_handler handler_rows[] = {{"my_plugin.softsign", "cpu"}};

constexpr htp_unit units[] = {
    intrinsics_unit<intrinsic_rows, infer>("my-plugin.intrinsics"),
    handlers_unit<handler_rows, rewrite_call>("my-plugin.cpu"),
};

constexpr htp_diag_info diagnostics[] = {
    {diag::no_float.code, diag::no_float.severity, diag::no_float.summary,
     "The intrinsics of this plugin are defined for f16, bf16, f32 and f64."},
};

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
