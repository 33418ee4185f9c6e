// plugins/backend-cpu/lowering/handlers.h — cpu.handlers: the portable intrinsics in the intrinsics of the target set.
#pragma once

#include "cpu.h"

namespace htp::cpu {

inline constexpr htp_handler handler_rows[] = {
#define ELEMENTWISE(intrinsic, ...) {intrinsic, "cpu"},
#define SCALAR(...)
#define HANDLER(intrinsic, target) {intrinsic, "cpu"},
#include "operations.def"
};
std::vector<uint32_t> rewrite_call(const Context &c, const htp_handler &row, const htp_handler_call &call);

} // namespace htp::cpu
