// host/package/writer.h — publishes a package: whole or not at all (law 9).
#pragma once

#include "host/package/manifest.h"

namespace htp {

struct PackageFile {
  std::string path; // relative, `/`
  std::string role; // "stage", "stage-info", "trace", or what a backend calls its artifact ("source", "recipe", …)
  std::string bytes;
};

struct PackageDraft {
  PackageManifest manifest; // without `outputs` and the stages' digests: the writer fills them in
  std::vector<PackageFile> files;
  std::vector<PackageFile> logs; // under logs/, outside the digest; roles unused
};

struct Published {
  std::string manifest; // the bytes of manifest.json
  std::string digest;   // their sha256
  bool changed;         // false: OUT held exactly this package already, and nothing was touched
};

// Writes the draft into a new folder beside OUT and puts that in OUT's place in one step. Reports and returns nothing,
// with OUT as it was, when OUT is something else than a package (`package.not-a-package`), when it cannot be written
// (`io.unwritable`), or when a path is not beneath the package or given twice. Removes what killed compiles
// to the same OUT left behind.
std::optional<Published> write_package(PackageDraft draft, const std::string &out, Diagnostics &diagnostics);

} // namespace htp
