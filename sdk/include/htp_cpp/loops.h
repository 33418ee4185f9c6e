// htp_cpp/loops.h — loop forms (R11): what a loop runs over, beneath htp's loop forms.
#pragma once

#include "htp_cpp/names.h"

#include <string>
#include <vector>

namespace htp::sdk {

// `htp.parallel(tile.tiles(M, 8), level="core")`: the forms around it, outermost first, and what is inside.
struct LoopForms {
  std::vector<Node> wrappers;
  Node range = HTP_NONE;
  bool parallel = false, vectorized = false, unrolled = false, pipelined = false;
};

// A form that wraps anything but one thing is no wrapper: it is the range then.
inline LoopForms loop_forms(const Reader &r, const Names &names, Node iter) {
  LoopForms forms;
  forms.range = iter;
  while (auto call = r.as<ast::Call>(forms.range)) {
    const std::string called = names.qualified(call.func());
    bool *form = called == "htp.parallel"     ? &forms.parallel
                 : called == "htp.vectorized" ? &forms.vectorized
                 : called == "htp.unrolled"   ? &forms.unrolled
                 : called == "htp.pipelined"  ? &forms.pipelined
                                              : nullptr;
    if (!form || call.args().size() != 1) break;
    *form = true;
    forms.wrappers.push_back(forms.range);
    forms.range = call.args()[0];
  }
  return forms;
}

} // namespace htp::sdk
