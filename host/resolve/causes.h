// host/resolve/causes.h — what the search blames, as causes with locations, faults and what comes near;
// what would help, as changes of lines.
#pragma once

#include "host/resolve/conflict.h"

namespace htp {

std::vector<Conflict> told(const Model &model, const std::vector<FoundConflict> &found);

} // namespace htp
