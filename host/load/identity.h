// host/load/identity.h — which build of the host this is.
#pragma once

#include <string>

namespace htp {

// Its version and the linker's build id.
std::string host_identity();

// The file that holds this code: PREFIX/bin/htp-host or, in someone's Python, PREFIX/lib/htp/libhtp.so or
// BUILD/lib/libhtp.so; without links. Empty when it is not to be found.
const std::string &own_file();

} // namespace htp
