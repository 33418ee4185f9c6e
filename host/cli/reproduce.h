// host/cli/reproduce.h — what a compile or a run that failed inside leaves: a folder with what shows it again.
#pragma once

#include "host/cli/arguments.h"

namespace htp {

// Remembers the command line, for a process that makes the folder by it.
void remember_command_line(char **argv);

// Whether this process is to make such a folder of its command line, instead of what that says.
bool asked_to_reproduce();
// Makes it and gives exit_failed, as the process whose place it may take. It lies in the cache's `faults`: of a compile
// the program, what it imports beside itself and the command; of a run the package, and a call of the same sizes with
// random arrays in the place of the user's. Says on standard error where.
int reproduce(const Arguments &arguments);

// After a compile that failed inside: such a process makes the folder. Nothing where $HTP_REPRODUCE is `off`, without a
// cache, and of other commands.
void keep_reproducer(const Arguments &arguments);
// After a crash: this process goes on as such a one. Returns where there is to be none.
void become_reproducer(const Arguments &arguments);

} // namespace htp
