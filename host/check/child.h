// host/check/child.h — work in a child process with limits: a crash, a hang, an exit() or a flood of memory ends the
// child alone, and is told with where it was.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace htp {

struct ChildLimits {
  std::chrono::milliseconds time{10000}; // without a sign of life
  uint64_t memory = uint64_t{2} << 30;   // in use beyond what this process has
};

struct ChildEnd {
  enum class Outcome { done, died, hung, no_child } outcome = Outcome::no_child;
  std::string words;   // died: "killed by SIGSEGV", "it called exit(3)"; no_child: why
  std::string place;   // where it was: the last `at` of it or of the children it had
  std::string output;  // the last lines of what it wrote to its standard output and error; done too
  std::string answer;  // what it handed over by `answer`, as far as it came
  bool exited = false; // died: by exit() or the like, not by a signal
  bool greedy = false; // died: it took more memory than the limit
};

// For the work that runs in a child: where it is now (kept when it dies), a sign of life, and what it has to say
// (appended).
class ChildVoice {
public:
  void at(std::string_view place);
  void answer(std::string_view bytes);
  // Everything it wrote to its standard output and error so far.
  std::string output() const;

private:
  friend ChildEnd run_in_child(const ChildLimits &, const std::function<void(ChildVoice &)> &,
                               const std::function<void(std::string_view)> &);
  struct Page;
  Page *page_ = nullptr;
  int answer_ = -1, output_ = -1;
};

// Forks; the child's standard input is empty, its output is kept. `watch` hears where the child is, a few times a
// second. Nothing of the child, nor of what it started, outlives the call.
ChildEnd run_in_child(const ChildLimits &limits, const std::function<void(ChildVoice &)> &work,
                      const std::function<void(std::string_view)> &watch = {});

} // namespace htp
