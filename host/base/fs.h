// host/base/fs.h — files and folders: read whole, write whole, list sorted. Paths are UTF-8 strings.
#pragma once

#include "host/base/expected.h"
#include "host/base/unfinished.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace htp {

// Why a file operation failed: the path it was about and the system's reason ("No such file or directory").
struct IoError {
  std::string path;
  std::string reason;
};

constexpr uint64_t no_limit = ~uint64_t{0};

// The whole file. Refused: a folder, a device, a file of more than `limit` bytes.
Expected<std::string, IoError> read_file(const std::string &path, uint64_t limit = no_limit);

// Writes the whole file, making it when needed; what stands there is replaced in place (not atomic).
std::optional<IoError> write_file(const std::string &path, std::string_view bytes);
// Writes beside it and renames: a reader sees the old bytes or the new ones, whoever else writes at the same time. A
// link stays one, and what it leads to is replaced; a device, a pipe or a socket is written in place, as write_file
// does.
std::optional<IoError> write_file_atomic(const std::string &path, std::string_view bytes);
std::optional<IoError> make_folders(const std::string &path);
// Removes a file or a whole tree; follows no symbolic link; nothing there is no error.
std::optional<IoError> remove_tree(const std::string &path);

struct FolderEntry {
  std::string name;
  enum class Kind { file, folder, link, other } kind;
};
// Entries without `.` and `..`, sorted by name's bytes.
Expected<std::vector<FolderEntry>, IoError> list_folder(const std::string &path);
// All files beneath, as relative paths with `/`, sorted; links and others are listed as they are, never followed.
Expected<std::vector<FolderEntry>, IoError> list_tree(const std::string &path);

bool exists(const std::string &path); // anything at all, a dangling link too
bool is_folder(const std::string &path);
std::string join_path(std::string_view folder, std::string_view path);
std::string shell_word(const std::string &path);    // as a shell reads it: quoted where it must be
std::string absolute_path(const std::string &path); // lexical: no link is resolved
// Whether `path` is relative, names something, and has no `.`, `..`, empty part, backslash or NUL in it: what may be
// joined to a folder and stays beneath it.
bool is_beneath(std::string_view path);

// Where temporary files go: $TMPDIR, or /tmp.
std::string temporary_place();

// A new empty folder, removed with all in it when this goes, and when the process is interrupted.
class TemporaryFolder {
public:
  // Beneath $TMPDIR or /tmp, or beneath `place`.
  static Expected<TemporaryFolder, IoError> make(std::string_view stem = "htp", std::string place = "");
  TemporaryFolder(TemporaryFolder &&other) noexcept
      : path_(std::move(other.path_)), unfinished_(std::move(other.unfinished_)) {
    other.path_.clear();
  }
  TemporaryFolder &operator=(TemporaryFolder &&other) noexcept {
    std::swap(path_, other.path_);
    std::swap(unfinished_, other.unfinished_);
    return *this;
  }
  ~TemporaryFolder();
  const std::string &path() const { return path_; }

private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)), unfinished_(path_) {}
  std::string path_;
  Unfinished unfinished_;
};

} // namespace htp
