#include "host/base/cache.h"

#include "host/base/environment.h"
#include "host/base/fd.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/signals.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <map>

namespace htp {

// On disk, beneath the cache's folder:
//   blobs/ab/KEY          the sha256 of the bytes, a newline, the bytes
//   folders/ab/KEY/…      a folder; complete when there is
//   folders/ab/KEY.kept   its files: lines of "sha256 path", sorted
//   folders/ab/KEY.lock   held (flock) by the one who fills it; the kernel lets go when that process dies
struct Cache::State {
  struct Open {
    std::string path;
    Unfinished unfinished;
    Fd lock;
    std::optional<TemporaryFolder> own; // when the key's place was not to be had
    bool kept = false;
  };
  std::string path;
  std::map<std::string, Open, std::less<>> open;

  std::string place(std::string_view kind, std::string_view key) const {
    return join_path(path, std::string(kind) + "/" + std::string(key.substr(0, 2)) + "/" + std::string(key));
  }
};

namespace {

constexpr size_t digest_size = 64;

// What stands in KEY.kept; nothing when the folder cannot be read.
std::optional<std::string> contents(const std::string &folder) {
  const auto files = list_tree(folder);
  if (!files) return std::nullopt;
  std::string text;
  for (const FolderEntry &file : *files) {
    if (file.kind != FolderEntry::Kind::file) continue;
    const auto bytes = read_file(join_path(folder, file.name));
    if (!bytes) return std::nullopt;
    text += sha256(*bytes) + " " + file.name + "\n";
  }
  return text;
}

bool is_complete(const std::string &folder) {
  const auto kept = read_file(folder + ".kept");
  if (!kept) return false;
  const auto found = contents(folder);
  return found && *found == *kept;
}

// What lies in a cache is believed, so nobody else may have put it there.
bool is_ours(const std::string &folder) {
  struct stat status {};
  return ::stat(folder.c_str(), &status) == 0 && status.st_uid == ::geteuid() && !(status.st_mode & S_IWOTH);
}

bool can_be_used(const std::string &folder) {
  return !make_folders(folder) && ::access(folder.c_str(), W_OK | X_OK) == 0 && is_ours(folder);
}

} // namespace

Cache::Cache(std::string folder) : state_(std::make_unique<State>()) {
  if (folder.empty()) return;
  folder = absolute_path(folder);
  if (can_be_used(folder)) state_->path = std::move(folder);
}

Cache::Cache(Cache &&) noexcept = default;
Cache &Cache::operator=(Cache &&) noexcept = default;

Cache::~Cache() {
  if (!state_) return;
  for (auto &[key, open] : state_->open)
    if (!open.kept && !open.own) remove_tree(open.path);
}

Cache Cache::off() { return Cache(std::string()); }

Cache Cache::from_environment() {
  const auto variable = [](const char *name) {
    const char *value = environment(name);
    return std::string(value ? value : "");
  };
  const std::string own = variable("HTP_CACHE"), shared = variable("XDG_CACHE_HOME"), home = variable("HOME");
  if (own == "off") return off();
  if (!own.empty()) return Cache(own);
  if (shared.starts_with('/')) return Cache(join_path(shared, "htp"));
  return home.empty() ? off() : Cache(join_path(home, ".cache/htp"));
}

bool Cache::enabled() const { return !state_->path.empty(); }
const std::string &Cache::path() const { return state_->path; }

std::optional<std::string> Cache::get(std::string_view key) const {
  if (!enabled() || !is_sha256(key)) return std::nullopt;
  auto stored = read_file(state_->place("blobs", key));
  if (!stored || stored->size() <= digest_size || (*stored)[digest_size] != '\n') return std::nullopt;
  const std::string digest = stored->substr(0, digest_size);
  stored->erase(0, digest_size + 1);
  if (sha256(*stored) != digest) return std::nullopt;
  return std::move(*stored);
}

void Cache::put(std::string_view key, std::string_view bytes) const {
  if (!enabled() || !is_sha256(key)) return;
  const std::string place = state_->place("blobs", key);
  if (make_folders(place.substr(0, place.rfind('/')))) return;
  write_file_atomic(place, sha256(bytes) + "\n" + std::string(bytes)); // a full disk only costs the entry
}

std::optional<Cache::Folder> Cache::folder(std::string_view key) {
  if (!is_sha256(key)) return std::nullopt;
  if (const auto open = state_->open.find(key); open != state_->open.end())
    return Folder{open->second.path, !open->second.kept};
  State::Open open;
  if (enabled()) {
    open.path = state_->place("folders", key);
    if (is_complete(open.path)) return Folder{open.path, false};
    if (!make_folders(open.path.substr(0, open.path.rfind('/')))) {
      open.lock = Fd(::open((open.path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
      if (open.lock && ::flock(open.lock.get(), LOCK_EX | LOCK_NB) != 0) open.lock.reset();
    }
    if (open.lock) {
      if (is_complete(open.path)) return Folder{open.path, false}; // finished while we reached for the lock
      const SignalsHeld held;
      if (remove_tree(open.path + ".kept") || remove_tree(open.path) || make_folders(open.path)) open.lock.reset();
      if (open.lock) open.unfinished = Unfinished(open.path);
    }
  }
  if (!open.lock) {
    auto own = TemporaryFolder::make("htp-cache");
    if (!own) return std::nullopt;
    open.path = own->path();
    open.own = std::move(*own);
  }
  const auto at = state_->open.emplace(key, std::move(open)).first;
  return Folder{at->second.path, true};
}

bool Cache::keep(std::string_view key) {
  const auto open = state_->open.find(key);
  if (open == state_->open.end()) return false;
  if (open->second.own) return open->second.kept = true;
  const auto files = contents(open->second.path);
  if (files && !write_file_atomic(open->second.path + ".kept", *files)) {
    state_->open.erase(open); // lets go of the lock
    return true;
  }
  return false;
}

} // namespace htp
