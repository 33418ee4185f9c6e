// host/load/discover.h — finds the manifests in the search folders.
#pragma once

#include "host/base/expected.h"
#include "host/base/fs.h"
#include "host/manifest/manifest.h"

#include <functional>

namespace htp {

class Cache;

inline constexpr const char *manifest_name = "htp-plugin.yaml"; // in a plugin's folder

struct BrokenManifest {
  Manifest manifest;
  std::string why; // "its manifest is broken: acme/htp-plugin.yaml:7: …", "every user of this machine can write to …"
};

// Whether a plugin may take part: why not, or nothing. `several`: others have its id, so that it would hide them or be
// hidden; else its other files are looked at when it is loaded.
using Judge = std::function<std::optional<std::string>(const Manifest &, bool several)>;

// Reads FOLDER/htp-plugin.yaml and FOLDER/*/htp-plugin.yaml of each folder, in the folders' order and then by name. A
// manifest that is unreadable or wrong is reported as warnings and left out, so that a bad plugin never hides the good
// ones; a search folder that does not exist or may not be read is a warning too. So is, of plugins with one id, one
// whose library is not what its manifest says, if there is one whose library is; of one version the first that is left
// counts. What others than the user could change (access.h) is such a plugin, or such a search folder. `cache`
// remembers what was read; null: nothing does. Of what is wrong as much as could be read is put in `broken`, when the
// plugin has a name. What `judge` refuses is left out without a word, and put in `broken` with its reason.
std::vector<Manifest> discover(const std::vector<std::string> &folders, Diagnostics &diagnostics,
                               const Cache *cache = nullptr, std::vector<BrokenManifest> *broken = nullptr,
                               const Judge &judge = {});

// The folders that hold a plugin's manifest, or may do so and cannot be looked into: FOLDER and FOLDER/*, by name.
Expected<std::vector<std::string>, IoError> plugin_folders(const std::string &folder);

} // namespace htp
