#include "host/base/fence.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace htp {

namespace {

#if defined(__x86_64__)
constexpr uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t architecture = 0; // no filter is known for it
#endif

// A filter of system calls, written from its top to its end.
class Filter {
public:
  Filter() {
    load(offsetof(seccomp_data, arch));
    unless(architecture, refuse(ENOSYS)); // the calls of another machine have other numbers
    load(offsetof(seccomp_data, nr));
#if defined(__x86_64__)
    add({BPF_JMP | BPF_JGE | BPF_K, 0, 1, 0x40000000}); // x32's
    add(refuse(ENOSYS));
#endif
  }

  void never(int call) { when(static_cast<uint32_t>(call), {refuse(EPERM)}); }

  // Refused where the low word of the argument is one of these; of `only`: is none of these.
  void of_argument(int call, unsigned argument, std::span<const pid_t> values, bool only = false) {
    std::vector<sock_filter> body{
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(offsetof(seccomp_data, args) + 8 * argument)}};
    for (const pid_t value : values) {
      body.push_back({BPF_JMP | BPF_JEQ | BPF_K, 0, 1, static_cast<uint32_t>(value)});
      body.push_back(only ? allow : refuse(EPERM));
    }
    body.push_back(only ? refuse(EPERM) : allow);
    when(static_cast<uint32_t>(call), body);
  }

  bool install() {
    add(allow);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
  }

private:
  static constexpr sock_filter allow{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW};
  static sock_filter refuse(int error) {
    return {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | static_cast<uint32_t>(error)};
  }
  void add(sock_filter one) { code_.push_back(one); }
  void load(size_t offset) { add({BPF_LD | BPF_W | BPF_ABS, 0, 0, static_cast<uint32_t>(offset)}); }
  void unless(uint32_t value, sock_filter one) {
    add({BPF_JMP | BPF_JEQ | BPF_K, 1, 0, value});
    add(one);
  }
  void when(uint32_t value, const std::vector<sock_filter> &body) {
    add({BPF_JMP | BPF_JEQ | BPF_K, 0, static_cast<uint8_t>(body.size()), value});
    code_.insert(code_.end(), body.begin(), body.end());
  }

  std::vector<sock_filter> code_;
};

bool has_filters() {
  const uint32_t action = SECCOMP_RET_ERRNO;
  return architecture != 0 && ::syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool put_up_filter(const Fence &fence) {
  Filter filter;
  filter.never(SYS_setsid);
  filter.of_argument(SYS_setpgid, 1, fence.groups, true);
  // A process of the same user could be made to do anything.
  for (const int call :
       {SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_pidfd_send_signal, SYS_pidfd_getfd, SYS_tkill})
    filter.never(call);
  std::vector<pid_t> processes = fence.out_of_reach, kill_targets{-1};
  for (const pid_t process : fence.out_of_reach) kill_targets.insert(kill_targets.end(), {process, -process});
  filter.of_argument(SYS_kill, 0, kill_targets);
  for (const int call : {SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo})
    filter.of_argument(call, 0, processes);
  const pid_t into_a_terminal[] = {TIOCSTI, TIOCLINUX};
  filter.of_argument(SYS_ioctl, 1, into_a_terminal);
  return filter.install();
}

// What <linux/landlock.h> of an older system does not name.
struct Ruleset {
  uint64_t files, network, scoped;
};
constexpr uint64_t signals_stay_inside = 2;                       // LANDLOCK_SCOPE_SIGNAL
constexpr uint64_t block_devices = LANDLOCK_ACCESS_FS_MAKE_BLOCK; // some file access must be named before version 6

long landlock_version() { return ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION); }

// A domain of its own: no process outside of it can be traced, written to or (from version 6 on) signalled, whatever
// its number.
bool put_up_domain() {
  const long version = landlock_version();
  if (version < 1) return true;
  const Ruleset rules{block_devices, 0, version >= 6 ? signals_stay_inside : 0};
  const size_t size = version >= 6 ? sizeof rules : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
  const long fd = ::syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (fd < 0) return false;
  const bool done = ::syscall(SYS_landlock_restrict_self, fd, 0) == 0;
  const int error = errno;
  ::close(static_cast<int>(fd));
  errno = error;
  // As many as there may be, one within the other, or a system that has it switched off.
  return done || error == E2BIG || error == EOPNOTSUPP;
}

} // namespace

std::string put_up(const Fence &fence) {
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (!put_up_domain()) return std::string("landlock: ") + std::strerror(errno);
  if (has_filters() && !put_up_filter(fence)) return std::string("seccomp: ") + std::strerror(errno);
  return "";
}

std::string fence_lacks() {
  std::string lacks;
  if (!has_filters()) lacks = "without seccomp filters it may leave its process group, and is looked for";
  if (landlock_version() < 6)
    lacks += std::string(lacks.empty() ? "" : "; ") + "without Landlock's signal scope it may signal other processes";
  return lacks;
}

} // namespace htp
