// host/load/access.h — who else may change what we are about to run. Trusted are root, the user, and whoever owns HTP's
// own program, since that runs already. A file's group is its owner's choice.
#pragma once

#include "host/diag/diagnostic.h"
#include "host/manifest/manifest.h"

#include <sys/stat.h>

#include <set>
#include <string>
#include <vector>

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
// That of many folders: what those beside each other lie in is looked at once.
class FoldersAccess {
public:
  bool check(const std::string &folder, const Span &span, Diagnostics &diagnostics);

private:
  std::set<std::string> good_; // in these folders lie some that were looked at with all above them
};
// What a plugin's manifest leads to, there or not: its library, and its Python module as a file and as a folder with
// all in it; the folders on the way come first.
struct Part {
  std::string path; // beneath the plugin's folder
  Span span;        // where the manifest names it
};
std::vector<Part> parts_of(const Manifest &manifest);
bool check_parts_access(const Manifest &manifest, Diagnostics &diagnostics);

} // namespace htp
