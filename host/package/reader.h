// host/package/reader.h — opens a package: every byte it promises is checked before anything is believed.
#pragma once

#include "host/package/manifest.h"

namespace htp {

struct Package {
  std::string folder; // as given
  std::string digest; // sha256 of manifest.json
  PackageManifest manifest;
  std::map<std::string, std::string> files; // path → bytes, all of `outputs`

  const std::string *file(std::string_view path) const; // null: no such file
};

// Reports what is missing, changed, too large, outside the folder, or no package at all; a file that is in no list is a
// warning. Returns nothing on an error.
std::optional<Package> read_package(const std::string &folder, Diagnostics &diagnostics);

// Caps, so that a hostile manifest.json cannot make a reader fill the memory.
inline constexpr uint64_t package_manifest_limit = 16u << 20;
inline constexpr uint64_t package_file_limit = 256u << 20;
inline constexpr uint64_t package_total_limit = 1u << 30;

} // namespace htp
