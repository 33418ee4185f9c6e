// What this plugin is, and nothing about how.
#include "csp.h"

namespace htp::csp {
namespace {

#include "intrinsics.inc"

constexpr htp_diag_info diagnostics[] = {
#define DIAG HTP_DIAGNOSTICS_ROW
#include "diagnostics.def"
#undef DIAG
};

constexpr const char module_name[] = "htp_csp";
constexpr const char *decorators[] = {"pipeline", "schedule", nullptr};

const htp_unit units[] = {
    dialect_unit<module_name, decorators, check>("csp"),
    intrinsics_unit<intrinsic_rows, type_of_call>("csp.intrinsics"),
    pass_unit<place>("csp.place"),
    pass_unit<outline>("csp.outline"),
    pass_unit<flatten>("csp.flatten"),
    pass_unit<apply>("csp.apply"),
    pass_unit<lower>("csp.lower"),
    analysis_unit<deadlock>("csp.deadlock"),
    verifier_unit<is_pipeline>("csp.pipeline"),
    verifier_unit<has_tasks>("csp.tasks"),
    verifier_unit<is_placed>("csp.placed"),
    verifier_unit<is_flat>("csp.flat"),
    verifier_unit<is_scheduled>("csp.scheduled"),
};

} // namespace

} // namespace htp::csp

HTP_PLUGIN("htp.dialect-csp", "0.1.0", htp::csp::units, htp::csp::diagnostics)
