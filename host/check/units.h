// host/check/units.h — what a loaded library's units say of themselves.
#pragma once

#include "host/check/subject.h"

namespace htp {

void check_units(const Subject &subject, const LoadedPlugin &plugin, Findings &findings);

} // namespace htp
