// host/check/python.h — a plugin's Python module.
#pragma once

#include "host/check/subject.h"

namespace htp {

// Its files, read and not run.
void check_python_files(const Subject &subject, Findings &findings);
// Its import, by the embedded interpreter of this process: only in a child.
void check_python_import(const Subject &subject, Findings &findings);

} // namespace htp
