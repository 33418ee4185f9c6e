#include "host/base/running.h"

namespace htp {

thread_local constinit const Running *Running::now_ = nullptr;

} // namespace htp
