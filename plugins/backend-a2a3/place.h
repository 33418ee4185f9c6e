// plugins/backend-a2a3/place.h — where tiles lie.
#pragma once

#include "shapes.h"

namespace htp::a2a3 {

// Of the 192 KiB of the unified buffer the last 8 are scratch of the instructions themselves.
inline constexpr int64_t buffer_bytes = 184 * 1024;

} // namespace htp::a2a3
