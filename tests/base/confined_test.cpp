// Hostile work in processes of its own: a row each, with how it ends; afterwards nothing of it is there. As root, as a
// user without rights, and on a kernel that offers less.
#include "host/base/confined.h"

#include "host/base/fs.h"
#include "host/base/process.h"

#include <gtest/gtest.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <thread>
#include <vector>

namespace htp {
namespace {

using Outcome = ConfinedEnd::Outcome;
using namespace std::chrono_literals;

constexpr const char *mark = "hostile-work"; // what its processes are called

[[noreturn]] void sleep_for_ever() {
  for (;;) ::pause();
}

void fork_and(void (*go)()) {
  if (::fork() == 0) {
    go();
    ::_exit(0);
  }
}

void daemon_of(bool new_session) {
  const pid_t between = ::fork();
  if (between == 0) {
    if (new_session) ::setsid();
    if (::fork() == 0) sleep_for_ever();
    ::_exit(0);
  }
  ::waitpid(between, nullptr, 0);
}

pid_t parent_of(pid_t process) {
  const auto text = read_file("/proc/" + std::to_string(process) + "/stat");
  return text ? std::atoi(text->c_str() + text->rfind(')') + 4) : 0;
}

struct Row {
  const char *name;
  std::function<void(ConfinedVoice &)> work;
  std::function<bool(const ConfinedEnd &)> expected;
  bool needs_fence = false; // what it tries is forbidden, where the kernel can
  std::chrono::milliseconds time = 700ms;
};

bool hung(const ConfinedEnd &end) { return end.outcome == Outcome::hung; }
bool crowd(const ConfinedEnd &end) { return end.outcome == Outcome::died && end.crowd; }
bool done_and_left(const ConfinedEnd &end) { return end.outcome == Outcome::done && end.left == 1; }
bool answered_ok(const ConfinedEnd &end) { return end.outcome == Outcome::done && end.left == 0 && end.answer == "ok"; }
bool exited_0(const ConfinedEnd &end) {
  return end.outcome == Outcome::died && end.exited && end.reason == "it ended the process with status 0";
}

const Row rows[] = {
    {"ends in order", [](ConfinedVoice &voice) { voice.answer("ok"); }, answered_ok},
    {"leaves with _exit(0)", [](ConfinedVoice &) { ::_exit(0); }, exited_0},
    {"leaves with a system call", [](ConfinedVoice &) { ::syscall(SYS_exit_group, 0); }, exited_0},
    {"ends its first thread alone", [](ConfinedVoice &) { ::syscall(SYS_exit, 0); }, exited_0},
    {"aborts", [](ConfinedVoice &) { std::abort(); },
     [](const ConfinedEnd &end) { return end.outcome == Outcome::died && end.reason == "killed by SIGABRT"; }},
    {"throws", [](ConfinedVoice &) { throw 1; },
     [](const ConfinedEnd &end) { return end.outcome == Outcome::died && end.reason == "killed by SIGABRT"; }},
    {"forks once, and both go on", [](ConfinedVoice &) { ::fork(); }, done_and_left},
    {"leaves a process that sleeps", [](ConfinedVoice &) { fork_and(sleep_for_ever); }, done_and_left},
    {"leaves one that ignores what it can",
     [](ConfinedVoice &) {
       fork_and([] {
         for (int s = 1; s < NSIG; ++s) ::signal(s, SIG_IGN);
         sleep_for_ever();
       });
     },
     done_and_left},
    {"leaves one that is stopped", [](ConfinedVoice &) { fork_and([] { ::raise(SIGSTOP); }); }, done_and_left},
    {"leaves a daemon", [](ConfinedVoice &) { daemon_of(false); }, done_and_left},
    {"leaves a daemon in a session of its own", [](ConfinedVoice &) { daemon_of(true); }, done_and_left},
    {"dies and leaves a daemon",
     [](ConfinedVoice &) {
       daemon_of(true);
       ::raise(SIGKILL);
     },
     [](const ConfinedEnd &end) { return end.outcome == Outcome::died && end.reason == "killed by SIGKILL"; }},
    {"forks without end",
     [](ConfinedVoice &) {
       for (;;) ::fork();
     },
     crowd},
    {"flees: each process makes the next and ends",
     [](ConfinedVoice &) {
       while (::fork() == 0) {
       }
     },
     [](const ConfinedEnd &end) { return crowd(end) || (end.outcome == Outcome::done && end.left > 0); }},
    {"flees from session to session",
     [](ConfinedVoice &) {
       while (::fork() == 0) ::setsid();
     },
     [](const ConfinedEnd &end) { return crowd(end) || (end.outcome == Outcome::done && end.left > 0); }},
    {"makes threads without end",
     [](ConfinedVoice &) {
       for (;;) {
         try {
           std::thread(sleep_for_ever).detach();
         } catch (const std::system_error &) { // as many as there may be
           ::usleep(1000);
         }
       }
     },
     crowd},
    {"waits for a vfork that does not end",
     [](ConfinedVoice &) {
       if (::syscall(SYS_vfork) == 0)
         for (;;) ::syscall(SYS_pause);
     },
     hung},
    {"stops itself", [](ConfinedVoice &) { ::raise(SIGSTOP); }, hung},
    {"closes all it has and sleeps",
     [](ConfinedVoice &) {
       ::close_range(0, ~0u, 0);
       sleep_for_ever();
     },
     hung},
    {"ignores what it can and sleeps",
     [](ConfinedVoice &) {
       for (int s = 1; s < NSIG; ++s) ::signal(s, SIG_IGN);
       ::prctl(PR_SET_PDEATHSIG, 0);
       sleep_for_ever();
     },
     hung},
    {"takes memory in many processes",
     [](ConfinedVoice &) {
       for (int k = 0; k < 8; ++k)
         fork_and([] {
           std::memset(::mmap(nullptr, 64 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 1,
                       64 << 20);
           sleep_for_ever();
         });
       sleep_for_ever();
     },
     [](const ConfinedEnd &end) { return end.outcome == Outcome::died && end.greedy; }, false, 20s},
    {"writes without end",
     [](ConfinedVoice &voice) {
       const std::string much(1 << 20, 'x');
       while (::write(1, much.data(), much.size()) > 0) {
       }
       voice.answer("ok");
     },
     [](const ConfinedEnd &end) { return answered_ok(end) && end.output.size() <= 1000; }},
    {"answers without end",
     [](ConfinedVoice &voice) {
       const std::string much(1 << 20, 'x');
       for (;;) voice.answer(much);
     },
     [](const ConfinedEnd &end) { return end.outcome == Outcome::died && end.answer.size() <= (64u << 20); }},
    {"has no file of its host",
     [](ConfinedVoice &voice) {
       const auto files = list_folder("/proc/self/fd"); // 0, 1, 2, two memory files, and the list itself
       voice.answer(files && files->size() <= 7 ? "ok" : std::to_string(files ? files->size() : 0));
     },
     answered_ok},
    {"cannot leave its session or its group",
     [](ConfinedVoice &voice) { voice.answer(::setsid() == -1 && ::setpgid(0, 0) == -1 ? "ok" : "it can"); },
     answered_ok, true},
    {"cannot reach those that watch",
     [](ConfinedVoice &voice) {
       const pid_t keeper = ::getppid(), host = parent_of(keeper);
       const long results[] = {::kill(keeper, SIGSTOP),
                               ::kill(host, SIGKILL),
                               ::kill(-host, SIGKILL),
                               ::kill(-1, SIGKILL),
                               ::syscall(SYS_tgkill, host, host, SIGKILL),
                               ::syscall(SYS_tkill, host, SIGKILL),
                               ::ptrace(PTRACE_ATTACH, host, nullptr, nullptr),
                               ::ptrace(PTRACE_SEIZE, keeper, nullptr, nullptr)};
       std::string did;
       for (const long result : results) did += result == -1 ? "" : "x";
       voice.answer(did.empty() ? "ok" : did);
     },
     answered_ok, true},
};

std::string shown(const ConfinedEnd &end) {
  return "outcome " + std::to_string(static_cast<int>(end.outcome)) + " `" + end.reason + "`, left " +
         std::to_string(end.left) + (end.crowd ? ", crowd" : "") + (end.greedy ? ", greedy" : "") + ", answer `" +
         end.answer.substr(0, 100) + "`, output `" + end.output.substr(0, 100) + "`";
}

// The processes of that name that are there, in any state.
std::string still_there() {
  std::string found;
  const auto entries = list_folder("/proc");
  if (!entries) return " no /proc";
  for (const FolderEntry &entry : *entries) {
    const auto name = read_file("/proc/" + entry.name + "/comm");
    if (name && *name == std::string(mark) + "\n") found += " " + entry.name;
  }
  return found;
}

long count_there() {
  const std::string there = still_there();
  return std::count(there.begin(), there.end(), ' ');
}

// Empty when it ended as it should.
std::string judge(const Row &row) {
  ConfinedLimits limits;
  limits.time = row.time;
  limits.memory = uint64_t{256} << 20;
  limits.output = uint64_t{4} << 20;
  limits.answer = uint64_t{64} << 20;
  limits.processes = 24;
  limits.threads = 200;
  const ConfinedEnd end = run_confined(limits, [&](ConfinedVoice &voice) {
    ::prctl(PR_SET_NAME, mark);
    row.work(voice);
  });
  std::string wrong = row.expected(end) ? "" : std::string(row.name) + ": " + shown(end) + "\n";
  if (const std::string left = still_there(); !left.empty())
    wrong += std::string(row.name) + ": there is still" + left + "\n";
  return wrong;
}

// What `go` returns in a process of its own, after `prepare`.
std::string apart(const std::function<bool()> &prepare, const std::function<std::string()> &go) {
  int pipe[2];
  if (::pipe(pipe) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(pipe[0]);
    const std::string said = prepare() ? go() : "it cannot be prepared";
    [[maybe_unused]] const auto n = ::write(pipe[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(pipe[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t n; (n = ::read(pipe[0], buffer, sizeof buffer)) > 0;) text.append(buffer, static_cast<size_t>(n));
  ::close(pipe[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  return text + (WIFEXITED(status) ? "" : "it was killed");
}

std::string judge_all(bool fence) {
  std::string wrong;
  for (const Row &row : rows)
    if (fence || !row.needs_fence) wrong += judge(row);
  return wrong;
}

bool become_nobody() { return ::setgid(65534) == 0 && ::setuid(65534) == 0; }

// From here on these system calls do not exist.
bool without(std::initializer_list<int> calls) {
  std::vector<sock_filter> code{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const int call : calls) {
    code.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<uint32_t>(call), 0, 1));
    code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  }
  code.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program{static_cast<unsigned short>(code.size()), code.data()};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

TEST(Confined, AlwaysEnds) { EXPECT_EQ(judge_all(true), ""); }

TEST(Confined, AlwaysEndsWithoutRights) {
  if (::getuid() != 0) GTEST_SKIP() << "as it is";
  EXPECT_EQ(apart(become_nobody, [] { return judge_all(true); }), "");
}

TEST(Confined, AlwaysEndsOnAKernelThatOffersLess) {
  const auto prepare = [] { return without({SYS_seccomp, SYS_landlock_create_ruleset, SYS_pidfd_open}); };
  EXPECT_EQ(apart(prepare, [] { return judge_all(false); }), "");
  EXPECT_EQ(apart(prepare, confinement_lacks),
            "without seccomp filters it may leave its process group, and is looked for; without Landlock's signal "
            "scope it may signal other processes");
}

TEST(Confined, IsConfinedInTurn) {
  ConfinedLimits limits;
  limits.time = 60s;
  limits.nested = 2;
  limits.processes = limits.threads = 10000;
  const ConfinedEnd end = run_confined(limits, [&](ConfinedVoice &voice) {
    std::string wrong;
    for (const Row &row : rows) wrong += judge(row);
    const ConfinedEnd deeper = run_confined({}, [&](ConfinedVoice &second) {
      const ConfinedEnd deepest = run_confined({}, [](ConfinedVoice &) { daemon_of(true); });
      second.answer(done_and_left(deepest) ? "ok" : shown(deepest));
    });
    if (!answered_ok(deeper)) wrong += shown(deeper);
    // One level more than there are groups for: its processes are looked for one by one.
    const ConfinedEnd third = run_confined({}, [&](ConfinedVoice &a) {
      const ConfinedEnd second = run_confined({}, [&](ConfinedVoice &b) {
        const ConfinedEnd first = run_confined({}, [](ConfinedVoice &) { daemon_of(false); });
        b.answer(done_and_left(first) ? "ok" : shown(first));
      });
      a.answer(second.answer);
    });
    if (!answered_ok(third)) wrong += shown(third);
    voice.answer(wrong.empty() ? "ok" : wrong);
  });
  EXPECT_TRUE(answered_ok(end)) << shown(end) << end.answer;
}

// A tool has no process group of its own there: it is ended at its deadline all the same, and its keeper ends the rest.
TEST(Confined, RunsTools) {
  const ConfinedEnd end = run_confined({}, [](ConfinedVoice &voice) {
    ProcessRequest request;
    request.argv = {"/bin/sh", "-c", "echo done"};
    const auto quick = run_process(request);
    request.argv[2] = "sleep 1000 & exec sleep 1000";
    request.timeout = 50ms;
    const auto slow = run_process(request);
    const bool well = quick && quick->out == "done\n" && quick->exit_status == 0 && slow && slow->timed_out;
    voice.answer(well ? "ok" : quick ? quick->out : quick.error());
  });
  EXPECT_EQ(end.outcome, Outcome::done) << shown(end);
  EXPECT_EQ(end.answer, "ok");
  EXPECT_EQ(end.left, 1u);
}

TEST(Confined, EndsWithItsHost) {
  const pid_t host = ::fork();
  if (host == 0) {
    run_confined({}, [](ConfinedVoice &) {
      ::prctl(PR_SET_NAME, mark);
      daemon_of(true);
      fork_and(sleep_for_ever);
      sleep_for_ever();
    });
    ::_exit(0);
  }
  for (int k = 0; k < 1000 && count_there() < 3; ++k) ::usleep(5000);
  EXPECT_NE(still_there(), "");
  ::kill(host, SIGKILL);
  ::waitpid(host, nullptr, 0);
  for (int k = 0; k < 1000 && !still_there().empty(); ++k) ::usleep(5000);
  EXPECT_EQ(still_there(), "");
}

TEST(Confined, IsHeard) {
  std::vector<std::string> places;
  const ConfinedEnd end = run_confined(
      {},
      [](ConfinedVoice &voice) {
        voice.at("here");
        ::usleep(200'000);
        voice.at("there");
        ::usleep(200'000);
      },
      [&](std::string_view place) { places.emplace_back(place); });
  EXPECT_EQ(end.place, "there");
  EXPECT_EQ(places, (std::vector<std::string>{"here", "there"}));
}

} // namespace
} // namespace htp
