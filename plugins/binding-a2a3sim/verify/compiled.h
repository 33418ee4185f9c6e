// verify/compiled.h — what a compiled package must be beside what holds of every package: all that the compiler makes
// of the last stage's program is what that program says.
#pragma once

#include "package.h"

#include "cited.h"

#include <nlohmann/json.hpp>

namespace htp::a2a3sim {

struct KernelText {
  int id; // of its function
  const std::string &path, &own;
  const Unit &header, &unit; // of what it includes; and its own behind it
  const Cited &cited;
};
struct Compiled {
  const std::string &stage, &program; // the last stage's path and text
  const Package &package;
  const nlohmann::json &registry;
  std::vector<KernelText> kernels;
};
// False after a report.
bool hold(const Context &c, const Compiled &compiled);

} // namespace htp::a2a3sim
