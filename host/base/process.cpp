#include "host/base/process.h"

#include "host/base/confined.h"
#include "host/base/fd.h"
#include "host/base/fs.h"
#include "host/base/interrupt.h"
#include "host/base/signals.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

extern char **environ;

namespace htp {

namespace {

using Clock = std::chrono::steady_clock;
constexpr Clock::time_point forever = Clock::time_point::max();

struct Pipe {
  Fd read, write;
  bool open() {
    int fds[2];
    if (::pipe2(fds, O_CLOEXEC) != 0) return false;
    read = Fd(fds[0]), write = Fd(fds[1]);
    return true;
  }
};

std::vector<char *> pointers(const std::vector<std::string> &list) {
  std::vector<char *> result;
  for (const std::string &text : list) result.push_back(const_cast<char *>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

// The request's environment, or this process's, in which $TMPDIR is `temporary`; empty: as it is.
std::vector<std::string> environment_of(const ProcessRequest &request, const std::string &temporary) {
  std::vector<std::string> variables;
  const auto add = [&](std::string variable) {
    if (temporary.empty() || !variable.starts_with("TMPDIR=")) variables.push_back(std::move(variable));
  };
  if (request.environment)
    for (const std::string &variable : *request.environment) add(variable);
  else
    for (char **variable = environ; *variable; ++variable) add(*variable);
  if (!temporary.empty()) variables.push_back("TMPDIR=" + temporary);
  return variables;
}

struct Actions {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  Actions() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
  }
  ~Actions() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
};

// A tool that stops reading makes our write fail with EPIPE; the signal that would come with it is held back on this
// thread and taken away again, whatever the process does with SIGPIPE.
class NoSigpipe {
public:
  NoSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_, &old_);
  }
  ~NoSigpipe() {
    const timespec none{};
    while (::sigtimedwait(&pipe_, nullptr, &none) == SIGPIPE) {
    }
    pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }

private:
  sigset_t pipe_, old_;
};

// Feeds and collects until both outputs end or the time is over.
class Exchange {
public:
  Exchange(const ProcessRequest &request, Fd in, Fd out, Fd err, ProcessResult &result)
      : request_(request), in_(std::move(in)), out_(std::move(out)), err_(std::move(err)), result_(result) {
    ::fcntl(in_.get(), F_SETFL, O_NONBLOCK);
    if (request_.input.empty()) in_.reset();
  }

  // False: timed out.
  bool run(Clock::time_point deadline) {
    while (out_ || err_) {
      int wait = -1;
      if (deadline != forever) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        if (left <= 0) return false;
        wait = static_cast<int>(std::min<long long>(left, 1 << 30));
      }
      std::array<pollfd, 3> fds{pollfd{in_.get(), POLLOUT, 0}, pollfd{out_.get(), POLLIN, 0},
                                pollfd{err_.get(), POLLIN, 0}};
      if (::poll(fds.data(), fds.size(), wait) < 0 && errno != EINTR) return true;
      if (fds[0].revents) feed();
      if (fds[1].revents) collect(out_, result_.out);
      if (fds[2].revents) collect(err_, result_.err);
    }
    return true;
  }

private:
  void feed() {
    const ssize_t n = ::write(in_.get(), request_.input.data() + fed_, request_.input.size() - fed_);
    if (n >= 0) fed_ += static_cast<size_t>(n);
    const bool failed = n < 0 && errno != EINTR && errno != EAGAIN;
    if (failed || fed_ == request_.input.size()) in_.reset();
  }
  void collect(Fd &fd, std::string &into) {
    std::array<char, 1 << 16> buffer;
    const ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) return fd.reset();
    const size_t left = request_.output_limit - std::min(request_.output_limit, into.size());
    into.append(buffer.data(), std::min(left, static_cast<size_t>(n)));
  }

  const ProcessRequest &request_;
  Fd in_, out_, err_;
  ProcessResult &result_;
  size_t fed_ = 0;
};

// The process groups that run now, where a signal handler finds them. Of more at once the last are not found.
std::array<std::atomic<pid_t>, 64> running{};
static_assert(std::atomic<pid_t>::is_always_lock_free);

void exchange_running(pid_t old, pid_t next) {
  for (auto &group : running)
    if (pid_t expected = old; group.compare_exchange_strong(expected, next)) return;
}

// Who is killed with a child: its process group. A confined process has no group to give, and its keeper ends what the
// child leaves.
pid_t whom(pid_t child) { return confined() ? child : -child; }

// Waits for the child; at the deadline it and its process group are killed.
void wait_for(pid_t child, Clock::time_point deadline, ProcessResult &result) {
  bool killed = false;
  for (;;) {
    siginfo_t ended{};
    // It is only looked at: its number is its own until it is no longer found among those that run.
    const int got = ::waitid(P_PID, static_cast<id_t>(child), &ended,
                             WEXITED | WNOWAIT | (deadline != forever && !killed ? WNOHANG : 0));
    if (got == 0 && ended.si_pid == child) break;
    if (got < 0 && errno != EINTR) break;
    if (got == 0 && (result.timed_out || Clock::now() >= deadline)) {
      result.timed_out = killed = true;
      ::kill(whom(child), SIGKILL);
    } else if (got == 0) {
      const timespec nap{0, 1'000'000};
      ::nanosleep(&nap, nullptr);
    }
  }
  exchange_running(child, 0);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return;
  result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  result.exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + result.signal;
}

// Whether any folder of $PATH has it; one that may not be looked into hides that none has.
bool on_path(const std::string &program) {
  const char *path = std::getenv("PATH");
  if (program.find('/') != program.npos || !path) return true;
  const std::string_view folders = path;
  for (size_t at = 0, end; at <= folders.size(); at = end + 1) {
    end = std::min(folders.find(':', at), folders.size());
    if (exists(join_path(folders.substr(at, end - at), program))) return true;
  }
  return false;
}

} // namespace

Expected<ProcessResult, std::string> run_process(const ProcessRequest &request) {
  const auto failed = [](int error) { return Unexpected{std::string(std::strerror(error))}; };
  if (request.argv.empty()) return failed(EINVAL);
  const auto temporary = TemporaryFolder::make("htp-tool");
  const std::vector<std::string> environment = environment_of(request, temporary ? temporary->path() : "");
  Pipe in, out, err;
  if (!in.open() || !out.open() || !err.open()) return failed(errno);

  Actions actions;
  posix_spawn_file_actions_adddup2(&actions.files, in.read.get(), 0);
  posix_spawn_file_actions_adddup2(&actions.files, out.write.get(), 1);
  posix_spawn_file_actions_adddup2(&actions.files, err.write.get(), 2);
  if (!request.directory.empty()) posix_spawn_file_actions_addchdir_np(&actions.files, request.directory.c_str());
  // Its own process group, so that what it started ends with it (`whom`); and our signal mask is not its.
  sigset_t none, pipe;
  sigemptyset(&none);
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  posix_spawnattr_setsigmask(&actions.attributes, &none);
  posix_spawnattr_setsigdefault(&actions.attributes, &pipe);
  const int group = confined() ? 0 : POSIX_SPAWN_SETPGROUP;
  posix_spawnattr_setflags(&actions.attributes,
                           static_cast<short>(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | group));

  pid_t child = 0;
  {
    const SignalsHeld held; // a handler on this thread finds the child, or there is none yet
    if (interrupted) return failed(EINTR);
    const int error = posix_spawnp(&child, request.argv[0].c_str(), &actions.files, &actions.attributes,
                                   pointers(request.argv).data(), pointers(environment).data());
    if (error != 0) return failed(error == EACCES && !on_path(request.argv[0]) ? ENOENT : error);
    exchange_running(0, child);
  }
  in.read.reset(), out.write.reset(), err.write.reset();

  const auto deadline = request.timeout.count() > 0 ? Clock::now() + request.timeout : forever;
  ProcessResult result;
  {
    const NoSigpipe quiet;
    result.timed_out =
        !Exchange(request, std::move(in.write), std::move(out.read), std::move(err.read), result).run(deadline);
  }
  wait_for(child, deadline, result);
  return result;
}

void kill_running_tools() {
  for (const auto &group : running)
    if (const pid_t child = group.load()) ::kill(whom(child), SIGKILL);
}

} // namespace htp
