#include "host/base/interrupt.h"

#include "host/base/process.h"
#include "host/base/running.h"
#include "host/base/unfinished.h"

#include <poll.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <string_view>

namespace htp {

volatile std::sig_atomic_t interrupted = 0;

namespace {

constexpr int exit_code = 130;
constexpr int64_t milli = 1'000'000; // times are in nanoseconds
constexpr int64_t tick = 40 * milli, grace = 200 * milli, enough = 120 * milli, most = 2000 * milli;

bool begun = false;
void (*volatile other)() = nullptr;
// Of the first signal, and of the processor's time at the last look.
int64_t since = 0, time_at_first = 0, time_before = 0;

int64_t now(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return int64_t{time.tv_sec} * 1000 * milli + time.tv_nsec;
}

// Not where that would wait.
void say_at_end(std::string_view text) {
  pollfd ready{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&ready, 1, 0) != 1 || !(ready.revents & POLLOUT)) return;
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

void take(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  for (const int one : {SIGINT, SIGTERM, SIGALRM}) sigaddset(&action.sa_mask, one);
  ::sigaction(signal, &action, nullptr);
}

[[noreturn]] void end_process(const Running *unit) {
  kill_running_tools();
  remove_unfinished();
  say_at_end("interrupted");
  if (unit) {
    say_at_end(": `");
    say_at_end(unit->unit());
    say_at_end("` of plugin `");
    say_at_end(unit->plugin());
    say_at_end("` did not stop by itself");
  }
  say_at_end("\n");
  ::_exit(exit_code);
}

void end_now(int) { end_process(nullptr); }

// Ends what does not answer: once it has had its time, or waits for something. Where many share the processor it has
// its time later.
void look(int) {
  const int64_t passed = now(CLOCK_MONOTONIC) - since, time = now(CLOCK_PROCESS_CPUTIME_ID);
  const bool waits = time - time_before < milli;
  time_before = time;
  kill_running_tools(); // one that another thread was just starting
  if (passed >= most || (passed >= grace && (waits || time - time_at_first >= enough))) end_process(Running::now());
}

void end_soon(int) {
  const int error = errno;
  interrupted = 1;
  kill_running_tools();
  since = now(CLOCK_MONOTONIC);
  time_at_first = time_before = now(CLOCK_PROCESS_CPUTIME_ID);
  for (const int signal : {SIGINT, SIGTERM}) take(signal, end_now);
  take(SIGALRM, look);
  constexpr timeval often{0, tick / 1000};
  const itimerval timer{often, often};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
  if (const auto teller = other) teller();
  errno = error;
}

} // namespace

void end_on_interrupt() {
  begun = true;
  for (const int signal : {SIGINT, SIGTERM}) take(signal, end_soon);
}

void tell_of_interrupt(void (*teller)()) {
  other = teller;
  if (begun && !interrupted) end_on_interrupt();
}

} // namespace htp
