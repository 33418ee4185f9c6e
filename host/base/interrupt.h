// host/base/interrupt.h — SIGINT and SIGTERM: how a program is ended in the middle.
#pragma once

#include <csignal>

namespace htp {

// From here on the first SIGINT or SIGTERM sets `interrupted`, kills the tools that run, and asks what runs to end;
// what has not ended after a fifth of a second is ended. The second ends at once. The end: nothing unfinished is left
// (unfinished.h), "interrupted" stands on standard error, and the exit code is 130.
void end_on_interrupt();

// Set by the first; never where nobody called end_on_interrupt.
extern volatile std::sig_atomic_t interrupted;

// One more who is told of the first, in the signal's handler. To be called after what takes the signals for itself, as
// Python's `signal.signal` does.
void tell_of_interrupt(void (*teller)());

} // namespace htp
