// htp_cpp/layout/dims.h — the digits of a layout dimension by dimension of a tensor.
#pragma once

#include "htp_cpp/layout/core.h"

namespace htp::layout {

inline std::string shape_text(const std::vector<int64_t> &shape) {
  std::string text;
  for (const int64_t e : shape) text += (text.empty() ? "" : ", ") + std::to_string(e);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

// Of each dimension its digits, highest first; dimensions of extent 1 have none.
inline Result<std::vector<std::vector<Term>>> by_dimension(const Layout &layout, const std::vector<int64_t> &shape) {
  if (product_of(shape) != layout.size())
    return No{"a layout of " + std::to_string(layout.size()) + " elements has not the shape " + shape_text(shape)};
  std::vector<Term> rest = layout.terms();
  std::vector<std::vector<Term>> result(shape.size());
  for (size_t k = shape.size(); k-- > 0;) {
    int64_t open = shape[k];
    while (open > 1) {
      Term &t = rest.back();
      if (open % t.extent == 0) {
        open /= t.extent;
        result[k].insert(result[k].begin(), std::move(t));
        rest.pop_back();
      } else if (t.extent % open == 0 && !t.is_xor()) {
        result[k].insert(result[k].begin(), {open, t.steps});
        t = {t.extent / open, {t.steps[0] * open}};
        open = 1;
      } else {
        return No{(t.is_xor() ? "a swizzle of " : "a digit of ") + std::to_string(t.extent) +
                  " lies across the end of dimension " + std::to_string(k) + " of the shape " + shape_text(shape)};
      }
    }
  }
  return result;
}

} // namespace htp::layout
