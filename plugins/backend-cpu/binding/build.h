// plugins/backend-cpu/binding/build.h — the verb `build`.
#pragma once

#include "signature.h"

namespace htp::cpu::bind {

Result build(const Context &c, htp_str *built);

} // namespace htp::cpu::bind
