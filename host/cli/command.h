// host/cli/command.h — what every command has: exit codes, and one way to answer.
#pragma once

#include "host/base/cache.h"
#include "host/cli/arguments.h"
#include "host/diag/diagnostic.h"
#include "host/pipeline/compile.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace htp {

enum ExitCode : int { exit_done = 0, exit_refused = 1, exit_usage = 2, exit_failed = 3, exit_interrupted = 130 };

// From here on standard output is for answers alone: what plugins and their libraries print there goes to stderr.
void keep_answers_apart();
// Opens the log that the options or HTP_LOG ask for; processes that this one starts log as it does. False after a
// report.
bool begin_log(const Arguments &arguments, Diagnostics &diagnostics);
// Writes a part of an answer, at once.
void answer_bytes(const std::string &text);
// Whether all of the answers could be written.
bool answers_written();

// From here on a plugin's code that ends the process, or crashes, is reported as that: exit_failed.
void tell_of_ends(const Arguments &arguments);

// Answers that the command was interrupted, and what is left of it.
int finish_cancelled(const Arguments &arguments, const std::string &left = "nothing was changed");

// Reports that there is too little memory, in little memory: exit_failed.
int finish_without_memory(const Arguments &arguments);
// The same on standard error alone, in no memory at all.
void say_no_memory();

// Prints the diagnostics (text on stderr; with --json inside the answer) and `answer` on stdout, and gives the exit
// code. `json` is the command's own object, to which schema, exit code and diagnostics are added.
int finish(const Arguments &arguments, const Diagnostics &diagnostics, const std::string &answer = "",
           const nlohmann::ordered_json &json = nullptr);
// The same with another exit code than the diagnostics call for.
int finish(const Arguments &arguments, const Diagnostics &diagnostics, int code, const std::string &answer,
           const nlohmann::ordered_json &json);

// A text as DOT has it, in quotes.
std::string dot_quoted(const std::string &text);
// Graphviz's picture of a graph in DOT; nothing when it cannot be had, which is reported with this hint.
std::optional<std::string> svg_of(const std::string &dot, Diagnostics &diagnostics, const std::string &hint);

// 0 without errors, 3 when a tool or plugin failed, else 1.
int exit_code_of(const Diagnostics &diagnostics);

// The diagnostics' tables: the host's own, and with a request those of the plugins it finds.
class KnownDiagnostics {
public:
  KnownDiagnostics();
  explicit KnownDiagnostics(const CompileRequest &request);
  const std::vector<DiagInfo> &rows() const { return rows_; }
  const DiagInfo *find(std::string_view code) const;

private:
  std::optional<LoadedSet> set_; // rows_ points into its libraries
  std::vector<DiagInfo> rows_;
};

// A progress line on stderr that goes away by itself; nothing when stderr is no terminal.
std::function<void(double, std::string_view)> progress_line(const Arguments &arguments);
void end_progress();

#define HTP_COMMAND(name, function, schema, summary) int function(const Arguments &arguments);
#include "host/cli/commands.def"
#undef HTP_COMMAND

} // namespace htp
