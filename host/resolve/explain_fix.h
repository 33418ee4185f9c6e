// host/resolve/explain_fix.h — what would help, as sentences and as edits.
#pragma once

#include "host/diag/diagnostic.h"
#include "host/resolve/resolve.h"

namespace htp {

std::string text_of(const Change &change); // "relax `Dialect.Tile@>=0.2` …"
void add_fixes(const std::vector<Fix> &fixes, Diagnostic &d);

} // namespace htp
