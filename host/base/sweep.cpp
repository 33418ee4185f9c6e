#include "host/base/sweep.h"

#include "host/base/fd.h"
#include "host/base/fs.h"
#include "host/base/hash.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <ctime>

namespace htp {

namespace {

constexpr int64_t a_day = 24 * 60 * 60;

std::optional<struct stat> status_of(const std::string &path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

int64_t used(const struct stat &status) { return std::max<int64_t>(status.st_atime, status.st_mtime); }

std::vector<FolderEntry> in_folder(const std::string &path) {
  auto listed = list_folder(path);
  return listed ? std::move(*listed) : std::vector<FolderEntry>();
}

CacheEntry built(const std::string &path, const struct stat &folder) {
  CacheEntry entry{CacheEntry::Kind::folder, path, 0, folder.st_mtime}; // to look into it is to use it
  if (const auto kept = status_of(path + ".kept")) entry.used = std::max(entry.used, used(*kept));
  if (const auto files = list_tree(path))
    for (const FolderEntry &file : *files)
      if (const auto status = status_of(join_path(path, file.name))) {
        entry.bytes += static_cast<uint64_t>(status->st_size);
        entry.used = std::max(entry.used, used(*status));
      }
  return entry;
}

bool remove(const CacheEntry &entry) {
  if (entry.kind != CacheEntry::Kind::folder) return !remove_tree(entry.path);
  // As the one who fills it does. The lock's file stays: another may just have opened it.
  const Fd lock(::open((entry.path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (!lock || ::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return false;
  return !remove_tree(entry.path + ".kept") && !remove_tree(entry.path);
}

} // namespace

std::vector<CacheEntry> cache_entries(const Cache &cache) {
  std::vector<CacheEntry> entries;
  if (!cache.enabled()) return entries;
  const int64_t now = std::time(nullptr);
  for (const std::string_view kind : {"blobs", "folders"}) {
    const std::string top = join_path(cache.path(), kind);
    for (const FolderEntry &part : in_folder(top)) {
      const std::string folder = join_path(top, part.name);
      for (const FolderEntry &one : in_folder(folder)) {
        const std::string path = join_path(folder, one.name);
        const auto status = status_of(path);
        if (!status) continue;
        const bool whole = is_sha256(one.name);
        if (whole && S_ISDIR(status->st_mode))
          entries.push_back(built(path, *status));
        else if (whole && kind == "blobs")
          entries.push_back({CacheEntry::Kind::blob, path, static_cast<uint64_t>(status->st_size), used(*status)});
        else if (!one.name.ends_with(".kept") && !one.name.ends_with(".lock") && now - used(*status) > a_day)
          entries.push_back({CacheEntry::Kind::rest, path, static_cast<uint64_t>(status->st_size), used(*status)});
      }
    }
  }
  std::ranges::sort(entries, {}, [](const CacheEntry &e) { return std::pair(e.used, e.path); });
  return entries;
}

std::vector<CacheEntry> sweep(const Cache &cache, int64_t before, std::optional<uint64_t> most) {
  std::vector<CacheEntry> removed;
  const std::vector<CacheEntry> entries = cache_entries(cache);
  uint64_t left = 0;
  for (const CacheEntry &entry : entries) left += entry.bytes;
  for (const CacheEntry &entry : entries) {
    const bool wanted = entry.kind == CacheEntry::Kind::rest || entry.used < before || (most && left > *most);
    if (!wanted || !remove(entry)) continue;
    left -= entry.bytes;
    removed.push_back(entry);
  }
  return removed;
}

} // namespace htp
