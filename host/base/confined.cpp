#include "host/base/confined.h"

#include "host/base/fd.h"
#include "host/base/fence.h"
#include "host/base/fs.h"
#include "host/base/keeper.h"
#include "host/base/memory.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace htp {

// Shared by what is confined, what that confines, and their hosts.
struct ConfinedVoice::Page {
  std::atomic<uint64_t> beats;
  std::atomic<uint64_t> done;   // what the host gave it, once the work came to its end
  std::atomic<int> exit_status; // of a call of exit(), plus 1
  std::atomic<bool> refused;    // it could not be confined, and nothing ran; `place` says why
  char place[2000];             // NUL-terminated; torn when it dies while it writes, and still of its size
};

namespace {

using Clock = std::chrono::steady_clock;

// A memory file of at most so many bytes, which no one can make larger.
Fd bounded(const char *name, uint64_t limit) {
  rlimit files{};
  if (::getrlimit(RLIMIT_FSIZE, &files) == 0) limit = std::min<uint64_t>(limit, files.rlim_cur);
  Fd fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (fd && (::ftruncate(fd.get(), static_cast<off_t>(limit)) != 0 ||
             ::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0))
    fd.reset();
  return fd;
}

// What was written, up to where the next byte would go.
std::string written(int fd) {
  struct stat file {};
  if (::fstat(fd, &file) != 0) return "";
  const off_t size = std::clamp<off_t>(::lseek(fd, 0, SEEK_CUR), 0, file.st_size);
  std::string text(static_cast<size_t>(size), '\0');
  size_t got = 0;
  while (got < text.size()) {
    const ssize_t n = ::pread(fd, text.data() + got, text.size() - got, static_cast<off_t>(got));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    got += static_cast<size_t>(n);
  }
  text.resize(got);
  return text;
}

// The last lines, without control characters.
std::string last_lines(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
  size_t begin = text.size();
  for (int lines = 0; lines < 3 && begin != std::string::npos && begin != 0; ++lines)
    begin = text.rfind('\n', begin - 1);
  if (begin != std::string::npos && begin != 0) text.erase(0, begin + 1);
  if (text.size() > 1000) text.erase(0, text.size() - 1000);
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') c = '?';
  return text;
}

std::string signal_name(int signal) {
  const char *name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

// Of this process, once it is confined.
struct Confined {
  ConfinedVoice *voice = nullptr;
  pid_t keeper = 0;
  std::vector<pid_t> groups;       // for what it confines in turn
  std::vector<pid_t> out_of_reach; // its host, its keeper
};
Confined *self = nullptr;

// exit() runs handlers last to first: this one keeps those of the host from running here.
void on_exit_called(int status, void *exit_status) {
  static_cast<std::atomic<int> *>(exit_status)->store(status + 1);
  ::_exit(status & 0xff);
}

void close_all_but(std::vector<int> kept) {
  std::sort(kept.begin(), kept.end());
  unsigned from = 3;
  for (const int fd : kept) {
    if (static_cast<unsigned>(fd) < from) continue;
    if (static_cast<unsigned>(fd) > from) ::close_range(from, static_cast<unsigned>(fd) - 1, 0);
    from = static_cast<unsigned>(fd) + 1;
  }
  ::close_range(from, ~0u, 0);
}

template <class T> T *shared() {
  void *const memory = ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<T *>(memory);
}

// Waits for the keeper, and tells it when it is to end what it keeps; one that gives no sign of life is ended, and what
// it kept with it.
void wait_for(pid_t keeper, KeeperReport &report, const volatile std::sig_atomic_t *cancel,
              const std::function<void()> &look) {
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, keeper, 0)));
  uint64_t rounds = 0;
  auto heard = Clock::now();
  for (;;) {
    siginfo_t ended{};
    const int got = ::waitid(P_PID, static_cast<id_t>(keeper), &ended, WEXITED | WNOHANG | WNOWAIT);
    if ((got == 0 && ended.si_pid == keeper) || (got < 0 && errno != EINTR)) break;
    look();
    if (const uint64_t now = report.rounds; now != rounds) rounds = now, heard = Clock::now();
    if (cancel && *cancel) report.cancel = true;
    if (Clock::now() - heard > std::chrono::seconds(20)) ::kill(keeper, SIGKILL);
    pollfd ready{handle.get(), POLLIN, 0};
    if (handle)
      ::poll(&ready, 1, 50);
    else
      ::poll(nullptr, 0, 2);
  }
  while (::waitpid(keeper, nullptr, 0) < 0 && errno == EINTR) {
  }
}

} // namespace

void ConfinedVoice::at(std::string_view place) {
  const size_t size = std::min(place.size(), sizeof page_->place - 1);
  std::memcpy(page_->place, place.data(), size);
  page_->place[size] = '\0';
  page_->beats.fetch_add(1);
}

void ConfinedVoice::answer(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(answer_, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) ::_exit(1); // more than it may say
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
  page_->beats.fetch_add(1);
}

std::string ConfinedVoice::output() const { return written(output_); }

bool confined() { return self != nullptr; }

unsigned processes_beside() {
  siginfo_t one{};
  const bool any = ::waitid(P_ALL, 0, &one, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
  const unsigned own = any ? count_children(::getpid()) : 0;
  return (any ? std::max(own, 1u) : 0) + (self ? count_children(self->keeper) : 0);
}

std::string confinement_lacks() { return fence_lacks(); }

ConfinedEnd run_confined(const ConfinedLimits &limits, const std::function<void(ConfinedVoice &)> &work,
                         const std::function<void(std::string_view)> &watch) {
  ConfinedEnd end;
  const Fd answer = bounded("htp-answer", limits.answer), output = bounded("htp-output", limits.output);
  auto *const page = shared<ConfinedVoice::Page>();
  auto *const report = shared<KeeperReport>();
  uint64_t token = 0;
  const auto temporary = TemporaryFolder::make("htp-apart"); // for all of it, which may be ended at any moment
  const bool prepared = answer && output && page && report && ::getrandom(&token, sizeof token, 0) == sizeof token;

  KeeperTask task;
  task.host = ::getpid();
  task.confined = confined();
  if (self) task.groups = self->groups;
  task.nested = limits.nested;
  task.time = limits.time;
  task.whole = limits.whole.count() ? limits.whole : limits.time * 60;
  task.memory = limits.memory;
  task.memory_each = memory_used();
  task.processes = limits.processes;
  task.threads = limits.threads;
  task.report = report;
  if (page) task.beats = &page->beats;

  // noexcept: what foreign code throws would go on into the host's frames.
  const auto confine = [&](const std::vector<pid_t> &groups) noexcept {
    ::munmap(report, sizeof *report); // not for it to see
    static Confined own;
    own.out_of_reach.insert(own.out_of_reach.end(), {task.host, ::getppid()});
    own.groups = groups;
    own.keeper = ::getppid();
    if (temporary) ::setenv("TMPDIR", temporary->path().c_str(), 1);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    if (const uint64_t size = address_space_used(); size && limits.address_space) {
      const rlimit memory{size + limits.address_space, size + limits.address_space};
      ::setrlimit(RLIMIT_AS, &memory);
    }
    for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTERM, SIGINT}) ::signal(signal, SIG_DFL);
    Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::dup2(nothing.get(), 0);
    if (nothing.get() == 0) nothing.release();
    nothing.reset();
    ::dup2(output.get(), 1);
    ::dup2(output.get(), 2);
    if (!self) {
      std::vector<int> kept = limits.keep;
      kept.insert(kept.end(), {answer.get(), output.get()});
      close_all_but(std::move(kept));
    } else {
      ::close(self->voice->answer_);
      ::close(self->voice->output_);
      ::munmap(self->voice->page_, sizeof *self->voice->page_);
    }
    ::on_exit(on_exit_called, &page->exit_status);
    ConfinedVoice voice;
    voice.page_ = page;
    voice.answer_ = answer.get();
    voice.output_ = output.get();
    own.voice = &voice;
    self = &own;
    if (const std::string why = put_up({groups, own.out_of_reach}); !why.empty()) {
      voice.at(why);
      page->refused = true;
      ::_exit(1);
    }
    const pid_t process = ::getpid();
    work(voice);
    if (::getpid() != process) ::_exit(1); // a copy that foreign code made of it
    std::fflush(nullptr);
    page->done = token;
    ::_exit(0);
  };

  const pid_t keeper = prepared ? ::fork() : -1;
  if (keeper == 0) keep(task, confine);
  if (keeper < 0) {
    end.reason = std::strerror(errno);
    if (page) ::munmap(page, sizeof *page);
    if (report) ::munmap(report, sizeof *report);
    return end;
  }

  uint64_t beats = 0;
  wait_for(keeper, *report, limits.cancel, [&] {
    const uint64_t now = page->beats;
    if (now == beats) return;
    beats = now;
    const std::string place(page->place, ::strnlen(page->place, sizeof page->place));
    if (self) self->voice->at(place); // where what is confined is, its host is
    if (watch) watch(place);
  });
  end.place.assign(page->place, ::strnlen(page->place, sizeof page->place));
  if (self) self->voice->at(end.place);
  end.output = last_lines(written(output.get()));
  end.answer = written(answer.get());
  end.left = static_cast<unsigned>(report->left.load());
  const int status = report->status, claimed = page->exit_status;
  const bool finished = page->done == token && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  const auto died = [&](std::string reason) {
    end.outcome = ConfinedEnd::Outcome::died;
    end.reason = std::move(reason);
  };
  switch (report->end) {
  case KeptEnd::not_begun: end.reason = std::strerror(status); break;
  case KeptEnd::running:
    if (const pid_t worker = report->worker; worker > 0 && !task.confined) ::kill(-worker, SIGKILL);
    died("it ended the process that watches over it");
    break;
  case KeptEnd::too_long: end.outcome = ConfinedEnd::Outcome::hung; break;
  case KeptEnd::too_much_memory:
    died(fmt::format("it took more than {} MiB of memory", limits.memory >> 20));
    end.greedy = true;
    break;
  case KeptEnd::too_many_processes:
    died(fmt::format("it had more than {} processes or {} threads", limits.processes, limits.threads));
    end.crowd = true;
    break;
  case KeptEnd::cancelled: died("it was cancelled"); break;
  case KeptEnd::by_itself:
    if (finished) {
      end.outcome = ConfinedEnd::Outcome::done;
    } else if (page->refused) {
      end.reason = "it cannot be confined: " + end.place;
    } else {
      end.exited = WIFEXITED(status);
      const bool exit_called = end.exited && claimed > 0 && ((claimed - 1) & 0xff) == WEXITSTATUS(status);
      died(exit_called           ? fmt::format("it called exit({})", claimed - 1)
           : WIFSIGNALED(status) ? "killed by " + signal_name(WTERMSIG(status))
                                 : fmt::format("it ended the process with status {}", WEXITSTATUS(status)));
    }
  }
  ::munmap(page, sizeof *page);
  ::munmap(report, sizeof *report);
  return end;
}

} // namespace htp
