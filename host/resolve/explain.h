// host/resolve/explain.h — resolutions, plans, conflicts and failures in sentences. The resolver and the planner know
// nothing of it.
#pragma once

#include "host/diag/diagnostic.h"
#include "host/resolve/planner.h"
#include "host/resolve/resolve.h"

#include <functional>
#include <string>

namespace htp {

// Reports why there is no resolution: each cause at its line, and the smallest changes that would help.
void report(const Refusal &refusal, const Request &request, Diagnostics &diagnostics);
// The same as JSON: {"conflicts": [{"causes": […], "fixes": […]}, …], "undecided": which search met its limit}, each
// where there is any.
std::string explain_json(const Refusal &refusal);

// Why it was passed over, as what follows its name in a sentence.
std::string passed_text(const PassedOver &passed);

// Which plugins and units, why, and what was passed over; which passes, and who uses what they bring. `plan` may be
// null.
std::string explain_text(const Resolution &resolution, const std::vector<PassedOver> &passed_over,
                         const Request &request, const PassPlan *plan);
// The same as JSON: {"schema": "htp.plan/1", "plugins": […], "passed_over": […], "order": {…} or null}.
std::string explain_json(const Resolution &resolution, const std::vector<PassedOver> &passed_over,
                         const Request &request, const PassPlan *plan);

// Warns of plugins that the request names and of which nothing takes part, because it cannot.
// `passed_over` is asked once, and only then.
void report_idle(const Resolution &resolution, const PassPlan &plan,
                 const std::function<std::vector<PassedOver>()> &passed_over, Diagnostics &diagnostics);

} // namespace htp
