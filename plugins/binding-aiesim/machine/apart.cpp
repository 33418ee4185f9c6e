#include "machine/apart.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace htp::aiesim {

namespace {

constexpr uint8_t filling = 0xA5;
constexpr size_t alignment = 64; // of a core's vectors

uint8_t *map(size_t bytes, int kind) {
  void *at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kind | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) throw std::bad_alloc();
  return static_cast<uint8_t *>(at);
}

} // namespace

Lent::~Lent() {
  if (pages_) munmap(pages_, mapped_);
}

void *Lent::lend(const void *tile, int64_t bytes) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), wanted = static_cast<size_t>(bytes);
  const size_t usable = (wanted + alignment + page - 1) / page * page;
  if (usable != usable_) {
    if (pages_) munmap(pages_, mapped_);
    mapped_ = usable + 2 * page, usable_ = usable;
    pages_ = map(mapped_, MAP_PRIVATE);
    mprotect(pages_, page, PROT_NONE);
    mprotect(pages_ + page + usable, page, PROT_NONE);
  }
  bytes_ = wanted;
  begin_ = pages_ + page + usable - (wanted + alignment - 1) / alignment * alignment;
  std::memset(pages_ + page, filling, usable);
  std::memcpy(begin_, tile, wanted);
  return begin_;
}

std::string Lent::back(void *tile, bool result) const {
  const uint8_t *end = begin_ + bytes_, *from = begin_;
  const uint8_t *last = pages_ + mapped_ - (mapped_ - usable_) / 2, *first = last - usable_;
  const auto other = [](uint8_t byte) { return byte != filling; };
  if (std::any_of(end, last, other)) return "writes behind";
  if (std::any_of(first, from, other)) return "writes in front of";
  if (!result) return std::memcmp(from, tile, bytes_) == 0 ? "" : "writes to";
  std::memcpy(tile, from, bytes_);
  return "";
}

Shared::Shared(size_t bytes) : data_(map(bytes, MAP_SHARED)), bytes_(bytes) {}
Shared::~Shared() { munmap(data_, bytes_); }

Ending apart(const Watch &watch, int64_t seconds, const std::function<void()> &work,
             const std::function<bool()> &cancelled) {
  const pid_t parent = getpid(), child = fork();
  if (child < 0) throw std::bad_alloc();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);
    const rlimit none{0, 0};
    setrlimit(RLIMIT_CORE, &none);
    for (const int one : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGINT, SIGTERM})
      std::signal(one, SIG_DFL);
    work();
    _exit(0);
  }
  using Clock = std::chrono::steady_clock;
  auto seen = Clock::now();
  uint64_t beats = watch.beats;
  Ending ending;
  for (auto pause = std::chrono::microseconds(200);; pause = std::min(pause * 2, std::chrono::microseconds(20'000))) {
    int status = 0;
    const pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended < 0 && errno == EINTR) continue;
    if (ended != 0) {
      if (ended > 0 && WIFSIGNALED(status) && ending.how == Ending::How::finished)
        ending = {Ending::How::signalled, WTERMSIG(status)};
      else if (ended < 0 || (WIFEXITED(status) && WEXITSTATUS(status) != 0))
        ending = {Ending::How::signalled, SIGABRT};
      return ending;
    }
    if (const uint64_t now = watch.beats; now != beats) beats = now, seen = Clock::now();
    if (ending.how == Ending::How::finished && cancelled()) ending.how = Ending::How::cancelled;
    if (ending.how == Ending::How::finished && Clock::now() - seen > std::chrono::seconds(seconds))
      ending.how = Ending::How::stuck;
    if (ending.how != Ending::How::finished) kill(child, SIGKILL);
    std::this_thread::sleep_for(pause);
  }
}

} // namespace htp::aiesim
