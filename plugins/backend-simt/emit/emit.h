// plugins/backend-simt/emit/emit.h — a Simt.Ready program as OpenCL C.
#pragma once

#include "simt.h"

namespace htp::simt {

Result emit(const Context &c, Node root);

} // namespace htp::simt
