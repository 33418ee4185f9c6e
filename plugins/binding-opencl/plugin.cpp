// htp.binding-opencl: packages of work-groups, on whatever device the machine has.
#include "binding.h"

namespace htp::opencl {

namespace {

constexpr htp_unit units[] = {binding_unit<Binding>("opencl.binding")};

constexpr htp_diag_info diagnostics[] = {
#define DIAG HTP_DIAGNOSTICS_ROW
#include "diagnostics.def"
#undef DIAG
};

} // namespace

} // namespace htp::opencl

HTP_PLUGIN("htp.binding-opencl", "0.1.0", htp::opencl::units, htp::opencl::diagnostics)
