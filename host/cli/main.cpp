// htp-host: a small program around libhtp. A command is a row of commands.def and a file of its own.
#include "host/base/interrupt.h"
#include "host/cli/command.h"

#include <cstdio>
#include <exception>
#include <unistd.h>

namespace {

int run(int argc, char **argv) {
  const htp::Parsed parsed = htp::parse_arguments(argc, argv);
  if (!parsed.arguments) return parsed.exit_code;
  htp::keep_answers_apart();
  htp::tell_of_ends(*parsed.arguments);
#define HTP_COMMAND(words, function, schema, summary)                                                                  \
  if (parsed.arguments->command == words) return htp::function(*parsed.arguments);
#include "host/cli/commands.def"
#undef HTP_COMMAND
  return parsed.exit_code;
}

} // namespace

int main(int argc, char **argv) {
  htp::end_on_interrupt();
  int code = htp::exit_failed;
  try {
    code = run(argc, argv);
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
