// plugins/backend-cpu/lowering/loops/webs.h — one name, one value: a tile name that is bound anew gets a name of its
// own from there on, so that what never meets shares no buffer.
#pragma once

#include "cpu.h"

namespace htp::cpu::loops {

// The function with such names told apart. A name that a loop carries, or that branches bind, stays one; but what a
// parallel loop binds is its own.
Node separate_names(const Context &c, const Names &names, Node function);

} // namespace htp::cpu::loops
