// htp.binding-a2a3sim: packages of contract a2a3/1 on a simulated A2/A3 processor.
#include "binding/package.h"

namespace htp::a2a3sim {

namespace {
const htp_unit units[] = {binding_unit<Simulated>("a2a3sim.binding")};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};
} // namespace

} // namespace htp::a2a3sim

HTP_PLUGIN("htp.binding-a2a3sim", "0.1.0", htp::a2a3sim::units, htp::a2a3sim::diagnostics)
