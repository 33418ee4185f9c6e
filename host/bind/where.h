// host/bind/where.h — the user's lines that a package's last stage came from, by the maps beside its stages (R2).
#pragma once

#include "host/ast/store.h"
#include "host/base/source.h"
#include "host/package/reader.h"

namespace htp {

// Where node `number` (in preorder, of the last stage) stands in what the user compiled; nothing when it came from no
// line. The text is there when the file still is, unchanged, where it was compiled.
Span user_location(const Package &package, size_t number);
// Where an entry's parameter stands in it; nothing when the package has no first stage with that function.
Span parameter_location(const Package &package, const std::string &entry, const std::string &parameter, Store &store);

} // namespace htp
