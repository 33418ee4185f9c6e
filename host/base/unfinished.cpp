#include "host/base/unfinished.h"

#include "host/base/fd.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <ctime>

namespace htp {

struct Unfinished::Entry {
  pid_t process;
  std::string path;
};

namespace {

// Of more at once the last are not found.
std::array<std::atomic<void *>, 256> unfinished_ones{};
static_assert(std::atomic<void *>::is_always_lock_free);
std::atomic<bool> ending{false};

bool remove_now(int at, const char *name);

// One round through a folder; what is made meanwhile is for the next. (A signal handler may not call readdir().)
void empty_now(int folder) {
  alignas(dirent64) char buffer[2048];
  for (;;) {
    const ssize_t size = ::getdents64(folder, buffer, sizeof buffer);
    if (size <= 0) return;
    for (ssize_t at = 0; at < size;) {
      const auto *entry = reinterpret_cast<const dirent64 *>(buffer + at);
      if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0)
        remove_now(folder, entry->d_name);
      at += entry->d_reclen;
    }
  }
}

bool remove_now(int at, const char *name) {
  if (::unlinkat(at, name, 0) == 0 || errno == ENOENT) return true;
  if (errno != EISDIR && errno != EPERM) return false;
  const Fd folder(::openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (folder) empty_now(folder.get());
  return ::unlinkat(at, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

} // namespace

Unfinished::Unfinished(const std::string &path) : entry_(new Entry{::getpid(), path}) {
  while (ending) ::pause();
  for (auto &slot : unfinished_ones)
    if (void *none = nullptr; slot.compare_exchange_strong(none, entry_)) return;
}

Unfinished::~Unfinished() {
  if (!entry_) return;
  for (auto &slot : unfinished_ones)
    if (void *own = entry_; slot.compare_exchange_strong(own, nullptr)) break;
  if (!ending) delete entry_; // else a handler may be reading it
}

void remove_unfinished() noexcept {
  ending = true;
  for (auto &slot : unfinished_ones) {
    const auto *entry = static_cast<const Unfinished::Entry *>(slot.exchange(nullptr));
    if (!entry || entry->process != ::getpid()) continue;
    for (int round = 0; round < 20 && !remove_now(AT_FDCWD, entry->path.c_str()); ++round) {
      const timespec nap{0, 1'000'000}; // a tool that was killed may still be ending
      ::nanosleep(&nap, nullptr);
    }
  }
}

} // namespace htp
