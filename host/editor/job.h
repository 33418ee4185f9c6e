// host/editor/job.h — work in a process of its own, forked: what a plugin does there (crash, hang, take memory) ends
// that process and no other, and work that is stale is killed. What it says comes as lines.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace htp::editor {

class Job {
public:
  using Say = std::function<void(std::string_view line)>; // a line, without its end

  // Nothing when there is no process to be had. The work returns into nothing: its process ends after it.
  static std::optional<Job> start(const std::function<void(const Say &)> &work, std::chrono::milliseconds limit);
  Job(Job &&other) noexcept;
  Job &operator=(Job &&other) noexcept;
  ~Job(); // kills it, with all that it started

  int descriptor() const { return pipe_; } // readable when there is more, or the end
  // The whole lines that came. False at the end: then how it ended is known.
  bool take(std::vector<std::string> &lines);
  // Milliseconds until it is to be killed; 0: now.
  int left() const;
  void expire(); // kills it for that

  bool ended_well() const { return ended_well_; }
  const std::string &reason() const { return reason_; } // "killed by SIGSEGV"

private:
  Job(pid_t process, int pipe, std::chrono::milliseconds limit);
  void end();

  pid_t process_ = -1;
  int pipe_ = -1;
  std::chrono::steady_clock::time_point until_{};
  std::string buffer_, reason_;
  bool ended_well_ = false, expired_ = false;
};

} // namespace htp::editor
