// What this plugin is: its units, under the names that the manifest gives them, and its diagnostics.
#include "my_plugin.h"

namespace htp_my_plugin {
namespace {

constexpr htp_unit units[] = {
    analysis_unit<work>("my-plugin.work"),
    pass_unit<write_notes>("my-plugin.notes"),
    verifier_unit<is_noted>("my-plugin.is-noted"),
};

constexpr htp_diag_info diagnostics[] = {
    {diag::no_note.code, diag::no_note.severity, diag::no_note.summary,
     "A verifier points at what breaks its state: a loop without the comment that `my-plugin.notes` writes."},
};

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
