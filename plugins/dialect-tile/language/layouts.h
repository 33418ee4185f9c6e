// Layouts as programs write them: in any notation of `htp.layouts`, or with the constructor of a facet.
#pragma once

#include "language/module.h"

namespace htp::tile {

// Whether `n` is a call of `htp.layout` or of a constructor of `htp.layouts`.
bool is_layout(const Module &module, Node n);
// Refuses what is neither that with a meaning nor a call of a facet's own constructor.
void check_layout(const Module &module, Node n);
// The dims that are steps of `htp.layouts.strided((M, N), (S0, 1))`, to which a call's array gives their values;
// nothing of another layout.
std::optional<std::vector<std::string>> dims_of_steps(const Module &module, Node n);
// And of a tensor of these extents, which is shown so.
void check_layout_of(const Module &module, Node n, Nodes extents, std::string_view shown);
// The canonical expression, `htp.layout(…)`; `n` itself when it is that, or a facet's. `htp` is how the module is
// reached.
Node canonical_layout(const Module &module, Node n, const std::string &htp);

} // namespace htp::tile
