// htp_cpp/layout/annotation.h — layouts as annotation expressions: the one place where the algebra meets the tree.
#pragma once

#include "htp_cpp/layout/convert.h"
#include "htp_cpp/tree.h"

namespace htp::sdk {

// The layout that an annotation expression means; its arguments are literals.
inline layout::Result<layout::Layout> read_layout(const Tree &t, Node expression) {
  return layout::read(t.show(expression));
}

// The canonical constructor expression, which comes from `origin`.
inline Node write_layout(const Tree &t, const layout::Layout &layout, Node origin) {
  return t.parse(layout::write(layout), origin);
}

} // namespace htp::sdk
