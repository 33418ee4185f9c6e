// htp.intrinsics-pto: the instructions of Ascend's vector and cube cores, declared in Python.
#include "htp_cpp/plugin.h"

namespace htp::pto {

using namespace htp::sdk;

namespace {
#include "intrinsics.inc"

// `pto.tile(f32, 8, 64, …)` is a tile of what is named, `pto.gm(f32, M, N)` a tensor; every other instruction has no
// result.
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes) {
  const std::string_view rule(row.rule);
  if (rule == "value") return c.parse("int", call);
  if (rule != "tile" && rule != "gm") return c.make(make::Constant{.value = {}}, call);
  std::vector<uint32_t> parts;
  for (const Node n : c.get<ast::Call>(call).args()) parts.push_back(c.parse(c.show(n), call));
  return c.make(make::Subscript{.value = c.path(rule == "gm" ? "htp.Tensor" : "htp.Tile", call),
                                .slice = c.make(make::Tuple{.elts = parts, .ctx = HTP_LOAD}, call),
                                .ctx = HTP_LOAD},
                call);
}

constexpr htp_unit units[] = {intrinsics_unit<intrinsic_rows, infer>("pto.intrinsics")};
constexpr std::array<htp_diag_info, 0> diagnostics{};
} // namespace

} // namespace htp::pto

HTP_PLUGIN("htp.intrinsics-pto", "0.1.0", htp::pto::units, htp::pto::diagnostics)
