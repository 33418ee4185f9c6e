// host/ast/walk.h — traversals for the host's own use; the walk in source order is the SDK's (htp/walk.h).
#pragma once

#include "host/ast/kinds.h"

#include <htp/walk.h>

#include <vector>

namespace htp {

// Calls visit(child) for each child of `n`, in field order.
template <class Visit> void for_each_child(const htp_store &store, htp_node n, Visit &&visit) {
  htp_run runs[HTP_WALK_RUNS];
  const uint32_t count = htp_runs_of(&store, n, runs);
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < runs[i].count; ++k)
      if (runs[i].items[k] != HTP_NONE) visit(htp_node{runs[i].items[k]});
}

// The nodes of a subtree, parents first, fields in the table's order: the k of a file's `NN:k` is the index here (R3).
// It depends on structure alone, so the tree read back from the stage's text is numbered alike.
std::vector<htp_node> preorder(const htp_store &store, htp_node root);

} // namespace htp
