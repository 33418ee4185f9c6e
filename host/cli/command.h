// host/cli/command.h — what every command has: exit codes, and one way to answer.
#pragma once

#include "host/base/cache.h"
#include "host/cli/arguments.h"
#include "host/diag/diagnostic.h"

#include <functional>
#include <string>
#include <string_view>

namespace htp {

enum ExitCode : int { exit_done = 0, exit_refused = 1, exit_usage = 2, exit_failed = 3, exit_interrupted = 130 };

// Prints the diagnostics (text on stderr; with --json inside the answer) and `answer` on stdout, and gives the exit
// code. `json` is the command's own object without its closing brace's diagnostics: "{}" for none.
int finish(const Arguments &arguments, const Diagnostics &diagnostics, int code, const std::string &answer,
           const std::string &json = "{}");

// For work that ended in errors: 3 when a tool or plugin failed, else 1.
int exit_code_of(const Diagnostics &diagnostics);

// Ends the work at the next pass; a second Ctrl-C ends the process.
const volatile bool *interrupt_flag();

// A progress line on stderr that goes away by itself; nothing when stderr is no terminal.
std::function<void(double, std::string_view)> progress_line(const Arguments &arguments);
void end_progress();

#define HTP_COMMAND(words, function, summary) int function(const Arguments &arguments);
#include "host/cli/commands.def"
#undef HTP_COMMAND

} // namespace htp
