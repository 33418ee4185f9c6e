#include "host/package/writer.h"

#include "host/base/fd.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/signals.h"
#include "host/log/log.h"
#include "host/package/reader.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

namespace htp {

namespace {

// A package that is being written, and the old one once it was exchanged, stand beside OUT under this name and a
// number. Its maker holds a lock on it, which the kernel lets go when the maker dies: what is not locked is a leftover.
std::string sibling_prefix(const std::string &name) { return "." + name + ".htp-"; }

struct Destination {
  std::string parent, name;
  std::string path() const { return join_path(parent, name); }
};

// Where OUT really is: through links, so that a link to a package stays one.
Destination resolve(const std::string &out) {
  char real[PATH_MAX];
  const std::string path = ::realpath(out.c_str(), real) ? real : absolute_path(out);
  const size_t slash = path.rfind('/');
  return {slash == 0 ? "/" : path.substr(0, slash), path.substr(slash + 1)};
}

void remove_leftovers(const Destination &place) {
  const auto entries = list_folder(place.parent);
  if (!entries) return;
  for (const FolderEntry &entry : *entries) {
    if (entry.kind != FolderEntry::Kind::folder || !entry.name.starts_with(sibling_prefix(place.name))) continue;
    const std::string path = join_path(place.parent, entry.name);
    const Fd fd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (fd && ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0) remove_tree(path);
  }
}

// A new folder beside OUT, ours as long as the lock is held; removed when it goes.
class Sibling {
public:
  static Expected<Sibling, IoError> make(const Destination &place) {
    for (unsigned number = 0; number < 10000; ++number) {
      Sibling made;
      made.path_ = join_path(place.parent, sibling_prefix(place.name) + std::to_string(number));
      {
        const SignalsHeld held;
        if (::mkdir(made.path_.c_str(), 0777) == 0)
          made.unfinished_ = Unfinished(made.path_);
        else if (errno == EEXIST) {
          made.path_.clear();
          continue;
        } else
          return Unexpected{IoError{std::exchange(made.path_, ""), std::strerror(errno)}};
      }
      made.lock_ = Fd(::open(made.path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
      // Someone who clears up may have taken it between the two calls.
      struct stat status {};
      if (made.lock_ && ::flock(made.lock_.get(), LOCK_EX | LOCK_NB) == 0 && ::fstat(made.lock_.get(), &status) == 0 &&
          status.st_nlink > 0)
        return made;
    }
    return Unexpected{IoError{place.path(), "too many compiles write to it at once"}};
  }
  Sibling(Sibling &&other) noexcept
      : path_(std::exchange(other.path_, "")), unfinished_(std::move(other.unfinished_)),
        lock_(std::move(other.lock_)) {}
  Sibling &operator=(Sibling &&) = delete;
  ~Sibling() {
    if (!path_.empty()) remove_tree(path_);
  }
  const std::string &path() const { return path_; }
  void release() { path_.clear(); } // there is nothing under this name any more

private:
  Sibling() = default;
  std::string path_;
  Unfinished unfinished_;
  Fd lock_;
};

// ── what is written ─────────────────────────────────────────────────────────────────────────────────────────────────

// Checks the files' paths and fills in what the manifest says of them.
bool complete(PackageDraft &draft, Diagnostics &diagnostics) {
  const auto refuse = [&](const DiagKind<1> &kind, std::string_view path) {
    diagnostics.report(kind, {}, path);
    return false;
  };
  std::sort(draft.files.begin(), draft.files.end(), [](const auto &a, const auto &b) { return a.path < b.path; });
  std::set<std::string_view> files, folders;
  draft.manifest.outputs.clear();
  for (const PackageFile &file : draft.files) {
    if (!is_beneath(file.path)) return refuse(diag::package_outside, file.path);
    if (file.path == "manifest.json" || file.path.starts_with("logs/") || file.path.starts_with("build/bin/"))
      return refuse(diag::package_reserved, file.path);
    if (!files.insert(file.path).second) return refuse(diag::package_given_twice, file.path);
    for (size_t at = file.path.find('/'); at != std::string::npos; at = file.path.find('/', at + 1))
      folders.insert(std::string_view(file.path).substr(0, at));
    draft.manifest.outputs.push_back({file.path, file.role, sha256(file.bytes), file.bytes.size()});
  }
  for (const std::string_view file : files)
    if (folders.contains(file)) return refuse(diag::package_file_and_folder, file);
  for (const PackageFile &log : draft.logs)
    if (!is_beneath(log.path)) return refuse(diag::package_outside, log.path);
  for (PackageManifest::Stage &stage : draft.manifest.stages) {
    const auto &outputs = draft.manifest.outputs;
    const auto output =
        std::find_if(outputs.begin(), outputs.end(), [&](const auto &o) { return o.path == stage.path; });
    if (output == outputs.end()) {
      diagnostics.report(diag::package_no_stage, {}, stage.id, stage.path);
      return false;
    }
    stage.sha256 = output->sha256;
  }
  return true;
}

// No fsync: a kill loses nothing that was written, and what a power failure loses the reader sees by its digest.
std::optional<IoError> write_all(const std::string &folder, const PackageDraft &draft, const std::string &manifest) {
  std::set<std::string> made;
  const auto write = [&](const std::string &path, std::string_view bytes) -> std::optional<IoError> {
    for (size_t at = path.find('/'); at != std::string::npos; at = path.find('/', at + 1))
      if (made.insert(path.substr(0, at)).second)
        if (auto error = make_folders(join_path(folder, path.substr(0, at)))) return error;
    return write_file(join_path(folder, path), bytes);
  };
  for (const PackageFile &file : draft.files)
    if (auto error = write(file.path, file.bytes)) return error;
  for (const PackageFile &log : draft.logs)
    if (auto error = write("logs/" + log.path, log.bytes)) return error;
  return write("manifest.json", manifest);
}

// ── where it goes ───────────────────────────────────────────────────────────────────────────────────────────────────

enum class Standing { nothing, replaceable, refused };

// What stands at OUT.
Standing look(const Destination &place, const std::string &out, Diagnostics &diagnostics) {
  const std::string path = place.path();
  if (!exists(path)) return Standing::nothing;
  const auto refuse = [&](const char *why) {
    diagnostics.report(diag::package_not_a_package, {}, out, why)
        .hint("name another folder with `-o`, or remove this one yourself");
    return Standing::refused;
  };
  if (!is_folder(path)) return refuse("it is a file");
  if (const auto entries = list_folder(path); entries && entries->empty()) return Standing::replaceable;
  const auto manifest = read_file(join_path(path, "manifest.json"), package_manifest_limit);
  if (!manifest) return refuse("it has no `manifest.json`, and is not empty");
  // Even a damaged package may be replaced; someone else's manifest.json may not.
  if (manifest->find("\"htp.package/") == std::string::npos)
    return refuse("its `manifest.json` is not one of a package");
  return Standing::replaceable;
}

bool holds_already(const std::string &path, const std::string &manifest) {
  const auto there = read_file(join_path(path, "manifest.json"), package_manifest_limit);
  if (!there || *there != manifest) return false;
  Diagnostics scratch;
  return read_package(path, scratch).has_value() && scratch.empty();
}

// Puts the new folder in OUT's place; afterwards the old one, if any, has the new one's name. errno tells a failure.
bool exchange(const std::string &made, const std::string &path, Standing standing) {
  if (standing == Standing::nothing) {
    if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0) return true;
    if (errno == EINVAL || errno == ENOSYS) return ::rename(made.c_str(), path.c_str()) == 0;
    if (errno != EEXIST) return false; // else another compile was quicker: replace its package
  }
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, path.c_str(), RENAME_EXCHANGE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS) return false;
  // A file system without exchange: two steps, between which a kill leaves no package at OUT, and never half of one.
  const SignalsHeld held;
  const std::string aside = made + "-old";
  if (::rename(path.c_str(), aside.c_str()) != 0) return false;
  if (::rename(made.c_str(), path.c_str()) != 0) {
    const int error = errno;
    ::rename(aside.c_str(), path.c_str());
    return errno = error, false;
  }
  return ::rename(aside.c_str(), made.c_str()) == 0;
}

} // namespace

std::optional<Published> write_package(PackageDraft draft, const std::string &out, Diagnostics &diagnostics) {
  LogPhase phase("package");
  if (!complete(draft, diagnostics)) return std::nullopt;
  const std::string manifest = to_json(draft.manifest);
  Published published{manifest, sha256(manifest), false};
  phase.add({"folder", out});
  phase.add({"digest", published.digest});
  const auto unwritable = [&](const std::string &reason) {
    diagnostics.report(diag::io_unwritable, {}, out, reason)
        .hint("the folder that holds `" + out + "` must be writable: name another one with `-o`");
    return std::nullopt;
  };
  const Destination place = resolve(out);
  if (place.name.empty()) return unwritable("it is the root folder");
  if (auto error = make_folders(place.parent)) return unwritable(error->reason);
  remove_leftovers(place);
  const Standing standing = look(place, out, diagnostics);
  if (standing == Standing::refused) return std::nullopt;
  if (standing == Standing::replaceable && holds_already(place.path(), manifest)) return published;

  auto sibling = Sibling::make(place);
  if (!sibling) return unwritable(sibling.error().reason);
  if (auto error = write_all(sibling->path(), draft, manifest)) return unwritable(error->reason);
  if (!exchange(sibling->path(), place.path(), standing)) return unwritable(std::strerror(errno));
  if (!exists(sibling->path())) sibling->release();
  published.changed = true;
  return published;
}

} // namespace htp
