// acme.h — the parts of the plugin.
#pragma once

#include "htp_cpp/names.h"
#include "htp_cpp/plugin.h"

namespace acme {

using namespace htp::sdk;

namespace diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace diag

// The dialect: refuses what a routine has not.
Result check(const Context &c, Node root);
// acme.blocks
Result blocks(const Context &c, Node root, Node &out);
// acme.routine
Result is_routine(const Context &c, std::string_view term, Node root);
// acme.cost
Result cost(const Context &c, Node root, const Sink &sink);
// acme.swish's typing rule and its handler
Node infer(const Context &c, const htp_intrinsic &row, Node call, Nodes types);
std::vector<uint32_t> rewrite(const Context &c, const htp_handler &row, const htp_handler_call &call);
// the layout facet
struct Hierarchy {
  static constexpr const char *constructor = "htp_acme.hierarchy", *facet = "hardware";
  static Node canonical(const Context &c, Node layout);
  static Node to_core(const Context &c, Node layout);
  static Node from_core(const Context &c, Node core);
  static Node join(const Context &c, Node a, Node b);
};

// Whether the entry is marked with @routine.
bool has_routine(const Context &c, const Names &names, Node function);
// A shaped type `Form[dtype, …]`: the words between the brackets; empty when it is none.
std::vector<Node> words_of(const Context &c, Node type);

} // namespace acme
