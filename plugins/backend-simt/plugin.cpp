// htp.backend-simt-opencl: the tile language on machines of work-groups and lanes.
#include "emit/emit.h"
#include "verify/verify.h"

#include "htp_cpp/edit.h"

#include <algorithm>

namespace htp::simt {

namespace {
#include "intrinsics.inc"

// `reduce_*` of a buffer gives a scalar of its dtype; a barrier gives nothing.
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes types) {
  if (std::string_view(row.rule) != "scalar") return c.make(make::Constant{.value = {}}, call);
  auto type = types.empty() ? ast::Subscript{} : c.as<ast::Subscript>(types[0]);
  auto parts = type ? c.as<ast::Tuple>(type.slice()) : ast::Tuple{};
  return parts && !parts.elts().empty() ? c.parse(c.show(parts.elts()[0]), call) : HTP_NONE;
}

constexpr htp_handler handler_rows[] = {
#define OPERATION(intrinsic, operation, ...) {intrinsic, "opencl"},
#define SCALAR(...)
#define HANDLER(intrinsic, of_loops) {intrinsic, "opencl"},
#include "operations.def"
};
constexpr std::string_view of_loops[] = {
#define OPERATION(intrinsic, operation, ...) #operation,
#define SCALAR(...)
#define HANDLER(intrinsic, target) #target,
#include "operations.def"
};

// `tile.exp(x)` is `cpu.exp(x)`: what `cpu.loops` makes loops of.
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call) {
  auto made = c.read<ast::Call>(call.call);
  made.func = c.path("cpu." + std::string(of_loops[&row - handler_rows]), made.func);
  return {with_value(c, call.statement, c.with(call.call, made))};
}

// What a stage may call: before `cpu.loops` what has a handler, behind it scalars and memory of the loops, and
// barriers. The emitter takes the latter, and its contract is that nothing else is left.
constexpr auto target_set = [] {
#define OPERATION(intrinsic, operation, ...) "cpu." #operation,
#define SCALAR(operation, ...) "cpu." #operation,
#define HANDLER(intrinsic, target) "cpu." #target,
  std::array names{
#include "operations.def"
      "cpu.alloc", "cpu.get", "cpu.index", "cpu.put", "cpu.splat", "simt.barrier"};
  std::sort(names.begin(), names.end(), [](const char *a, const char *b) { return std::string_view(a) < b; });
  std::array<const char *, names.size() + 1> ended{};
  std::copy(names.begin(), names.end(), ended.begin());
  return ended;
}();
constexpr htp_backend opencl{head<htp_backend>(HTP_LAYOUT_BACKEND), target_set.data(),
                             [](const htp_host *h, htp_ctx *x, htp_node root) {
                               return guarded(h, x, HTP_INTERNAL, [&] { return emit(Context(h, x), root); });
                             }};

constexpr htp_unit units[] = {
    intrinsics_unit<intrinsic_rows, infer>("simt.intrinsics"),
    handlers_unit<handler_rows, rewrite_call>("opencl.handlers"),
    analysis_unit<dependences>("simt.dependences"),
    verifier_unit<verify_mapped>("simt.mapped"),
    verifier_unit<verify_ready>("simt.ready"),
    {HTP_EXT_BACKEND, "opencl", &opencl},
};

constexpr htp_diag_info diagnostics[] = {
#define DIAG(...) HTP_DIAGNOSTICS_ROW(__VA_ARGS__)
#include "diagnostics.def"
#undef DIAG
};
} // namespace

} // namespace htp::simt

HTP_PLUGIN("htp.backend-simt-opencl", "0.1.0", htp::simt::units, htp::simt::diagnostics)
