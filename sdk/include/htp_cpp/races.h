// htp_cpp/races.h — whether two iterations of a loop touch one element of a tensor, at any sizes: by the sets of
// indices that they touch, under their guards and in their tails. What independence.h sees to be apart stays so; of the
// rest isl says whether two iterations meet. A draft. A plugin that uses this links with `htp::sets`.
#pragma once

#include "htp_cpp/independence.h"

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace htp::sdk {

// What keeps the iterations of a loop from running in any order, or was not shown not to.
struct Race : Dependence {
  bool sure = false;        // it happens, in the iterations that `example` names
  std::string example = {}; // "`p = 0` and `p = 1` meet at `y[0]` when M = 2"
  Node unknown = HTP_NONE;  // what was not known, where there is one such thing
  std::string why = {};
};

// In source order; a tensor is named once. As of `Independence`; `module` is the function's, for what it calls by a
// name.
std::vector<Race> find_races(const Context &context, const Names &names, Node module, Node function, Node loop,
                             std::initializer_list<std::string_view> blocks);

} // namespace htp::sdk
