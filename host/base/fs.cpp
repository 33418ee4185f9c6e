#include "host/base/fs.h"

#include "host/base/environment.h"
#include "host/base/fd.h"
#include "host/base/signals.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace htp {

namespace {

IoError failure(const std::string &path, int error = errno) { return {path, std::strerror(error)}; }

std::optional<IoError> write_all(int fd, const std::string &path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failure(path);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return std::nullopt;
}

Fd open_to_write(const std::string &path, int flags) {
  return Fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | flags, 0666));
}

struct CloseFolder {
  void operator()(DIR *dir) const { ::closedir(dir); }
};
using Folder = std::unique_ptr<DIR, CloseFolder>;

// Opens a folder, not through a link, at `name` beneath `at`.
Folder open_folder(int at, const char *name) {
  Fd fd(::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) return nullptr;
  Folder folder(::fdopendir(fd.get()));
  if (folder) fd.release(); // the stream owns it now
  return folder;
}

FolderEntry::Kind kind_of(int at, const dirent &entry) {
  switch (entry.d_type) {
  case DT_REG: return FolderEntry::Kind::file;
  case DT_DIR: return FolderEntry::Kind::folder;
  case DT_LNK: return FolderEntry::Kind::link;
  case DT_UNKNOWN: break;
  default: return FolderEntry::Kind::other;
  }
  struct stat status {};
  if (::fstatat(at, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return FolderEntry::Kind::other;
  if (S_ISREG(status.st_mode)) return FolderEntry::Kind::file;
  if (S_ISDIR(status.st_mode)) return FolderEntry::Kind::folder;
  return S_ISLNK(status.st_mode) ? FolderEntry::Kind::link : FolderEntry::Kind::other;
}

std::vector<FolderEntry> entries(DIR *dir) {
  std::vector<FolderEntry> result;
  while (const dirent *entry = ::readdir(dir)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    result.push_back({std::string(name), kind_of(::dirfd(dir), *entry)});
  }
  std::sort(result.begin(), result.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
  return result;
}

std::optional<IoError> remove_at(int at, const std::string &name, const std::string &path) {
  if (::unlinkat(at, name.c_str(), 0) == 0 || errno == ENOENT) return std::nullopt;
  if (errno != EISDIR && errno != EPERM) return failure(path);
  const Folder dir = open_folder(at, name.c_str());
  if (!dir) return failure(path);
  for (const FolderEntry &entry : entries(dir.get()))
    if (auto error = remove_at(::dirfd(dir.get()), entry.name, join_path(path, entry.name))) return error;
  if (::unlinkat(at, name.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) return failure(path);
  return std::nullopt;
}

std::optional<IoError> list_into(DIR *dir, const std::string &prefix, std::vector<FolderEntry> &result) {
  for (FolderEntry &entry : entries(dir)) {
    std::string path = prefix + entry.name;
    if (entry.kind != FolderEntry::Kind::folder) {
      result.push_back({std::move(path), entry.kind});
      continue;
    }
    const Folder inner = open_folder(::dirfd(dir), entry.name.c_str());
    if (!inner) return failure(path);
    if (auto error = list_into(inner.get(), path + "/", result)) return error;
  }
  return std::nullopt;
}

} // namespace

Expected<std::string, IoError> read_all(const Fd &fd, const std::string &path, uint64_t limit) {
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return Unexpected{failure(path)};
  if (S_ISDIR(status.st_mode)) return Unexpected{failure(path, EISDIR)};
  if (!S_ISREG(status.st_mode)) return Unexpected{IoError{path, "Not a regular file"}};
  const auto too_large = [&] {
    return Unexpected{IoError{path, "File larger than " + std::to_string(limit) + " bytes"}};
  };
  if (static_cast<uint64_t>(status.st_size) > limit) return too_large();
  // A file may grow or shrink while it is read, and /proc's have no size: the end is where read says so.
  std::string bytes;
  bytes.resize(static_cast<size_t>(status.st_size) + 1);
  size_t used = 0;
  for (;;) {
    if (used == bytes.size()) bytes.resize(bytes.size() * 2);
    const ssize_t n = ::read(fd.get(), bytes.data() + used, bytes.size() - used);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Unexpected{failure(path)};
    if (n == 0) break;
    used += static_cast<size_t>(n);
    if (used > limit) return too_large();
  }
  bytes.resize(used);
  return bytes;
}

Expected<std::string, IoError> read_file(const std::string &path, uint64_t limit) {
  const Fd fd(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)); // a pipe without a writer must not hang us
  if (!fd) return Unexpected{failure(path)};
  return read_all(fd, path, limit);
}

std::optional<IoError> write_file(const std::string &path, std::string_view bytes) {
  const Fd fd = open_to_write(path, O_TRUNC);
  if (!fd) return failure(path);
  return write_all(fd.get(), path, bytes);
}

std::optional<IoError> write_file_atomic(const std::string &path, std::string_view bytes) {
  // Renaming would put a file in the place of a link, a device or a pipe.
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return write_file(path, bytes);
  const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
  if (!real && ::lstat(path.c_str(), &status) == 0) return write_file(path, bytes); // what it leads to is to be made
  const std::string target = real ? real.get() : path;
  static std::atomic<unsigned> counter{0};
  const std::string beside = target + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
  Unfinished unfinished;
  Fd fd;
  {
    const SignalsHeld held;
    fd = open_to_write(beside, O_EXCL | O_NOFOLLOW);
    if (!fd) return failure(path);
    unfinished = Unfinished(beside);
  }
  if (auto error = write_all(fd.get(), path, bytes)) {
    ::unlink(beside.c_str());
    return error;
  }
  fd.reset();
  if (::rename(beside.c_str(), target.c_str()) != 0) {
    const IoError error = failure(path);
    ::unlink(beside.c_str());
    return error;
  }
  return std::nullopt;
}

std::optional<IoError> make_folders(const std::string &path) {
  if (::mkdir(path.c_str(), 0777) == 0) return std::nullopt;
  int error = errno;
  const size_t slash = path.rfind('/', path.find_last_not_of('/'));
  if ((error == ENOENT || error == ENOTDIR) && slash != std::string::npos && slash != 0) {
    if (auto failed = make_folders(path.substr(0, slash))) return failed;
    if (::mkdir(path.c_str(), 0777) == 0) return std::nullopt;
    error = errno;
  }
  if (is_folder(path)) return std::nullopt;
  return failure(path, error == EEXIST ? ENOTDIR : error);
}

std::optional<IoError> remove_tree(const std::string &path) { return remove_at(AT_FDCWD, path, path); }

Expected<std::vector<FolderEntry>, IoError> list_folder(const std::string &path) {
  const Folder dir(::opendir(path.c_str()));
  if (!dir) return Unexpected{failure(path)};
  return entries(dir.get());
}

Expected<std::vector<FolderEntry>, IoError> list_tree(const std::string &path) {
  const Folder dir(::opendir(path.c_str()));
  if (!dir) return Unexpected{failure(path)};
  std::vector<FolderEntry> result;
  if (auto error = list_into(dir.get(), "", result))
    return Unexpected{IoError{join_path(path, error->path), error->reason}};
  std::sort(result.begin(), result.end(), [](const auto &a, const auto &b) { return a.name < b.name; });
  return result;
}

bool exists(const std::string &path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

bool is_folder(const std::string &path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

std::string join_path(std::string_view folder, std::string_view path) {
  if (folder.empty() || path.starts_with('/')) return std::string(path);
  std::string joined(folder);
  if (!joined.ends_with('/')) joined += '/';
  return joined.append(path);
}

std::string shell_word(const std::string &path) {
  if (!path.empty() &&
      path.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@") ==
          std::string::npos)
    return path;
  std::string result = "'";
  for (const char c : path)
    if (c == '\'')
      result += "'\\''";
    else
      result += c;
  return result + "'";
}

std::string absolute_path(const std::string &path) {
  std::string whole = path;
  if (!path.starts_with('/')) {
    const std::unique_ptr<char, decltype(&std::free)> here(::getcwd(nullptr, 0), std::free);
    whole = join_path(here ? here.get() : "/proc/self/cwd", path); // nothing can be made in a folder that is gone
  }
  std::vector<std::string_view> parts;
  for (std::string_view rest = whole; !rest.empty();) {
    const size_t slash = std::min(rest.find('/'), rest.size());
    const std::string_view part = rest.substr(0, slash);
    rest.remove_prefix(std::min(slash + 1, rest.size()));
    if (part.empty() || part == ".") continue;
    if (part != "..")
      parts.push_back(part);
    else if (!parts.empty())
      parts.pop_back();
  }
  std::string result;
  for (const std::string_view part : parts) result.append("/").append(part);
  return result.empty() ? "/" : result;
}

bool is_beneath(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos || path.find('\\') != std::string_view::npos)
    return false;
  for (;;) {
    const size_t slash = path.find('/');
    const std::string_view part = path.substr(0, slash);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

std::string temporary_place() {
  const char *base = environment("TMPDIR");
  return base && *base ? base : "/tmp";
}

Expected<TemporaryFolder, IoError> TemporaryFolder::make(std::string_view stem, std::string place) {
  if (place.empty()) place = temporary_place();
  std::string path = join_path(place, std::string(stem) + "-XXXXXX");
  const SignalsHeld held;
  if (!::mkdtemp(path.data())) return Unexpected{failure(path)};
  return TemporaryFolder(std::move(path));
}

TemporaryFolder::~TemporaryFolder() {
  if (!path_.empty()) remove_tree(path_);
}

} // namespace htp
