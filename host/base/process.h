// host/base/process.h — runs a tool: no shell, its output collected, a time limit.
#pragma once

#include "host/base/expected.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace htp {

struct ProcessRequest {
  std::vector<std::string> argv;                       // argv[0] is looked up in PATH
  std::string directory;                               // empty: this process's
  std::string input;                                   // its standard input
  std::optional<std::vector<std::string>> environment; // "NAME=value"; none: this process's
  std::chrono::milliseconds timeout{0};                // 0: none
  size_t output_limit = 64u << 20;                     // of each stream; more is read and dropped
};

struct ProcessResult {
  int exit_status = 0; // 128 + signal when a signal ended it
  int signal = 0;
  bool timed_out = false;
  std::string out, err;
};

// Nothing of the child outlives this call but what it detached itself: it has a process group of its own, and its
// temporary files are in a folder of its own. The error says why it could not be started.
Expected<ProcessResult, std::string> run_process(const ProcessRequest &request);

// Kills the tools that run now, with all they started; their run_process calls return. For signal handlers: a
// terminal's Ctrl-C reaches the tools only through this.
void kill_running_tools();

} // namespace htp
