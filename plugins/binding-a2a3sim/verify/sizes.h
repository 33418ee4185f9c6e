// verify/sizes.h — whether a package's limits are those of its kernels.
#pragma once

#include "package.h"
#include "stage.h"

#include <optional>
#include <string>

namespace htp::a2a3sim {

struct WrongLimits {
  Refusal why;
  std::string note;
};
// What the limits get wrong: a call that they let through and with which a kernel leaves its tensors or its
// tiles, or reads a tile that nothing has written; or a limit at whose edge none of the calls that it refuses has
// anything wrong. The kernels are walked with numbers: those next to the ones that limits and kernels are made of, and
// others.
std::optional<WrongLimits> wrong_limits(const Package &package, const Stage &stage);

} // namespace htp::a2a3sim
