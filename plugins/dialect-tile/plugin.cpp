// What this plugin is, and nothing about how.
#include "diagnostics.h"
#include "language/check.h"
#include "passes/passes.h"
#include "rules/rules.h"
#include "verify/verify.h"

namespace htp::tile {
namespace {

#include "intrinsics.inc"

constexpr htp_diag_info diagnostics[] = {
#define DIAG HTP_DIAGNOSTICS_ROW
#include "diagnostics.def"
#undef DIAG
};

constexpr const char module_name[] = "htp_tile";
constexpr const char *decorators[] = {"kernel", nullptr};

// The entry, when it is a kernel, with the functions it calls; what another dialect makes one of is checked when it has
// become one.
Result check_module(const Context &c, Node root) {
  const Module written(c, root);
  const Node whole = inlined(written);
  if (c.errors()) return HTP_FAILED;
  const Module module(c, whole);
  const Node function = c.entry_function(whole);
  if (function && module.decorated(function, "htp_tile.kernel"))
    for (const auto &[root_of, name] : called_kernels(written)) check(Module(c, root_of), c.function(root_of, name));
  if (c.errors()) return HTP_FAILED;
  if (function && module.decorated(function, "htp_tile.kernel")) check(module, function);
  return c.result();
}

const htp_unit units[] = {
    dialect_unit<module_name, decorators, check_module>("tile"),
    intrinsics_unit<intrinsic_rows, type_of_call>("tile.intrinsics"),
    pass_unit<structure>("tile.structure"),
    pass_unit<inline_functions>("tile.inline"),
    pass_unit<canonicalize>("tile.canonicalize"),
    pass_unit<infer>("tile.infer"),
    verifier_unit<is_kernel>("tile.kernel"),
    verifier_unit<is_expanded>("tile.expanded"),
    verifier_unit<is_structured>("tile.structured"),
    verifier_unit<is_inlined>("tile.inlined"),
    verifier_unit<is_canonical>("tile.canonical"),
    verifier_unit<is_typed>("tile.typed"),
};

} // namespace
} // namespace htp::tile

HTP_PLUGIN("htp.dialect-tile", "0.1.0", htp::tile::units, htp::tile::diagnostics)
