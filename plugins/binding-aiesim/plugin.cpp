// htp.binding-aiesim: packages of contract aie/1 on a simulated array of AI Engines.
#include "binding/binding.h"

namespace htp::aiesim {

namespace {
const htp_unit units[] = {binding_unit<Simulated>("aiesim.binding"), analysis_unit<simulate>("aiesim.simulation"),
                          analysis_unit<views>("aiesim.views")};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};
} // namespace

} // namespace htp::aiesim

HTP_PLUGIN("htp.binding-aiesim", "0.1.0", htp::aiesim::units, htp::aiesim::diagnostics)
