// host/load/needed.h — the libraries that a plugin's library needs: where each would be found, and what it is. Nothing
// is opened by the dynamic loader to find out.
#pragma once

#include "host/load/elf.h"
#include "host/manifest/manifest.h"

#include <string>
#include <vector>

namespace htp {

struct NeededLibrary {
  std::string name; // as its user spells it: "libside.so.1"
  std::string by;   // the path of its user: the plugin's library, or one that comes with it
  enum class Place : uint8_t {
    folder,      // where a run path leads
    environment, // in $LD_LIBRARY_PATH
    system,      // in the loader's own places
    process,     // nowhere, but this process has one of that name
    missing
  } place;
  std::string path; // absolute; empty when it is in no file
};

// As the dynamic loader would look for them: what the library needs, then what those need that are not the system's.
// `library` is the absolute path of the plugin's library, in whose folder $ORIGIN is.
std::vector<NeededLibrary> needed_libraries(const std::string &library, const ElfFacts &facts);
// Of these the ones that are not the system's, which is not looked through: those in a folder or in the environment.
std::vector<NeededLibrary> needed_beside(const std::string &library, const ElfFacts &facts);

// What the bytes of a plugin's library leave open: the libraries it brings or takes from places that are not the
// system's.
struct NeededDigest {
  std::string path; // relative to the plugin's folder when it lies beneath it, else absolute
  std::string sha256;
};
std::vector<NeededDigest> needed_digests(const std::string &folder, const std::string &library, const ElfFacts &facts);
// The same of a plugin that is not loaded, sorted by path; none of one of data only. What cannot be read is reported.
std::vector<NeededDigest> needed_digests(const Manifest &manifest, Diagnostics &diagnostics);

} // namespace htp
