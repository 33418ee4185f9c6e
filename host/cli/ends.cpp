// A process that ends in a plugin's code: by exit(), or by a crash.
#include "host/base/fs.h"
#include "host/base/memory.h"
#include "host/base/running.h"
#include "host/cli/command.h"
#include "host/cli/reproduce.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <unistd.h>

namespace htp {

namespace {

const Arguments *asked = nullptr;

// With less left, what crashes does so for want of it.
constexpr uint64_t little_memory = 4u << 20;

const std::string &plugin() {
  static const std::string unknown = "?";
  return Running::now() ? Running::now()->plugin() : unknown;
}

// The options by which this run found its plugins.
std::string search() {
  std::string options;
  if (!asked->request.profile.empty()) options += " --plugins " + shell_word(asked->request.profile);
  for (const std::string &folder : asked->request.plugin_path) options += " --plugin-path " + shell_word(folder);
  return options;
}

[[noreturn]] void end(const Diagnostics &diagnostics) {
  finish(*asked, diagnostics);
  answers_written();
  std::fflush(stderr);
  become_reproducer(*asked);
  _exit(exit_failed);
}

// This program itself ends by _exit(), so whoever calls exit() is a plugin or its library.
void at_exit() {
  Diagnostics diagnostics;
  diagnostics.report(diag::cli_plugin_exits, {}, plugin(), Running::now() ? Running::now()->unit() : "its library");
  end(diagnostics);
}

// The process is lost, so what a handler may not do otherwise is tried; where that hangs or crashes, the signal ends
// it.
void at_crash(int signal) {
  if (address_space_left() < little_memory) {
    say_no_memory();
    _exit(exit_failed);
  }
  if (!Running::now()) { // our own fault: as if there were no handler
    std::signal(signal, SIG_DFL);
    std::raise(signal);
    return;
  }
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(10);
  Diagnostics diagnostics;
  diagnostics.report(diag::cli_plugin_crashes, {}, plugin(), Running::now()->unit(), strsignal(signal))
      .hint("`htp-host" + search() + " plugins check " + plugin() + "` runs its units apart and says more");
  end(diagnostics);
}

} // namespace

void say_no_memory() {
  static constexpr std::string_view said = "error[cli.no-memory]: there is too little memory\n"
                                           "  = hint: allow more (`ulimit -v unlimited`), or give less at once\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, said.data(), said.size());
}

int finish_without_memory(const Arguments &arguments) {
  try {
    Diagnostics diagnostics;
    diagnostics.report(diag::cli_no_memory, {});
    return finish(arguments, diagnostics);
  } catch (const std::exception &) {
    say_no_memory();
    return exit_failed;
  }
}

namespace {

// Of memory that is not there, let out where nothing may be, at_crash tells; without a word before.
void at_terminate() {
  try {
    if (const auto thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::bad_alloc &) {
    std::abort();
  } catch (...) { // told below
  }
  __gnu_cxx::__verbose_terminate_handler();
}

} // namespace

void tell_of_ends(const Arguments &arguments) {
  asked = &arguments;
  std::atexit(at_exit);
  std::set_terminate(at_terminate);
  static std::byte stack[64 * 1024]; // a crash may be of a stack that is full
  stack_t own{};
  own.ss_sp = stack;
  own.ss_size = sizeof stack;
  ::sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_handler = at_crash;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER | SA_ONSTACK);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN); // a file that may grow no more is an error of the write, with a diagnostic
}

} // namespace htp
