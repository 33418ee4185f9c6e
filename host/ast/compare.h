// host/ast/compare.h — whether two subtrees are the same Python, wherever they stand.
#pragma once

#include <htp/ast.h>

namespace htp {

// The first pair of nodes that differ, in preorder; both 0 when the trees are equal. Kinds, names, constants, operators
// and structure count; locations, origins, comments, the forms of literals and contexts (which follow from where a node
// stands) do not.
struct Difference {
  htp_node a = HTP_NONE, b = HTP_NONE;
  explicit operator bool() const { return a != HTP_NONE || b != HTP_NONE; }
};
Difference first_difference(const htp_store &a_store, htp_node a, const htp_store &b_store, htp_node b);

inline bool same_tree(const htp_store &store, htp_node a, htp_node b) { return !first_difference(store, a, store, b); }

} // namespace htp
