// What this plugin is: its units, under the names that the manifest gives them, and its diagnostics.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

constexpr htp_unit units[] = {
    island_unit<Share>("my-plugin.share"),
    verifier_unit<is_shared>("my-plugin.is-shared"),
};

constexpr htp_diag_info diagnostics[] = {
    {diag::tool_failed.code, diag::tool_failed.severity, diag::tool_failed.summary,
     "The island's other compiler is a Python program. What it wrote to its standard error stands below."},
    {diag::twice.code, diag::twice.severity, diag::twice.summary,
     "A verifier points at what breaks its state: a call that the same block has computed already."},
};

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
