// host/parse/python_error.h — what CPython's parser raised, as a diagnostic at its location in our text.
#pragma once

#include "host/base/source.h"
#include "host/diag/diagnostic.h"

namespace htp {

// Reports the Python error that is set, and clears it. `deep` is where to point when Python gave no location: the
// statement that is nested too deeply. The caller holds the Interpreter.
void report_python_error(const SourceRef &source, const Span &deep, Diagnostics &diagnostics);

// Whether the error that is set says that the program is nested too deeply; such an error has no location.
bool python_error_is_depth();

} // namespace htp
