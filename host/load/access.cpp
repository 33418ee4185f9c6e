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

bool FoldersAccess::check(const std::string &folder, const Span &span, Diagnostics &diagnostics) {
  const size_t slash = folder.rfind('/');
  struct stat file {};
  if (slash == folder.npos || slash == 0 || folder.ends_with("/.") || folder.ends_with("/..") ||
      ::lstat(folder.c_str(), &file) != 0 || !S_ISDIR(file.st_mode))
    return check_folder_access(folder, span, diagnostics);
  const std::string above = folder.substr(0, slash);
  if (good_.contains(above)) return check_access(folder, file, span, diagnostics);
  if (!check_folder_access(folder, span, diagnostics)) return false;
  good_.insert(above);
  return true;
}

std::vector<Part> parts_of(const Manifest &manifest) {
  namespace fs = std::filesystem;
  std::vector<Part> parts;
  const auto lead = [&](const std::string &path, const Span &span) {
    for (size_t end = path.find('/'); end != path.npos; end = path.find('/', end + 1))
      parts.push_back({path.substr(0, end), span});
  };
  if (const std::string &library = manifest.library.value; is_beneath(library)) {
    lead(library, manifest.library.span);
    parts.push_back({library, manifest.library.span});
  }
  if (manifest.python_module.value.empty()) return parts;
  std::string module = manifest.python_module.value;
  std::replace(module.begin(), module.end(), '.', '/');
  if (manifest.python_path.value != ".") module = join_path(manifest.python_path.value, module);
  const Span &span = manifest.python_module.span;
  lead(module, span);
  parts.push_back({module + ".py", span});
  parts.push_back({module, span});
  const std::string whole = join_path(manifest.folder.empty() ? "." : manifest.folder, module);
  std::error_code error;
  for (fs::recursive_directory_iterator at(whole, error), end; !error && at != end; at.increment(error))
    parts.push_back({module + at->path().string().substr(whole.size()), span});
  return parts;
}

bool check_parts_access(const Manifest &manifest, Diagnostics &diagnostics) {
  const std::string folder = manifest.folder.empty() ? "." : manifest.folder;
  const std::vector<Part> parts = parts_of(manifest);
  return std::all_of(parts.begin(), parts.end(), [&](const Part &part) {
    return check_access(join_path(folder, part.path), part.span, diagnostics);
  });
}

} // namespace htp
