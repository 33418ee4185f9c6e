// host/load/identity.h — which build of the host this is.
#pragma once

#include <string>

namespace htp {

// Its version and the linker's build id.
std::string host_identity();

} // namespace htp
