#include "host/load/access.h"

#include "host/base/fs.h"
#include "host/load/identity.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <filesystem>

namespace htp {

namespace {

uid_t owner_of_htp() {
  static const uid_t owner = [] {
    struct stat file {};
    return ::stat(own_file().c_str(), &file) == 0 ? file.st_uid : 0;
  }();
  return owner;
}

std::string user_name(uid_t user) {
  passwd entry{}, *found = nullptr;
  std::array<char, 4096> buffer;
  if (::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) == 0 && found)
    return fmt::format("`{}`", found->pw_name);
  return fmt::format("user {}", user);
}

// The folders on the way from `folder` to what lies at `path` beneath it.
bool check_way(std::string folder, const std::string &path, const Span &span, Diagnostics &diagnostics) {
  for (size_t at = 0, end; (end = path.find('/', at)) != path.npos; at = end + 1) {
    folder = join_path(folder, path.substr(at, end - at));
    if (!check_access(folder, span, diagnostics)) return false;
  }
  return true;
}

} // namespace

Access access_of(const struct stat &file) {
  if (file.st_mode & S_IWOTH) return Access::everyones;
  const uid_t owner = file.st_uid;
  return owner == 0 || owner == ::geteuid() || owner == owner_of_htp() ? Access::ours : Access::foreign;
}

bool check_access(const std::string &path, const struct stat &file, const Span &span, Diagnostics &diagnostics) {
  switch (access_of(file)) {
  case Access::ours: return true;
  case Access::everyones:
    diagnostics
        .report(diag::load_writable_by_others, span, path, fmt::format("{:04o}", file.st_mode & 07777),
                S_ISDIR(file.st_mode) && (file.st_mode & S_ISVTX)
                    ? "o+w, and the sticky bit does not keep others from adding files"
                    : "o+w")
        .hint("take the permission away: `chmod o-w " + shell_word(path) + "`");
    return false;
  case Access::foreign:
    diagnostics.report(diag::load_foreign_owner, span, path, user_name(file.st_uid))
        .hint("make it yours, once you have looked at it: `sudo chown $USER " + shell_word(path) + "`, or take a copy");
    return false;
  }
  return false;
}

bool check_access(const std::string &path, const Span &span, Diagnostics &diagnostics) {
  struct stat file {};
  return ::stat(path.c_str(), &file) != 0 || check_access(path, file, span, diagnostics);
}

bool check_folder_access(const std::string &folder, const Span &span, Diagnostics &diagnostics) {
  if (!check_access(folder, span, diagnostics)) return false;
  char whole[PATH_MAX];
  if (!::realpath(folder.c_str(), whole)) return true;
  for (std::string above = whole; above.size() > 1;) {
    above.resize(std::max<size_t>(above.rfind('/'), 1));
    struct stat file {};
    if (::stat(above.c_str(), &file) == 0 && access_of(file) == Access::everyones && !(file.st_mode & S_ISVTX))
      return check_access(above, file, span, diagnostics);
  }
  return true;
}

bool check_parts_access(const Manifest &manifest, Diagnostics &diagnostics) {
  namespace fs = std::filesystem;
  const std::string folder = manifest.folder.empty() ? "." : manifest.folder;
  if (const std::string &library = manifest.library.value; is_beneath(library)) {
    const Span &span = manifest.library.span;
    if (!check_way(folder, library, span, diagnostics) || !check_access(join_path(folder, library), span, diagnostics))
      return false;
  }
  if (manifest.python_module.value.empty()) return true;
  std::string module = manifest.python_path.value == "." ? "" : manifest.python_path.value + "/";
  module += manifest.python_module.value;
  std::replace(module.begin() + static_cast<std::ptrdiff_t>(module.size() - manifest.python_module.value.size()),
               module.end(), '.', '/');
  const Span &span = manifest.python_module.span;
  const std::string base = join_path(folder, module);
  if (!check_way(folder, module, span, diagnostics) || !check_access(base + ".py", span, diagnostics) ||
      !check_access(base, span, diagnostics))
    return false;
  std::error_code error;
  for (fs::recursive_directory_iterator at(base, error), end; !error && at != end; at.increment(error))
    if (!check_access(at->path().string(), span, diagnostics)) return false;
  return true;
}

} // namespace htp
