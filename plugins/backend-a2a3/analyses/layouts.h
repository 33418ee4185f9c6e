// plugins/backend-a2a3/analyses/layouts.h — how parameters lie in global memory, and transfers that follow.
#pragma once

#include "a2a3.h"

#include "htp_cpp/constants.h"
#include "htp_cpp/layout/array.h"
#include "htp_cpp/types.h"

#include <algorithm>

namespace htp::a2a3 {

// What each pass behind a2a3.select reads: `htp.layouts.strided((48, 40), (1, 48))`, of numbers. A type that says
// nothing else lies row-major, and so does every other one that a verifier lets pass.
struct Strided {
  std::vector<int64_t> shape, steps; // empty: row-major
  explicit operator bool() const { return !steps.empty(); }
  int64_t span() const { return layout::array_span(steps, shape); } // the elements from the first to the last
  bool gaps() const { return span() > layout::product_of(shape); }
};
// `(48, 40)`, as Python writes it.
std::string tuple_text(const std::vector<int64_t> &of);
Strided strided_of(const Reader &r, const Type &type);
// The same of a layout in any notation; false where it has no steps, which `why` says then.
bool read_strided(const Context &c, const Names &names, const Constants &constants, const Type &type, Strided &out,
                  std::string &why);
// The module with the layouts of its entry's parameters so.
Node with_strided_parameters(const Context &c, Node root);

// `pto.tload(tile, x, i, j, turned=True)`: the columns of the slice are the tile's rows.
bool is_turned(const Context &c, const ast::Call &call);
// The keywords of a transfer, where it is written anew.
std::vector<uint32_t> keywords_of(const Context &c, Node call);

} // namespace htp::a2a3
