// plugins/backend-cpu/imports.h — keeping a module's imports in step with what a pass made of it.
#pragma once

#include "types.h"

#include "htp_cpp/imports.h"

namespace htp::cpu {

// The module with `import MODULE as ALIAS` after its last import, unless it stands there already.
Node add_import(const Tree &t, Node module, std::string_view name, std::string_view alias, Node origin);
// What a stage may need no more once its intrinsics are of the target set.
inline bool is_tile_import(std::string_view path) { return path == "htp_tile" || path.starts_with("htp_tile."); }

} // namespace htp::cpu
