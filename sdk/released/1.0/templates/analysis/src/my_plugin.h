// my_plugin.h — the units of the plugin.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"

namespace htp_my_plugin {

using namespace htp::sdk;

// my-plugin.work
Result work(const Context &c, Node root, const Sink &sink);
// my-plugin.notes
Result write_notes(const Context &c, Node root, Node &out);
// my-plugin.is-noted
Result is_noted(const Context &c, std::string_view term, Node root);

namespace diag {
inline constexpr DiagKind no_note{"my-plugin.no-note", note, "no comment says how much work this loop does"};
} // namespace diag

// A loop over blocks, however it may run: `for i in tiles(M, 8)`, `for i in htp.parallel(tiles(M, 8))`.
bool over_blocks(const Context &c, const Names &names, Node statement);

} // namespace htp_my_plugin
