// What this plugin is, and nothing about how.
#include "acme.h"

namespace acme {
namespace {

#include "intrinsics.inc"

constexpr htp_diag_info diagnostics[] = {
#define DIAG HTP_DIAGNOSTICS_ROW
#include "diagnostics.def"
#undef DIAG
};

constexpr htp_handler handler_rows[] = {{"acme.swish", "$B"}};
constexpr const char module_name[] = "htp_acme";
constexpr const char *decorators[] = {"routine", nullptr};

const htp_unit units[] = {
    dialect_unit<module_name, decorators, check>("acme"),
    intrinsics_unit<intrinsic_rows, infer>("acme.intrinsics"),
    handlers_unit<handler_rows, rewrite>("acme.anywhere"),
    layout_unit<Hierarchy>("acme.hierarchy"),
    analysis_unit<cost>("acme.cost"),
    pass_unit<blocks>("acme.blocks"),
    verifier_unit<is_routine>("acme.routine"),
};

} // namespace
} // namespace acme

HTP_PLUGIN("acme.signals", "1.2.0", acme::units, acme::diagnostics)
