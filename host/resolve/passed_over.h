// host/resolve/passed_over.h — what a solution was chosen over.
#pragma once

#include "host/resolve/along.h"

namespace htp {

// `search` has found `chosen`; `along` comes with it.
std::vector<PassedOver> passed_over(const Model &model, Search &search, const Chosen &chosen, const Along &along);

} // namespace htp
