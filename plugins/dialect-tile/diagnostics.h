// dialect-tile's diagnostics as the names that code uses.
#pragma once

#include "htp_cpp/plugin.h"

namespace htp::tile::diag {
#define DIAG HTP_DIAGNOSTICS_KIND
#include "diagnostics.def"
#undef DIAG
} // namespace htp::tile::diag
