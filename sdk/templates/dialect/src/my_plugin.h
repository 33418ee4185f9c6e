// my_plugin.h — the units of the plugin, and what they share.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"
#include "htp_cpp/types.h"

#include <optional>

namespace htp_my_plugin {

using namespace htp::sdk;

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// The dialect: refuses what a formula has not.
Result check(const Context &c, Node root);
// my-plugin.blocks
Result blocks(const Context &c, Node root, Node &out);
// my-plugin.is-whole
Result is_whole(const Context &c, std::string_view term, Node root);

// Whether the function is marked with `@whole`.
bool marked(const Context &c, const Names &names, Node function);
// The type of a parameter, when it is a vector.
std::optional<Type> vector_of(const Context &c, Node parameter);
// `[:]`
bool whole_index(const Context &c, Node index);

} // namespace htp_my_plugin
