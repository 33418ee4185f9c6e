// What this plugin is, and nothing about how.
#include "wsp.h"

namespace htp::wsp {
namespace {

constexpr htp_diag_info diagnostics[] = {
#define DIAG HTP_DIAGNOSTICS_ROW
#include "diagnostics.def"
#undef DIAG
};

constexpr const char module_name[] = "htp_wsp";
constexpr const char *decorators[] = {"workload", "schedule", nullptr};

const htp_unit units[] = {
    dialect_unit<module_name, decorators, check>("wsp"),
    pass_unit<apply>("wsp.apply"),
    pass_unit<lower>("wsp.lower"),
    pass_unit<expand>("wsp.expand"),
    analysis_unit<tasks>("wsp.tasks"),
    verifier_unit<is_workload>("wsp.workload"),
    verifier_unit<is_scheduled>("wsp.scheduled"),
};

} // namespace
} // namespace htp::wsp

HTP_PLUGIN("htp.dialect-wsp", "0.1.0", htp::wsp::units, htp::wsp::diagnostics)
