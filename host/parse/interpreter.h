// host/parse/interpreter.h — the process's CPython: the one that runs us, or one of our own, isolated from the machine.
#pragma once

#include <string>

namespace htp {

// Holds the interpreter's lock for its life. The first in a process without an interpreter starts one: no environment,
// no site, no signal handlers, UTF-8, hash seed 0, and only the core of it, which is all that parsing needs.  [any
// thread]
class Interpreter {
public:
  Interpreter();
  ~Interpreter();
  Interpreter(const Interpreter &) = delete;
  Interpreter &operator=(const Interpreter &) = delete;

  // Whether there is one; else `reason()` says why it did not start.
  explicit operator bool() const { return held_; }
  static const std::string &reason();

  // From now on, if none has been started: its objects come from `malloc` one by one, so that what is kept of them can
  // be counted. Slower than Python's own way.
  static void count_objects();

  // Makes it fit to run code and import modules (the other half of the start-up). False with a reason when it failed.
  bool finish();

private:
  bool held_ = false;
  int state_ = 0; // PyGILState_STATE
};

} // namespace htp
