// htp.models-cpu: what a program takes on the CPU, by models.
#include "models.h"

namespace htp::cpu {

namespace {
constexpr htp_unit units[] = {
    analysis_unit<cost>("cpu.cost"),
    analysis_unit<simulate>("cpu.simulation"),
};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};
} // namespace

} // namespace htp::cpu

HTP_PLUGIN("htp.models-cpu", "0.1.0", htp::cpu::units, htp::cpu::diagnostics)
