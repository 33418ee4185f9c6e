// htp.lowering-cpu: from tiles to loops over elements, in the words of the CPU.
#include "lowering.h"

namespace htp::cpu {

namespace {
constexpr htp_unit units[] = {
    handlers_unit<handler_rows, rewrite_call>("cpu.handlers"),
    pass_unit<select>("cpu.select"),
    pass_unit<make_loops>("cpu.loops"),
    verifier_unit<verify_selected>("cpu.selected"),
};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};
} // namespace

} // namespace htp::cpu

HTP_PLUGIN("htp.lowering-cpu", "0.1.0", htp::cpu::units, htp::cpu::diagnostics)
