// host/resolve/respell.h — of what is asked for in vain, what was probably a slip in its spelling.
#pragma once

#include "host/resolve/model.h"

namespace htp {

// The names in a conflict's lines that are like others, each alone, where there is a solution once it is written
// right. As with other fixes, what the other conflicts ask for is left out.
std::vector<Fix> respellings(const Model &model, const std::vector<Conflict> &conflicts, size_t which);

} // namespace htp
