// host/base/confined.h — foreign code in processes of its own, which always end: with all that they started, however
// it hides, and whatever becomes of this process. What they say of themselves is data, never a verdict: how they ended
// is the kernel's report.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace htp {

struct ConfinedLimits {
  std::chrono::milliseconds time{10000};              // without a sign of life
  std::chrono::milliseconds whole{0};                 // altogether; 0: 60 times that
  uint64_t memory = uint64_t{2} << 30;                // in use by all of its processes, beyond what this process has
  uint64_t address_space = 0;                         // of each, beyond what this process has; 0: no limit
  uint64_t output = uint64_t{16} << 20;               // that it may write to standard output and error
  uint64_t answer = uint64_t{256} << 20;              // that it may hand over
  unsigned processes = 64, threads = 512;             // at a time, beside itself
  unsigned nested = 0;                                // how deep it confines work in turn
  std::vector<int> keep;                              // descriptors that it needs; all others are closed in it
  const volatile std::sig_atomic_t *cancel = nullptr; // it ends when this is set: died
};

struct ConfinedEnd {
  enum class Outcome { done, died, hung, no_process } outcome = Outcome::no_process;
  std::string reason;  // died: "killed by SIGSEGV", "it called exit(3)"; no_process: why
  std::string place;   // where it was, by its own words: the last `at` of it or of those that it confined
  std::string output;  // the last lines of what it wrote to its standard output and error; done too
  std::string answer;  // what it handed over by `answer`, as far as it came: to be validated
  bool exited = false; // died: by exit() or the like, not by a signal
  bool greedy = false; // died: it took more memory than the limit
  unsigned left = 0;   // processes that it had started and left when it ended; they were ended
  bool crowd = false;  // died: it had more processes or threads than the limit
};

// For the work that runs confined: where it is now (kept when it dies), a sign of life, and what it has to say
// (appended).
class ConfinedVoice {
public:
  void at(std::string_view place);
  void answer(std::string_view bytes);
  // Everything it wrote to its standard output and error so far.
  std::string output() const;

private:
  friend ConfinedEnd run_confined(const ConfinedLimits &, const std::function<void(ConfinedVoice &)> &,
                                  const std::function<void(std::string_view)> &);
  struct Page;
  Page *page_ = nullptr;
  int answer_ = -1, output_ = -1;
};

// Runs the work in a forked process, in a session and a process group of its own that neither it nor what it starts
// can leave, with an empty standard input and its output kept. Only work that comes to its end, in a process that then
// ends with status 0, is `done`. `watch` hears where it is, a few times a second. Nothing of it outlives the call.
ConfinedEnd run_confined(const ConfinedLimits &limits, const std::function<void(ConfinedVoice &)> &work,
                         const std::function<void(std::string_view)> &watch = {});

// Whether this process runs confined.
bool confined();
// How many processes there are that came of this one and are not waited for; in a confined process also those that came
// of one of these which is gone. More after a call than before it: the call left some.
unsigned processes_beside();
// What of all this the system does not offer, in text for a user; empty: nothing.
std::string confinement_lacks();

} // namespace htp
