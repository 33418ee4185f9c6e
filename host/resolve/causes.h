// host/resolve/causes.h — what the search blames, as causes with places, faults and what comes near.
#pragma once

#include "host/resolve/model.h"

namespace htp {

Conflict causes_of(const Model &model, const std::vector<std::vector<uint32_t>> &conflicts);

} // namespace htp
