// host/cli/explain.h — what `htp-host explain` tells of a package's nodes and lines.
#pragma once

#include "host/cli/command.h"

namespace htp {

// Whether `asked` is `PACKAGE:…`, a folder before a colon; a code has none.
bool names_package(const std::string &asked);

// `PKG:NN:k`, a node; `PKG:FILE:LINE`, a line of an emitted file, of a stage's program.py, or of the user's program.
int explain_in_package(const Arguments &arguments);

} // namespace htp
