#include "host/check/child.h"

#include "host/base/fd.h"
#include "host/base/fs.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace htp {

// Shared by a child, its own children and their parents.
struct ChildVoice::Page {
  std::atomic<uint64_t> beats;
  std::atomic<int> exit_status; // of a call of exit(), plus 1
  char place[2000];             // NUL-terminated; torn when the child dies while it writes, and still of its size
};

namespace {

using Clock = std::chrono::steady_clock;

std::string whole(int fd) {
  std::string text;
  std::array<char, 65536> buffer;
  for (off_t at = 0;;) {
    const ssize_t n = ::pread(fd, buffer.data(), buffer.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer.data(), static_cast<size_t>(n));
    at += n;
  }
}

// The last lines, without control characters.
std::string last_lines(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  size_t begin = text.size();
  for (int lines = 0; lines < 3 && begin != std::string::npos && begin != 0; ++lines)
    begin = text.rfind('\n', begin - 1);
  if (begin != std::string::npos && begin != 0) text.erase(0, begin + 1);
  if (text.size() > 1000) text.erase(0, text.size() - 1000);
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') c = '?';
  return text;
}

// What a process has in memory, in bytes. (Not its address space: a tree's store keeps much of that, and uses little.)
uint64_t resident(pid_t process) {
  const auto text = read_file(fmt::format("/proc/{}/statm", process));
  if (!text) return 0;
  const size_t blank = std::min(text->find(' '), text->size());
  return std::strtoull(text->c_str() + blank, nullptr, 10) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string signal_name(int signal) {
  const char *name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

ChildVoice *speaker = nullptr; // of this process, once it is a child

// exit() runs handlers last to first: this one keeps those of the host from running in a child.
void on_exit_called(int status, void *exit_status) {
  static_cast<std::atomic<int> *>(exit_status)->store(status + 1);
  ::_exit(status & 0xff);
}

} // namespace

void ChildVoice::at(std::string_view place) {
  const size_t size = std::min(place.size(), sizeof page_->place - 1);
  std::memcpy(page_->place, place.data(), size);
  page_->place[size] = '\0';
  page_->beats.fetch_add(1);
}

void ChildVoice::answer(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(answer_, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) ::_exit(1);
    if (n > 0) bytes.remove_prefix(static_cast<size_t>(n));
  }
  page_->beats.fetch_add(1);
}

std::string ChildVoice::output() const { return whole(output_); }

ChildEnd run_in_child(const ChildLimits &limits, const std::function<void(ChildVoice &)> &work,
                      const std::function<void(std::string_view)> &watch) {
  ChildEnd end;
  const auto no_child = [&] {
    end.words = std::strerror(errno);
    return end;
  };
  const Fd answer(::memfd_create("htp-answer", MFD_CLOEXEC)), output(::memfd_create("htp-output", MFD_CLOEXEC));
  void *const memory =
      ::mmap(nullptr, sizeof(ChildVoice::Page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!answer || !output || memory == MAP_FAILED) return no_child();
  auto *const page = static_cast<ChildVoice::Page *>(memory);
  const pid_t child = ::fork();
  if (child < 0) {
    ::munmap(memory, sizeof *page);
    return no_child();
  }
  if (child == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::setpgid(0, 0);
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTERM, SIGINT}) ::signal(signal, SIG_DFL);
    const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    ::dup2(nothing.get(), 0);
    ::dup2(output.get(), 1);
    ::dup2(output.get(), 2);
    ::on_exit(on_exit_called, &page->exit_status);
    ChildVoice voice;
    voice.page_ = page;
    voice.answer_ = answer.get();
    voice.output_ = output.get();
    speaker = &voice;
    work(voice);
    std::fflush(nullptr);
    page->exit_status = -1; // done
    ::_exit(0);
  }
  ::setpgid(child, child);

  bool hung = false, greedy = false;
  const uint64_t memory_limit = resident(::getpid()) + limits.memory;
  uint64_t beats = 0;
  auto deadline = Clock::now() + limits.time;
  const Fd handle(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  const auto ended = [&] {
    pollfd ready{handle.get(), POLLIN, 0};
    return ::poll(&ready, 1, 50) > 0;
  };
  while (!ended()) {
    if (const uint64_t now = page->beats; now != beats) {
      beats = now;
      deadline = Clock::now() + limits.time;
      page->place[sizeof page->place - 1] = '\0';
      if (speaker) speaker->at(page->place); // a child's place is its parent's
      if (watch) watch(page->place);
    }
    hung = Clock::now() >= deadline;
    greedy = resident(child) > memory_limit;
    if (hung || greedy) break;
  }
  ::kill(-child, SIGKILL); // and what it started
  ::kill(child, hung || greedy ? SIGKILL : 0);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  page->place[sizeof page->place - 1] = '\0';
  end.place = page->place;
  if (speaker) speaker->at(end.place);
  end.output = last_lines(whole(output.get()));
  end.answer = whole(answer.get());
  const int exit_status = page->exit_status;
  ::munmap(memory, sizeof *page);
  if (hung) {
    end.outcome = ChildEnd::Outcome::hung;
  } else if (exit_status == -1) {
    end.outcome = ChildEnd::Outcome::done;
  } else {
    end.outcome = ChildEnd::Outcome::died;
    end.exited = exit_status > 0 || WIFEXITED(status);
    end.greedy = greedy;
    end.words = greedy                ? fmt::format("it took more than {} MiB of memory", limits.memory >> 20)
                : exit_status > 0     ? fmt::format("it called exit({})", exit_status - 1)
                : WIFSIGNALED(status) ? "killed by " + signal_name(WTERMSIG(status))
                                      : fmt::format("it ended the process with status {}", WEXITSTATUS(status));
  }
  return end;
}

} // namespace htp
