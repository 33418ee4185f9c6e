// host/python/sources.h — the files of a plugin's Python module: what is recorded of it, and what its units run from.
#pragma once

#include "host/manifest/manifest.h"

#include <optional>
#include <string>
#include <vector>

namespace htp {

struct PythonSource {
  std::string name; // beneath the folder that holds the module: "acme/fold.py"
  std::string path;
  std::optional<std::string> text; // nothing: it cannot be read
  std::string why;                 // then; "Permission denied"
};

// In the order of their names; the module may be a folder or one file. Empty when the plugin has none.
std::vector<PythonSource> read_python(const Manifest &manifest);

} // namespace htp
