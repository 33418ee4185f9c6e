// What this plugin is: its units, under the names that the manifest gives them, and its diagnostics.
#include "my_plugin.h"

#include <algorithm>

namespace htp_my_plugin {
namespace {

#include "intrinsics.inc" // intrinsic_rows, made from python/htp_my_plugin/intrinsics.py

// The words have the typing rules of the tile language's.
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes types) {
  const std::string tile = "tile." + std::string(row.rule);
  return c.host()->infer(c.ctx(), str(tile), call, types.data(), static_cast<uint32_t>(types.size()));
}

// The target set is all of the words: by name, null at the end.
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
    {"tile.load", "my-plugin"}, {"tile.store", "my-plugin"}, {"tile.add", "my-plugin"}, {"tile.sub", "my-plugin"},
    {"tile.mul", "my-plugin"},  {"tile.div", "my-plugin"},   {"tile.neg", "my-plugin"}, {"tile.absolute", "my-plugin"},
    {"tile.sqrt", "my-plugin"}, {"tile.exp", "my-plugin"},
};

constexpr htp_unit units[] = {
    intrinsics_unit<intrinsic_rows, infer>("my-plugin.words"),
    handlers_unit<handler_rows, rewrite_call>("my-plugin.handlers"),
    pass_unit<select>("my-plugin.select"),
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
