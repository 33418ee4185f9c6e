#include "host/ast/walk.h"

#include <algorithm>

namespace htp {

std::vector<htp_node> preorder(const htp_store &store, htp_node root) {
  std::vector<htp_node> order, pending{root};
  order.reserve(1024);
  while (!pending.empty()) {
    const htp_node n = pending.back();
    pending.pop_back();
    order.push_back(n);
    const auto below = static_cast<std::ptrdiff_t>(pending.size());
    for_each_child(store, n, [&](htp_node child) { pending.push_back(child); });
    std::reverse(pending.begin() + below, pending.end());
  }
  return order;
}

} // namespace htp
