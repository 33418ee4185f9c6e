// host/python/python.h — runs functions of HTP's Python packages in the embedded interpreter.
#pragma once

#include "host/diag/diagnostic.h"

#include <optional>
#include <string>
#include <vector>

namespace htp {

// Calls `module.function(request)` with one string and returns the string it returns. `path` comes before the
// interpreter's own and Debian's packages on sys.path. A Python exception becomes `python.failed` with its last line as
// the message and the traceback as notes; for want of memory std::bad_alloc is thrown.
std::optional<std::string> call_python(const std::string &module, const std::string &function,
                                       const std::string &request, const std::vector<std::string> &path,
                                       Diagnostics &diagnostics);

// The folders that hold the package `htp`, by where this program lies: the build's, the installed one.
std::vector<std::string> python_folders();

} // namespace htp
