// host/ast/match.h — patterns written as Python: `_x + 0` matches any sum with 0 on its right and binds `_x`.
#pragma once

#include "host/ast/store.h"

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace htp {

// What the pattern's variables stand for, in the order they were met.
class Bindings {
public:
  // HTP_NONE when the pattern has no such variable.
  htp_node operator[](std::string_view variable) const;
  void bind(std::string_view variable, htp_node n) { rows_.emplace_back(variable, n); }

private:
  std::vector<std::pair<std::string_view, htp_node>> rows_;
};

// Whether the subtree `n` has the form of `pattern`, a tree of the same store. A Name of the pattern that begins with
// `_` is a variable: it matches any expression, the same one wherever it stands again; `_` alone matches any and binds
// nothing. Contexts (Load, Store) do not matter.
std::optional<Bindings> match(const Store &store, htp_node pattern, htp_node n);

// `form` with each variable replaced by what it is bound to; new nodes stand for `origin`. A subtree that is used a
// second time is copied: in a tree each node has one parent. HTP_NONE when the store is full.
htp_node apply(Store &store, htp_node form, const Bindings &bindings, htp_node origin);

// A copy of a subtree, node for node, each made from the one it copies.
htp_node copy(Store &store, htp_node root);

} // namespace htp
