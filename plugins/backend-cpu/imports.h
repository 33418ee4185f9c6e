// plugins/backend-cpu/imports.h — keeping a module's imports in step with what a pass made of it.
#pragma once

#include "types.h"

namespace htp::cpu {

// The module with `import MODULE as ALIAS` after its last import, unless it stands there already.
Node add_import(const Tree &t, Node module, std::string_view name, std::string_view alias, Node origin);
// The module without `import … as ALIAS` for each alias of these whose name nothing uses any more.
Node drop_unused_imports(const Tree &t, Node module, std::initializer_list<std::string_view> modules);

} // namespace htp::cpu
