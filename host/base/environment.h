// host/base/environment.h — what the environment asks for, as far as it may.
#pragma once

namespace htp {

// Whether this process may do what the user who started it may not (set-user-id, file capabilities: AT_SECURE).
bool privileged();

// A variable; null when it is not set. Null too in a privileged process: who starts it must not choose what it loads,
// believes or writes to.
const char *environment(const char *name);

// For tests: while it lives, this process is taken to be privileged.
class PretendPrivileged {
public:
  PretendPrivileged();
  ~PretendPrivileged();
  PretendPrivileged(const PretendPrivileged &) = delete;
  PretendPrivileged &operator=(const PretendPrivileged &) = delete;
};

} // namespace htp
