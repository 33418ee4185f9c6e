#include "host/editor/job.h"

#include "host/log/log.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace htp::editor {

namespace {

constexpr uint64_t longest_answer = uint64_t{256} << 20;
constexpr int called_exit = 86;

void write_all(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(to, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) ::_exit(1); // nobody listens
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

// Nothing of the process that it came of is told or ended by it.
void become_a_job(pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  std::signal(SIGPIPE, SIG_IGN);
  std::set_terminate([] { std::abort(); });
  std::atexit([] { ::_exit(called_exit); }); // before what this process was to say of it
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing >= 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(nothing, STDOUT_FILENO);
  }
  leave_log();
}

} // namespace

std::optional<Job> Job::start(const std::function<void(const Say &)> &work, std::chrono::milliseconds limit) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const pid_t parent = ::getpid(), process = ::fork();
  if (process < 0) {
    ::close(ends[0]), ::close(ends[1]);
    return std::nullopt;
  }
  if (process == 0) {
    ::close(ends[0]);
    become_a_job(parent);
    try {
      work([&](std::string_view line) {
        std::string whole(line);
        std::ranges::replace(whole, '\n', ' ');
        write_all(ends[1], whole + "\n");
      });
      ::_exit(0);
    } catch (const std::exception &) {
      ::_exit(3);
    }
  }
  ::setpgid(process, process);
  ::close(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return Job(process, ends[0], limit);
}

Job::Job(pid_t process, int pipe, std::chrono::milliseconds limit)
    : process_(process), pipe_(pipe), until_(std::chrono::steady_clock::now() + limit) {}

Job::Job(Job &&other) noexcept { *this = std::move(other); }

Job &Job::operator=(Job &&other) noexcept {
  std::swap(process_, other.process_);
  std::swap(pipe_, other.pipe_);
  std::swap(until_, other.until_);
  std::swap(buffer_, other.buffer_);
  std::swap(reason_, other.reason_);
  std::swap(ended_well_, other.ended_well_);
  std::swap(expired_, other.expired_);
  return *this;
}

Job::~Job() { end(); }

void Job::end() {
  if (pipe_ >= 0) ::close(std::exchange(pipe_, -1));
  if (process_ < 0) return;
  ::kill(-process_, SIGKILL); // what it started too
  ::kill(process_, SIGKILL);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

bool Job::take(std::vector<std::string> &lines) {
  char bytes[1 << 16];
  bool more = true;
  while (more) {
    const ssize_t n = ::read(pipe_, bytes, sizeof bytes);
    if (n > 0) {
      buffer_.append(bytes, static_cast<size_t>(n));
      if (buffer_.size() > longest_answer) more = false;
    } else if (n < 0 && errno == EINTR) {
      continue;
    } else if (n < 0 && errno == EAGAIN) {
      break;
    } else {
      more = false;
    }
  }
  size_t begin = 0;
  for (size_t end = 0; (end = buffer_.find('\n', begin)) != buffer_.npos; begin = end + 1)
    lines.push_back(buffer_.substr(begin, end - begin));
  buffer_.erase(0, begin);
  if (more) return true;
  int status = 0;
  // It closed its end, so it ends; one that does not is made to.
  for (int tries = 0; tries < 200; ++tries) {
    const pid_t ended = ::waitpid(process_, &status, WNOHANG);
    if (ended == process_) {
      ::kill(-process_, SIGKILL);
      process_ = -1;
      break;
    }
    ::usleep(1000);
  }
  ended_well_ = process_ < 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!ended_well_)
    reason_ = expired_                             ? "it took too long"
              : process_ >= 0                      ? "it did not end"
              : WIFSIGNALED(status)                ? std::string("killed by SIG") + ::sigabbrev_np(WTERMSIG(status))
              : WEXITSTATUS(status) == called_exit ? "it called exit()"
                                                   : "it ended with status " + std::to_string(WEXITSTATUS(status));
  return false;
}

int Job::left() const {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until_ - std::chrono::steady_clock::now());
  return static_cast<int>(std::max<int64_t>(left.count(), 0));
}

void Job::expire() {
  expired_ = true;
  ::kill(-process_, SIGKILL);
  ::kill(process_, SIGKILL);
}

} // namespace htp::editor
