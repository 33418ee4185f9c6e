// host/load/access.h — who else may change what we are about to run. Trusted are root, the user, and whoever owns HTP's
// own program, since that runs already. A file's group is its owner's choice.
#pragma once

#include "host/diag/diagnostic.h"
#include "host/manifest/manifest.h"

#include <sys/stat.h>

namespace htp {

enum class Access : uint8_t {
  ours,
  foreign,  // it belongs to somebody who is not trusted
  everyones // every user of the machine may write to it: change the file, or put something into the folder
};
Access access_of(const struct stat &file);

// Each of these is false after a report that says which file it is, why, and how to mend it. What is not there is
// trusted: that it is missing is told where it is needed.
bool check_access(const std::string &path, const struct stat &file, const Span &span, Diagnostics &diagnostics);
bool check_access(const std::string &path, const Span &span, Diagnostics &diagnostics);
// A folder, and those it lies in: nobody may put another in its place. In a sticky folder, as /tmp is, an owner's
// entries are left alone, so a folder may lie in one; it may not be one itself.
bool check_folder_access(const std::string &folder, const Span &span, Diagnostics &diagnostics);
// What a plugin's manifest leads to: its library and its Python module, with the folders on the way.
bool check_parts_access(const Manifest &manifest, Diagnostics &diagnostics);

} // namespace htp
