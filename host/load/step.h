// host/load/step.h — the steps of loading, from checks.def.
#pragma once

#include <cstdint>
#include <string_view>

namespace htp {

enum class LoadStep : uint8_t {
#define HTP_CHECK(name, what) name,
#include "host/load/checks.def"
};

struct LoadStepInfo {
  std::string_view name, what;
};
inline constexpr LoadStepInfo load_steps[] = {
#define HTP_CHECK(name, what) {#name, what},
#include "host/load/checks.def"
};

} // namespace htp
