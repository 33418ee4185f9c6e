#include "host/check/watch.h"

#include "host/base/confined.h"
#include "host/base/fs.h"

#include <fmt/format.h>

#include <malloc.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cfenv>
#include <climits>
#include <clocale>
#include <cstdlib>
#include <cstring>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

extern char **environ;
// Of the address sanitizer, whose allocator mallinfo2 does not know.
extern "C" size_t __sanitizer_get_current_allocated_bytes() __attribute__((weak));

namespace htp {

namespace {

// The entries of a folder of /proc/self; those of `fd` with what they point to.
std::string listing(const std::string &folder, bool links) {
  std::string text;
  const auto entries = list_folder(folder);
  if (!entries) return text;
  for (const FolderEntry &entry : *entries) {
    char target[PATH_MAX];
    const ssize_t size = links ? ::readlink((folder + "/" + entry.name).c_str(), target, sizeof target) : 0;
    if (links && size < 0) continue; // the one that lists them
    const std::string shown(target, static_cast<size_t>(size));
    if (links && shown.starts_with("/proc/")) continue;
    text += entry.name + (links ? " → " + shown : "") + "\n";
  }
  return text;
}

std::string signals() {
  std::string text;
  for (int s = 1; s < NSIG; ++s) {
    struct sigaction action {};
    if (::sigaction(s, nullptr, &action) == 0)
      text += fmt::format("{}: {}\n", s, reinterpret_cast<uintptr_t>(action.sa_handler));
  }
  sigset_t blocked;
  ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
  for (int s = 1; s < NSIG; ++s)
    if (::sigismember(&blocked, s) == 1) text += fmt::format("{}: blocked\n", s);
  return text;
}

std::string environment() {
  std::string text;
  for (char **variable = environ; variable && *variable; ++variable) text += std::string(*variable) + "\n";
  return text;
}

std::string folder() {
  char path[PATH_MAX];
  return ::getcwd(path, sizeof path) ? path : "?";
}

std::string mask() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return fmt::format("{:03o}", mask);
}

std::string arithmetic() {
  std::string text = fmt::format("rounding {}, traps {}", std::fegetround(), ::fegetexcept());
#if defined(__x86_64__)
  text += fmt::format(", flush {}", (_mm_getcsr() & 0x8040u) != 0);
#endif
  return text;
}

// The first line that only one of the two has.
std::pair<std::string, std::string> difference(const std::string &before, const std::string &after) {
  const auto lines = [](const std::string &text) {
    std::vector<std::string> list;
    for (size_t at = 0, end; at < text.size(); at = end + 1) {
      end = std::min(text.find('\n', at), text.size());
      list.push_back(text.substr(at, end - at));
    }
    return list;
  };
  const auto missing = [](const std::vector<std::string> &from, const std::vector<std::string> &in) {
    for (const std::string &line : from)
      if (std::find(in.begin(), in.end(), line) == in.end()) return line;
    return std::string();
  };
  const auto a = lines(before), b = lines(after);
  return {missing(a, b), missing(b, a)};
}

// glibc counts what lies in the thread's cache of small pieces as in use: up to seven of each of 64 sizes, as many as
// the last calls happened to leave there. So the cache is filled before one counts.
void fill_cache_of_small_pieces() {
  constexpr size_t sizes = 64, kept = 7;
  for (size_t size = 1; size <= sizes; ++size) {
    std::array<void *volatile, kept> pieces; // volatile: no compiler may leave the pairs out
    for (void *volatile &piece : pieces) piece = std::malloc(16 * size + 8);
    for (void *volatile &piece : pieces) std::free(piece);
  }
}

} // namespace

std::vector<Watch::Fact> Watch::look() {
  return {{CheckId::closes_files, "the open files are others", listing("/proc/self/fd", true)},
          {CheckId::ends_threads, "there are other threads", listing("/proc/self/task", false)},
          {CheckId::ends_threads, "there are other processes", std::to_string(processes_beside())},
          {CheckId::keeps_folder, "the working directory is another", folder()},
          {CheckId::keeps_signals, "signals are handled otherwise", signals()},
          {CheckId::keeps_locale, "the locale is another", std::setlocale(LC_ALL, nullptr)},
          {CheckId::keeps_environment, "the environment is another", environment()},
          {CheckId::keeps_environment, "the file creation mask is another", mask()},
          {CheckId::keeps_arithmetic, "floating point works otherwise", arithmetic()}};
}

Watch::Watch() : before_(look()) {}

std::vector<Watch::Change> Watch::changes() const {
  std::vector<Change> result;
  const std::vector<Fact> after = look();
  for (size_t i = 0; i < before_.size(); ++i) {
    if (before_[i].value == after[i].value) continue;
    auto [gone, come] = difference(before_[i].value, after[i].value);
    result.push_back(
        {after[i].check, after[i].what, gone.empty() ? "nothing more" : gone, come.empty() ? "it is gone" : come});
  }
  return result;
}

struct Baseline::State {
  std::string folder, locale;
  std::vector<std::string> environment;
  std::vector<struct sigaction> actions;
  mode_t mask;
  fenv_t arithmetic;
};

Baseline::Baseline() : state_(std::make_unique<State>()) {
  State &s = *state_;
  s.folder = folder();
  s.locale = std::setlocale(LC_ALL, nullptr);
  for (char **variable = environ; variable && *variable; ++variable) s.environment.emplace_back(*variable);
  s.actions.resize(NSIG);
  for (int n = 1; n < NSIG; ++n) ::sigaction(n, nullptr, &s.actions[static_cast<size_t>(n)]);
  s.mask = ::umask(0);
  ::umask(s.mask);
  ::fegetenv(&s.arithmetic);
}
Baseline::~Baseline() = default;

void Baseline::restore() const {
  const State &s = *state_;
  [[maybe_unused]] const int gone = ::chdir(s.folder.c_str());
  std::setlocale(LC_ALL, s.locale.c_str());
  ::clearenv();
  for (const std::string &variable : s.environment) {
    const size_t equal = std::min(variable.find('='), variable.size() - 1);
    ::setenv(variable.substr(0, equal).c_str(), variable.substr(equal + 1).c_str(), 1);
  }
  for (int n = 1; n < NSIG; ++n) ::sigaction(n, &s.actions[static_cast<size_t>(n)], nullptr);
  ::umask(s.mask);
  ::fesetenv(&s.arithmetic);
}

size_t allocated_bytes() {
  if (__sanitizer_get_current_allocated_bytes) return __sanitizer_get_current_allocated_bytes();
  fill_cache_of_small_pieces();
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

size_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<size_t>(usage.ru_maxrss) * 1024;
}

} // namespace htp
