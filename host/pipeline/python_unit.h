// host/pipeline/python_unit.h — the interfaces of units that are written in Python, as if a library had them.
#pragma once

#include "host/manifest/manifest.h"

namespace htp {

// htp_pass, htp_analysis or htp_verifier, whose function runs the Python of the unit that the context is in.
const void *python_interface(UnitKind kind);

} // namespace htp
