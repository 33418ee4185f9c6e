// host/base/keeper.h — a process between a host and a confined one: it ends the confined one and all that came of it,
// whatever becomes of the host.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include <sys/types.h>

namespace htp {

// Why the keeper ended what it keeps.
enum class KeptEnd : int {
  running = 0, // it still runs; a keeper that says this and is gone was killed
  by_itself,
  too_long,
  too_much_memory,
  too_many_processes,
  cancelled,
  not_begun // there was no process to be had; `status` is the errno
};

// Shared by the host and the keeper alone.
struct KeeperReport {
  std::atomic<uint64_t> rounds; // it lives
  std::atomic<bool> cancel;     // the host asks it to end what it keeps
  std::atomic<pid_t> worker;
  std::atomic<KeptEnd> end;
  std::atomic<int> status;    // of the worker, as by waitpid
  std::atomic<int> left;      // processes that the worker had started and left when it ended by itself
  std::atomic<int> not_ended; // processes that could not be ended
};

struct KeeperTask {
  pid_t host = 0;
  bool confined = false;     // the host is so itself, and what it starts cannot leave its process group, but for
  std::vector<pid_t> groups; // these: the first is for what is kept now, the others for what that confines in turn
  unsigned nested = 0;       // the host is not: how many such groups are made
  std::chrono::milliseconds time{0};   // without a beat
  std::chrono::milliseconds whole{0};  // altogether
  uint64_t memory = 0;                 // in use by all together
  uint64_t memory_each = 0;            // what each of them has from the host, which does not count
  unsigned processes = 0, threads = 0; // at a time
  const std::atomic<uint64_t> *beats = nullptr;
  KeeperReport *report = nullptr;
};

// In a process just forked from the host: forks the worker, which runs `work` (with the groups that are left for what
// it confines itself) and must not return, and keeps it.
[[noreturn]] void keep(const KeeperTask &task, const std::function<void(const std::vector<pid_t> &)> &work);

// The processes whose parent it is: those that have ended and were not waited for too.
unsigned count_children(pid_t process);

} // namespace htp
