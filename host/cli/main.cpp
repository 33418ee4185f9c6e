// htp-host: a small program around libhtp. A command is a row of commands.def and a file of its own.
#include "host/cli/command.h"

#include <cstdio>
#include <unistd.h>

int main(int argc, char **argv) {
  const htp::Parsed parsed = htp::parse_arguments(argc, argv);
  int code = parsed.exit_code;
#define HTP_COMMAND(words, function, summary)                                                                          \
  if (parsed.arguments && parsed.arguments->command == words) code = htp::function(*parsed.arguments);
#include "host/cli/commands.def"
#undef HTP_COMMAND
  // The embedded interpreter is not taken down: the process ends anyway, and that costs more than a small compile.
  std::fflush(stdout);
  std::fflush(stderr);
  _exit(code);
}
