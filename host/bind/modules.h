// host/bind/modules.h — the Python that a package's stages need.
#pragma once

#include "host/package/manifest.h"
#include "host/pipeline/inputs.h"

#include <set>
#include <string>
#include <vector>

namespace htp {

// Where HTP's Python packages lie, by where this library or program does, and those of the plugins, by id, or
// that made the package and, with `binding`, of the one that runs it. Of others that are found nothing may run: Python
// imports by itself what is called sitecustomize. A plugin whose Python is not what was trusted is reported.
std::vector<std::string> modules_of(std::set<std::string> plugins, const Inputs &inputs, const Manifest *binding,
                                    Diagnostics &diagnostics);
std::vector<std::string> modules_of(const PackageManifest &package, const Inputs &inputs, const Manifest *binding,
                                    Diagnostics &diagnostics);

} // namespace htp
