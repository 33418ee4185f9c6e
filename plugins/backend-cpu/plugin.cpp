// htp.backend-cpu: the tile language on the machine's own processor, through C.
#include "lowering/handlers.h"

#include <algorithm>

namespace htp::cpu {

namespace {
#include "intrinsics.inc"

// Tensor[dtype, extents] of `claim(channel, extents)`; of a rendezvous nothing.
Node slot_type(const Context &c, Node call, Nodes types) {
  auto channel = c.as<ast::Subscript>(types[0]);
  if (!channel) return c.make(make::Constant{.value = {}}, call);
  auto several = c.as<ast::Tuple>(channel.slice());
  const Nodes arguments = c.get<ast::Call>(call).args();
  std::vector<uint32_t> items{clone(c, several ? several.elts()[0] : channel.slice())};
  for (const Node extent : arguments.subspan(1)) items.push_back(clone(c, extent));
  return c.make(make::Subscript{.value = c.path("htp.Tensor", call),
                                .slice = c.make(make::Tuple{.elts = items, .ctx = HTP_LOAD}, call),
                                .ctx = HTP_LOAD},
                call);
}

// The intrinsics shared with the tile language have its typing rules; the others concern single elements.
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes types) {
  const std::string_view intrinsic = std::string_view(row.name).substr(4);
  auto as_tile = [&](std::string_view tile_intrinsic, const std::vector<htp_node> &operands) {
    return c.host()->infer(c.ctx(), str("tile." + std::string(tile_intrinsic)), call, operands.data(),
                           static_cast<uint32_t>(operands.size()));
  };
  const std::vector<htp_node> operands(types.begin(), types.end());
  if (std::string_view(row.rule) == "channel")
    return c.host()->infer(c.ctx(), str("csp." + std::string(intrinsic)), call, types.data(),
                           static_cast<uint32_t>(types.size()));
  if (intrinsic == "publish" || intrinsic == "release" || intrinsic == "drop" || intrinsic == "signal" ||
      intrinsic == "meet" || intrinsic == "close" || intrinsic == "more")
    return c.make(make::Constant{.value = {}}, call);
  if (std::string_view(row.rule) == "slot") return slot_type(c, call, types);
  if (intrinsic == "alloc") return as_tile("zeros", operands);
  if (intrinsic == "fma") {
    const htp_node product = as_tile("mul", {operands[0], operands[1]});
    return product ? as_tile("add", {product, operands[2]}) : HTP_NONE;
  }
  if (intrinsic == "position" && c.get<ast::Call>(call).args().size() == 1) return as_tile("index", {operands[0]});
  if (intrinsic == "get" || intrinsic == "put" || intrinsic == "splat" || intrinsic == "index" ||
      intrinsic == "position" || intrinsic == "order") {
    c.report(diag::of_elements, call, row.name);
    return HTP_NONE;
  }
  return as_tile(intrinsic, operands);
}

// The emitter's target set is the whole set of intrinsics, by name, null-terminated.
constexpr auto target_set = [] {
  std::array<const char *, std::size(intrinsic_rows) + 1> names{};
  for (size_t k = 0; k + 1 < names.size(); ++k) names[k] = intrinsic_rows[k].name;
  std::sort(names.begin(), names.end() - 1, [](const char *a, const char *b) { return std::string_view(a) < b; });
  return names;
}();
template <auto Emit> constexpr htp_backend backend_interface_of{
    head<htp_backend>(HTP_LAYOUT_BACKEND), target_set.data(), [](const htp_host *h, htp_ctx *x, htp_node root) {
      return guarded(h, x, HTP_INTERNAL, [&] { return Emit(Context(h, x), root); });
    }};

constexpr htp_unit units[] = {
    intrinsics_unit<intrinsic_rows, infer>("cpu.intrinsics"),
    handlers_unit<handler_rows, rewrite_call>("cpu.handlers"),
    pass_unit<select>("cpu.select"),
    pass_unit<serialize_copies>("cpu.serialize_copies"),
    pass_unit<rename_rebindings>("cpu.rename_rebindings"),
    pass_unit<widen_blocks>("cpu.widen_blocks"),
    pass_unit<make_loops>("cpu.loops"),
    pass_unit<drop_redundant_stores>("cpu.drop_redundant_stores"),
    pass_unit<pack_panels>("cpu.pack_panels"),
    pass_unit<unroll_and_jam>("cpu.unroll_and_jam"),
    pass_unit<stream_rows>("cpu.stream_rows"),
    verifier_unit<verify_selected>("cpu.selected"),
    verifier_unit<verify_serial>("cpu.serial"),
    verifier_unit<verify_renamed>("cpu.renamed"),
    verifier_unit<verify_ready>("cpu.ready"),
    verifier_unit<verify_elided>("cpu.elided"),
    verifier_unit<verify_packed>("cpu.packed"),
    verifier_unit<verify_jammed>("cpu.jammed"),
    verifier_unit<verify_streamed>("cpu.streamed"),
    {HTP_EXT_BACKEND, "cpu", &backend_interface_of<emit>},
    analysis_unit<cost>("cpu.cost"),
    analysis_unit<simulate>("cpu.simulation"),
    {HTP_EXT_BINDING, "cpu.binding", &binding},
};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};
} // namespace

} // namespace htp::cpu

HTP_PLUGIN("htp.backend-cpu", "0.1.0", htp::cpu::units, htp::cpu::diagnostics)
