#include "host/base/keeper.h"

#include "host/base/fs.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdlib>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace htp {

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// ── who came of a process ───────────────────────────────────────────────────────────────────────────────────────────

struct Process {
  pid_t id = 0, parent = 0;
  char state = 'Z';
  unsigned threads = 0;
  uint64_t memory = 0; // resident, in bytes
};

// /proc/N/stat; id 0 when there is none.
Process look_at(pid_t id) {
  Process p;
  const auto text = read_file(fmt::format("/proc/{}/stat", id));
  const size_t name_end = text ? text->rfind(')') : std::string::npos;
  if (name_end == std::string::npos) return p;
  const char *at = text->c_str() + name_end + 1;
  for (int field = 3; *at; ++field) {
    while (*at == ' ') ++at;
    if (field == 3) p.state = *at;
    if (field == 4) p.parent = std::atoi(at);
    if (field == 20) p.threads = static_cast<unsigned>(std::atoi(at));
    if (field == 24) {
      p.memory = std::strtoull(at, nullptr, 10) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
      p.id = id;
      break;
    }
    while (*at && *at != ' ') ++at;
  }
  return p;
}

std::vector<pid_t> numbers_in(const std::string &folder) {
  std::vector<pid_t> numbers;
  if (const auto entries = list_folder(folder))
    for (const FolderEntry &entry : *entries)
      if (const pid_t number = std::atoi(entry.name.c_str())) numbers.push_back(number);
  return numbers;
}

std::vector<pid_t> children_of(pid_t id, bool &told) {
  std::vector<pid_t> children;
  for (const pid_t thread : numbers_in(fmt::format("/proc/{}/task", id))) {
    const auto text = read_file(fmt::format("/proc/{}/task/{}/children", id, thread));
    told = told || text;
    if (!text) continue;
    for (const char *at = text->c_str(); *at;) {
      char *end;
      const long child = std::strtol(at, &end, 10);
      if (end == at) break;
      children.push_back(static_cast<pid_t>(child));
      at = *end ? end + 1 : end;
    }
  }
  return children;
}

// All that came of this process and is still there, those that have ended and not been waited for too. At most `most`.
std::vector<Process> descendants(size_t most) {
  std::vector<Process> found;
  bool told = false;
  std::vector<pid_t> open = children_of(::getpid(), told);
  if (!told) { // a kernel without lists of children: every process is asked for its parent
    std::vector<Process> all;
    for (const pid_t id : numbers_in("/proc"))
      if (const Process p = look_at(id); p.id) all.push_back(p);
    std::vector<pid_t> parents{::getpid()};
    while (!parents.empty() && found.size() < most) {
      const pid_t parent = parents.back();
      parents.pop_back();
      for (const Process &p : all)
        if (p.parent == parent) found.push_back(p), parents.push_back(p.id);
    }
    return found;
  }
  while (!open.empty() && found.size() < most) {
    const pid_t id = open.back();
    open.pop_back();
    const Process p = look_at(id);
    if (!p.id) continue;
    found.push_back(p);
    const auto children = children_of(id, told);
    open.insert(open.end(), children.begin(), children.end());
  }
  return found;
}

// ── the keeper ──────────────────────────────────────────────────────────────────────────────────────────────────────

class Keeper {
public:
  explicit Keeper(const KeeperTask &task) : task_(task), report_(*task.report) {}

  void run(const std::function<void(const std::vector<pid_t> &)> &work) {
    become();
    const pid_t keeper = ::getpid();
    worker_ = ::fork();
    if (worker_ == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != keeper) ::_exit(1);
      join(0);
      ::pthread_sigmask(SIG_SETMASK, &signals_, nullptr);
      work(groups_.empty() ? made_ : std::vector<pid_t>(groups_.begin() + 1, groups_.end()));
      ::_exit(1);
    }
    if (worker_ < 0) {
      report_.status = errno;
      report_.end = KeptEnd::not_begun;
      return;
    }
    group_ = join(worker_);
    report_.worker = worker_;
    go_first();
    // Nothing of the host's is held open here.
    ::close_range(0, ~0u, 0);
    const KeptEnd end = watch();
    end_all(end == KeptEnd::by_itself);
    report_.end = end;
  }

private:
  void become() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &signals_);
    ::signal(SIGCHLD, SIG_DFL); // ignored, its children could not be waited for
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    groups_ = task_.groups;
    if (task_.confined) return;
    ::setsid(); // no terminal is theirs
    for (unsigned k = 0; k < task_.nested; ++k)
      if (const pid_t group = make_group()) made_.push_back(group);
  }

  // A process group whose leader has ended and is not waited for: it stays until this process lets it go, whoever else
  // of it is killed.
  static pid_t make_group() {
    const pid_t leader = ::vfork();
    if (leader == 0) {
      ::setpgid(0, 0);
      ::_exit(0);
    }
    return leader > 0 ? leader : 0;
  }

  // The worker's own group; 0 where it has to stay in the host's, and its processes are looked for one by one.
  pid_t join(pid_t worker) const {
    if (task_.confined && groups_.empty()) return 0;
    ::setpgid(worker, groups_.empty() ? worker : groups_.front());
    return groups_.empty() ? worker : groups_.front();
  }

  // Ahead of all that it watches, however many they are, where the system allows that: a bomb of forks must not starve
  // it.
  static void go_first() {
    const sched_param least{::sched_get_priority_min(SCHED_RR)};
    if (::sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &least) != 0) ::setpriority(PRIO_PROCESS, 0, -20);
  }

  bool is_placeholder(pid_t id) const { return std::find(made_.begin(), made_.end(), id) != made_.end(); }

  KeptEnd watch() {
    sigset_t awaited;
    sigemptyset(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, SIGTERM);
    const auto begin = Clock::now();
    auto last = begin, looked = begin;
    uint64_t beats = *task_.beats;
    long nap = 1;
    for (;; nap = std::min(nap * 2, 16l)) {
      const timespec tick{0, nap * 1'000'000};
      ::sigtimedwait(&awaited, nullptr, &tick);
      ++report_.rounds;
      if (::getppid() != task_.host) return KeptEnd::running; // nobody is left to be told
      if (report_.cancel) return KeptEnd::cancelled;
      siginfo_t ended{};
      if (::waitid(P_PID, static_cast<id_t>(worker_), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid)
        return KeptEnd::by_itself;
      reap_orphans();
      const auto now = Clock::now();
      if (const uint64_t heard = *task_.beats; heard != beats) beats = heard, last = now;
      const bool late = now - last >= task_.time || now - begin >= task_.whole;
      if (!late && now - looked < milliseconds(nap)) continue;
      looked = now;
      if (const KeptEnd much = too_much(); much != KeptEnd::running) return much; // which may have made it late
      if (late) return KeptEnd::too_long;
    }
  }

  KeptEnd too_much() const {
    const auto found = descendants(task_.processes + made_.size() + 2);
    size_t processes = orphans_, threads = 0;
    uint64_t memory = 0;
    for (const Process &p : found) {
      if (p.id == worker_ || is_placeholder(p.id)) --processes;
      ++processes;
      if (p.state == 'Z') continue;
      threads += p.threads;
      memory += p.memory > task_.memory_each ? p.memory - task_.memory_each : 0;
    }
    if (processes > task_.processes || threads > task_.threads) return KeptEnd::too_many_processes;
    if (memory > task_.memory) return KeptEnd::too_much_memory;
    return KeptEnd::running;
  }

  // Those whose parents are gone. (Where there are placeholders they wait for the end: nobody can be asked for all but
  // these.)
  void reap_orphans() {
    if (!made_.empty()) return;
    siginfo_t ended{};
    while (::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid && ended.si_pid != worker_) {
      ::waitpid(ended.si_pid, nullptr, 0);
      ++orphans_;
      ended = {};
    }
  }

  void kill_all() const {
    if (group_) ::kill(-group_, SIGKILL); // who forks meanwhile is met too
    for (const pid_t group : made_) ::kill(-group, SIGKILL);
    for (size_t k = 1; k < groups_.size(); ++k) ::kill(-groups_[k], SIGKILL);
  }

  // Kills and collects all that is left; the worker, whose group it is, as the last.
  void end_all(bool by_itself) {
    const auto deadline = Clock::now() + milliseconds(5000);
    kill_all();
    int left = static_cast<int>(orphans_), not_ended = 0;
    bool worker_gone = false;
    for (;;) {
      int status = 0;
      const pid_t id = ::waitpid(-1, &status, WNOHANG);
      if (id == worker_) {
        report_.status = status;
        worker_gone = true;
      } else if (id > 0) {
        left += !is_placeholder(id);
      } else if (id < 0 && errno == ECHILD) {
        break;
      } else if (id == 0) { // some that had left the group, or that take their time
        const auto rest = descendants(1000);
        for (const Process &p : rest)
          if (p.state != 'Z') ::kill(p.id, SIGKILL);
        if (!worker_gone) kill_all();
        not_ended = static_cast<int>(rest.size());
        if (Clock::now() >= deadline) break;
        const timespec nap{0, 1'000'000};
        ::nanosleep(&nap, nullptr);
        continue;
      }
      not_ended = 0;
    }
    report_.left = by_itself ? left : 0;
    report_.not_ended = not_ended;
  }

  const KeeperTask &task_;
  KeeperReport &report_;
  sigset_t signals_{};
  pid_t worker_ = 0, group_ = 0;
  std::vector<pid_t> groups_; // as in the task
  std::vector<pid_t> made_;   // by this keeper
  size_t orphans_ = 0;        // that were collected
};

} // namespace

unsigned count_children(pid_t process) {
  bool told = false;
  return static_cast<unsigned>(children_of(process, told).size());
}

void keep(const KeeperTask &task, const std::function<void(const std::vector<pid_t> &)> &work) {
  Keeper(task).run(work);
  ::_exit(0);
}

} // namespace htp
