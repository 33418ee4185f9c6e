// host/bind/where.h — the user's lines that a package's last stage came from, by the maps beside its stages (R2).
#pragma once

#include "host/base/source.h"
#include "host/package/reader.h"

namespace htp {

// Where node `number` (in preorder, of the last stage) stands in what the user compiled; nothing when it came from no
// line. The text is there when the file still is, unchanged, where it was compiled.
Span user_place(const Package &package, size_t number);

} // namespace htp
