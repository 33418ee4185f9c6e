// host/trust/may.h — what a plugin may do, by its manifest, for who decides whether to trust it.
#pragma once

#include "host/manifest/manifest.h"

#include <string>
#include <vector>

namespace htp {

// A line for each kind of its units, with their names, and one for its code: in a library, or in Python.
struct May {
  std::string what;               // "rewrites programs"
  std::vector<std::string> units; // by name
};
std::vector<May> what_it_may(const Manifest &manifest);

} // namespace htp
