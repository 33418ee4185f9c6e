// host/check/worker.h — the part of a check that opens the plugin and runs it: in a child process, with children of its
// own for whatever may go wrong.
#pragma once

#include "host/check/subject.h"

namespace htp {

// The phases python to behaviour, and what of `file` is about the library; units and behaviour only where what was
// found so far lets them.
void examine(const Subject &subject, Findings &findings);

} // namespace htp
