// htp.backend-a2a3: the tile language on Ascend's A2 and A3, through PTO.
#include "a2a3.h"

namespace htp::a2a3 {

namespace {
// The target set is the whole of pto.intrinsics, sorted.
constexpr const char *target_set[] = {
#define WORD(name) "pto." name,
#include "target.def"
    nullptr};

constexpr htp_unit units[] = {
    handlers_unit<handler_rows, rewrite_call>("a2a3.handlers"),
    pass_unit<select>("a2a3.select"),
    pass_unit<split>("a2a3.split"),
    pass_unit<place>("a2a3.place"),
    pass_unit<order>("a2a3.order"),
    verifier_unit<verify_selected>("a2a3.selected"),
    verifier_unit<verify_split>("a2a3.split-kernels"),
    verifier_unit<verify_placed>("a2a3.placed"),
    verifier_unit<verify_ready>("a2a3.ready"),
    backend_unit<target_set, emit>("a2a3"),
};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};
} // namespace

} // namespace htp::a2a3

HTP_PLUGIN("htp.backend-a2a3", "0.1.0", htp::a2a3::units, htp::a2a3::diagnostics)
