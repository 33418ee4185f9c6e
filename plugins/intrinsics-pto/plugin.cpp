// htp.intrinsics-pto: the instructions of Ascend's vector cores, declared in Python.
#include "htp_cpp/plugin.h"

namespace htp::pto {

using namespace htp::sdk;

namespace {
#include "intrinsics.inc"

// `pto.tile(f32, 8, 64, …)` is a tile of what is named; every other instruction has no result.
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes) {
  if (std::string_view(row.rule) != "tile") return c.make(make::Constant{.value = {}}, call);
  std::vector<uint32_t> parts;
  for (const Node n : c.get<ast::Call>(call).args()) parts.push_back(c.parse(c.show(n), call));
  return c.make(make::Subscript{.value = c.path("htp.Tile", call),
                                .slice = c.make(make::Tuple{.elts = parts, .ctx = HTP_LOAD}, call),
                                .ctx = HTP_LOAD},
                call);
}

constexpr htp_unit units[] = {intrinsics_unit<intrinsic_rows, infer>("pto.intrinsics")};
constexpr std::array<htp_diag_info, 0> diagnostics{};
} // namespace

} // namespace htp::pto

HTP_PLUGIN("htp.intrinsics-pto", "0.1.0", htp::pto::units, htp::pto::diagnostics)
