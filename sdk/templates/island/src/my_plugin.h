// my_plugin.h — the units of the plugin, and what they share.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp_my_plugin {

using namespace htp::sdk;

// my-plugin.share
struct Share {
  static constexpr const char *suffix = ".txt";
  static bool claims(const Context &c, Node statement);
  static Result leave(const Context &c, Node region, htp_str &text);
  static Result transform(const Context &c, std::string_view text, htp_str &result);
  static std::vector<uint32_t> enter(const Context &c, Node region, std::string_view text);
};
// my-plugin.is-shared
Result is_shared(const Context &c, std::string_view term, Node root);

// `name: T = call`, where the call computes the same whenever its text is the same.
struct Binding {
  Node statement;
  std::string name, call;
};
// The bindings of each list of statements in the function.
std::vector<std::vector<Binding>> blocks_of(const Context &c, Node function);

namespace diag {
inline constexpr DiagKind tool_failed{"my-plugin.tool-failed", fault, "python3 ended with status {}"};
inline constexpr DiagKind twice{"my-plugin.twice", note, "`{}` is computed before, as `{}`"};
} // namespace diag

} // namespace htp_my_plugin
