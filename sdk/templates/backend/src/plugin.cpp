// What this plugin is: its units, under the names that the manifest gives them, and its diagnostics.
#include "my_plugin.h"

#include <algorithm>

namespace htp_my_plugin {
namespace {

#include "intrinsics.inc" // intrinsic_rows, made from python/htp_my_plugin/intrinsics.py

// `my_plugin.tile(f32, i, N)` and `my_plugin.buffer(…)` are tiles of what they name; other intrinsics give nothing.
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes) {
  if (std::string_view(row.rule) != "tile") return c.make(make::Constant{.value = {}}, call);
  std::vector<uint32_t> arguments;
  for (const Node n : c.get<ast::Call>(call).args()) arguments.push_back(copy_of(c, n, call));
  return c.make(make::Subscript{.value = c.path("htp.Tile", call),
                                .slice = c.make(make::Tuple{.elts = arguments, .ctx = HTP_LOAD}, call),
                                .ctx = HTP_LOAD},
                call);
}

// The target set is all of the intrinsics: by name, null at the end.
struct Names {
  const char *names[std::size(intrinsic_rows) + 1] = {};
};
constexpr Names target = [] {
  Names result;
  for (size_t k = 0; k < std::size(intrinsic_rows); ++k) result.names[k] = intrinsic_rows[k].name;
  std::sort(std::begin(result.names), std::end(result.names) - 1,
            [](const char *a, const char *b) { return std::string_view(a) < std::string_view(b); });
  return result;
}();
constexpr auto &target_set = target.names;

constexpr htp_handler handler_rows[] = {
#define HANDLER(intrinsic, how, target) {intrinsic, "my-plugin"},
#include "handlers.def"
};

constexpr htp_unit units[] = {
    intrinsics_unit<intrinsic_rows, infer>("my-plugin.intrinsics"),
    handlers_unit<handler_rows, rewrite_call>("my-plugin.handlers"),
    pass_unit<select>("my-plugin.select"),
    pass_unit<allocate_buffers>("my-plugin.allocate_buffers"),
    verifier_unit<is_selected>("my-plugin.selected"),
    verifier_unit<is_ready>("my-plugin.ready"),
    backend_unit<target_set, emit>("my-plugin"),
    binding_unit<Binding>("my-plugin.binding"),
};

constexpr htp_diag_info diagnostics[] = {
#define DIAG HTP_DIAGNOSTICS_ROW
#include "diagnostics.def"
#undef DIAG
};

} // namespace
} // namespace htp_my_plugin

HTP_PLUGIN("my.plugin", "0.1.0", htp_my_plugin::units, htp_my_plugin::diagnostics)
