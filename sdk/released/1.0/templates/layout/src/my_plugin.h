// my_plugin.h — the unit of the plugin.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp_my_plugin {

using namespace htp::sdk;

// my-plugin.levels
struct Levels {
  static constexpr const char *constructor = "htp_my_plugin.levels", *facet = "hardware";
  static Node canonical(const Context &c, Node layout);
  static Node to_core(const Context &c, Node layout);
  static Node from_core(const Context &c, Node core);
  static Node join(const Context &c, Node a, Node b);
};

namespace diag {
inline constexpr DiagKind bad_level{"my-plugin.bad-level", error, "`{}` is no level"};
} // namespace diag

} // namespace htp_my_plugin
