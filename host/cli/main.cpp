// htp-host: a small program around libhtp. A command is a row of commands.def and a file of its own.
#include "host/base/interrupt.h"
#include "host/base/memory.h"
#include "host/base/working_folder.h"
#include "host/cli/command.h"
#include "host/cli/reproduce.h"

#include <cstdio>
#include <exception>
#include <new>
#include <unistd.h>

namespace {

constexpr uint64_t deep_programs = 64u << 20; // what walks over them may recurse

int do_command(const htp::Arguments &arguments) {
#define HTP_COMMAND(name, function, schema, summary)                                                                   \
  if (arguments.command == name) return htp::function(arguments);
#include "host/cli/commands.def"
#undef HTP_COMMAND
  return htp::exit_usage;
}

int run(int argc, char **argv) {
  htp::Parsed parsed = htp::parse_arguments(argc, argv);
  if (!parsed.arguments) return parsed.exit_code;
  std::string &profile = parsed.arguments->request.profile;
  profile = htp::profile_file(profile);
  htp::keep_answers_apart();
  htp::tell_of_ends(*parsed.arguments);
  if (!htp::keep_working_folder()) {
    htp::Diagnostics diagnostics;
    diagnostics.report(htp::diag::cli_no_folder, {});
    return htp::finish(*parsed.arguments, diagnostics);
  }
  htp::Diagnostics logging;
  if (!htp::begin_log(*parsed.arguments, logging)) return htp::finish(*parsed.arguments, logging);
  htp::remember_command_line(argv);
  try {
    if (htp::asked_to_reproduce()) return htp::reproduce(*parsed.arguments);
    return do_command(*parsed.arguments);
  } catch (const std::bad_alloc &) {
    return htp::finish_without_memory(*parsed.arguments);
  }
}

} // namespace

int main(int argc, char **argv) {
  htp::end_on_interrupt();
  htp::allow_stack(deep_programs);
  int code = htp::exit_failed;
  try {
    code = run(argc, argv);
  } catch (const std::bad_alloc &) { // before it was known how to answer
    htp::say_no_memory();
  } catch (const std::exception &e) {
    htp::end_progress();
    std::fprintf(stderr, "error: htp-host failed: %s\n  = hint: this is a fault of htp-host itself\n", e.what());
  }
  // The embedded interpreter is not taken down: the process ends anyway, and that costs more than a small compile.
  const bool printed = std::fflush(stdout) == 0 && !std::ferror(stdout); // --help
  if ((!printed || !htp::answers_written()) && code == 0) {
    std::fputs("error: cannot write all of the answer to standard output\n", stderr);
    code = htp::exit_failed;
  }
  std::fflush(stderr);
  _exit(code);
}
