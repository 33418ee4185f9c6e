// host/load/step.h — the steps of loading, from steps.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace htp {

enum class LoadStep : uint8_t {
#define HTP_LOAD_STEP(name, what) name,
#include "host/load/steps.def"
};

struct LoadStepInfo {
  std::string_view name, what;
};
inline constexpr LoadStepInfo load_steps[] = {
#define HTP_LOAD_STEP(name, what) {#name, what},
#include "host/load/steps.def"
};

} // namespace htp
