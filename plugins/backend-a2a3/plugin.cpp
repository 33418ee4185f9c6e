// htp.backend-a2a3: the tile language on Ascend's A2 and A3, through PTO.
#include "passes/passes.h"

namespace htp::a2a3 {

namespace {
// The target set is the whole of pto.intrinsics, sorted.
constexpr const char *target_set[] = {
#define INTRINSIC(name) "pto." name,
#include "target.def"
    nullptr};

constexpr htp_unit units[] = {
    handlers_unit<handler_rows, rewrite_call>("a2a3.handlers"),
#define PASS(name) pass_unit<pass<name>>("a2a3." #name),
#define REWRITE(name, state) PASS(name)
#include "passes/passes.def"
    verifier_unit<verify_rewritten>("a2a3.rewritten"),
    verifier_unit<verify_selected>("a2a3.selected"),
    verifier_unit<verify_split>("a2a3.split-kernels"),
    verifier_unit<verify_tasks>("a2a3.tasks"),
    verifier_unit<verify_placed>("a2a3.placed"),
    verifier_unit<verify_ready>("a2a3.ready"),
    analysis_unit<views>("a2a3.views"),
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
