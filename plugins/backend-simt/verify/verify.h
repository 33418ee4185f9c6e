// plugins/backend-simt/verify/verify.h — what holds of a SIMT stage.
#pragma once

#include "model/program.h"

namespace htp::simt {

// Simt.Mapped: a grid of work-groups can be read, no two groups and no two lanes of a loop meet in memory, and a
// group's memory suffices.
Result verify_mapped(const Context &c, std::string_view term, Node root);
// Simt.Ready: in addition a barrier stands between one lane's write and another's access.
Result verify_ready(const Context &c, std::string_view term, Node root);

} // namespace htp::simt
