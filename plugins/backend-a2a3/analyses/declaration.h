// plugins/backend-a2a3/analyses/declaration.h — what `t = pto.tile(f32, 8, 64, valid=(i_n, N), at=0, space="ub")` says.
#pragma once

#include "analyses/program.h"

namespace htp::a2a3 {

struct Declaration {
  Tile tile;                                              // its dtype, space, layout and pad; what is valid of it
  std::string dtype;                                      // as it is spelled; of a mask the tile has none
  Node space = HTP_NONE, at = HTP_NONE, valid = HTP_NONE; // as they are spelled
  bool kept = false;

  bool mask() const { return dtype == "bool_"; }
  // What is wrong with its dtype, its space; nothing where there is nothing.
  Refusal wrong_dtype() const;
  Refusal wrong_space(const Context &c) const;
};

Declaration read_declaration(const Context &c, const Names &names, std::string_view name, Node call);

} // namespace htp::a2a3
