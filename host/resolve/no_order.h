// host/resolve/no_order.h — why there is no order of passes, as the record that conflicts are told from: causes and
// fixes. Each fix was tried: with it there is an order.
#pragma once

#include "host/resolve/planner.h"

namespace htp {

// `request` is what plan_passes() failed at; the resolution says which plugins its passes are of.
Refusal no_order(const PlanRequest &request, const PlanFailure &failure, const Resolution &resolution);

} // namespace htp
