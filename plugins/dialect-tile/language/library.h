// What a program imports that is no intrinsic: functions of htp_tile that are written in the language, and names of the
// language under other names.
#pragma once

#include "language/module.h"

namespace htp::tile {

// The program with the functions of htp_tile that it calls beside its own (python/htp_tile/functions.py), and with what
// it imported under another name spelled through its module: `from htp import bf16 as half` is `htp.bf16` where a type
// is read. Itself when it does neither.
Node with_library(const Module &module);

} // namespace htp::tile
