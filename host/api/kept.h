// host/api/kept.h — a compile whose package lies in the content cache: for callers that name no folder.
#pragma once

#include "host/pipeline/compile.h"

namespace htp::api {

// Compiles, and puts the package where what it was made of says: the same package of the same sources lies at the same
// path, unchanged, and nothing is found there that a compile did not give now. With the cache off it is private, and
// gone with the process. The request names no `out`.
CompileOutcome compile_kept(CompileRequest request, Cache cache, Diagnostics &diagnostics);

} // namespace htp::api
