// htp.backend-aie: the tile language on AMD's AI Engines, through MLIR-AIE.
#include "passes/passes.h"

namespace htp::aie {

namespace {
#include "intrinsics.inc"

// `aie.buffer(f32, 8, 64)` is a tile of what is named; every other intrinsic has no result that types are inferred of.
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes) {
  if (std::string_view(row.rule) != "buffer") return c.make(make::Constant{.value = {}}, call);
  std::vector<uint32_t> parts;
  for (const Node n : c.get<ast::Call>(call).args()) parts.push_back(c.parse(c.show(n), call));
  return c.make(make::Subscript{.value = c.path("htp.Tile", call),
                                .slice = c.make(make::Tuple{.elts = parts, .ctx = HTP_LOAD}, call),
                                .ctx = HTP_LOAD},
                call);
}

// The target set is the whole of aie.intrinsics, sorted.
constexpr const char *target_set[] = {
#define INTRINSIC(name) "aie." name,
#include "target.def"
    nullptr};

constexpr htp_unit units[] = {
    intrinsics_unit<intrinsic_rows, infer>("aie.intrinsics"),
    handlers_unit<handler_rows, rewrite_call>("aie.handlers"),
    pass_unit<pass_of<folded_branches>>("aie.fold_branches"),
    pass_unit<forward_caches>("aie.forward_caches"),
    pass_unit<select>("aie.select"),
    pass_unit<pass_of<legal_calls>>("aie.legalize_calls"),
    pass_unit<pass_of<lowered_iota>>("aie.lower_iota"),
    pass_unit<pass_of<spread_stores>>("aie.spread_stores"),
    pass_unit<spread>("aie.spread"),
#define CORE_PASS(state, name, made) pass_unit<pass_of<made>>("aie." #name),
#include "passes/on_cores.def"
#undef CORE_PASS
    pass_unit<insert_streams>("aie.insert_streams"),
    pass_unit<pass_of<elided_copies>>("aie.elide_copies"),
    pass_unit<pass_of<inlined_loops>>("aie.inline_loops"),
    pass_unit<use_matrix_units>("aie.use_matrix_units"),
    pass_unit<link_streams>("aie.link_streams"),
    pass_unit<place>("aie.place"),
    pass_unit<route_shims>("aie.route_shims"),
    verifier_unit<verify_folded>("aie.folded"),
    verifier_unit<verify_uncached>("aie.uncached"),
    verifier_unit<verify_selected>("aie.selected"),
    verifier_unit<verify_calls>("aie.calls"),
    verifier_unit<verify_iota>("aie.iota"),
    verifier_unit<verify_stores>("aie.stores"),
    verifier_unit<verify_mapped>("aie.mapped"),
#define CORE_PASS(state, name, made) verifier_unit<verify_on_cores>("aie.after-" #name),
#include "passes/on_cores.def"
#undef CORE_PASS
    verifier_unit<verify_fed>("aie.fed"),
    verifier_unit<verify_elided>("aie.elided"),
    verifier_unit<verify_inlined>("aie.inlined"),
    verifier_unit<verify_in_blocks>("aie.in-blocks"),
    verifier_unit<verify_streamed>("aie.streamed"),
    verifier_unit<verify_placed>("aie.placed"),
    verifier_unit<verify_ready>("aie.ready"),
    analysis_unit<module_table>("aie.module"),
    backend_unit<target_set, emit>("aie"),
};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};
} // namespace

} // namespace htp::aie

HTP_PLUGIN("htp.backend-aie", "0.1.0", htp::aie::units, htp::aie::diagnostics)
