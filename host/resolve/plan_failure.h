// host/resolve/plan_failure.h — why no order of passes does it.
#pragma once

#include "host/resolve/pass_task.h"

namespace htp {

PlanFailure failure_of(const PassTerms &terms, const PassTask &task, const std::vector<uint32_t> &pipeline,
                       bool within_budget);

} // namespace htp
