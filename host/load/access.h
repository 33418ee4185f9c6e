// host/load/access.h — who else may change what we are about to run.
#pragma once

#include "host/diag/diagnostic.h"

#include <sys/stat.h>

namespace htp {

// Whether users beside its owner, its group and root can change this file, or replace what lies in this folder. A
// sticky folder of ours or root's keeps what is in it.
bool others_can_write(const struct stat &file);
// The same of what lies at a path; what is not there can be written by nobody.
bool others_can_write(const std::string &path);

void report_others_can_write(const std::string &path, Span span, Diagnostics &diagnostics);

} // namespace htp
