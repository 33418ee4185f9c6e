// host/ast/rewrite.h — a tree from a tree. What is unchanged keeps its id, and a rewrite that changes nothing makes
// nothing.
#pragma once

#include "host/ast/store.h"

#include <functional>
#include <vector>

namespace htp {

// What to do at each node; rules that are not given do nothing. A rule answers the node that stands instead, `n` itself
// to leave it; HTP_NONE stops the rewrite.
struct RewriteRules {
  // On the way down, before the children. The children of the answer are rewritten, the answer is not asked again.
  std::function<htp_node(htp_node n)> enter = {};
  // On the way up: `n` with its children rewritten. Its origin leads to the node it was.
  std::function<htp_node(htp_node n)> leave = {};
  // For a statement of a block, after `leave`: appends the statements that stand instead, any number. False stops.
  std::function<bool(htp_node n, std::vector<htp_node> &instead)> statement = {};
};

// The rewritten root; HTP_NONE when a rule stopped it or the store refused a node (`store.reason()`).
htp_node rewrite(Store &store, htp_node root, const RewriteRules &rules);

} // namespace htp
