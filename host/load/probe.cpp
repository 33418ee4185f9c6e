#include "host/load/probe.h"

#include "host/base/fs.h"
#include "host/load/handshake.h"
#include "htp/entry.h"

#include <fmt/format.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace htp {

namespace {

using Clock = std::chrono::steady_clock;

// What the child says, one message each: a tag, then for not_opened and exits text up to a NUL.
enum Tag : char {
  opening = 'o',    // begins with the next library
  reading = 'r',    // it is open; its entry is being read
  survived = 's',   // done with it
  not_opened = 'n', // dlopen refused: its words
  no_entry = 'e',   // it is open and has no entry
  exits = 'x'       // exit() was called: the status
};

// ── the child ───────────────────────────────────────────────────────────────────────────────────────────────────────

void say(int fd, Tag tag, std::string_view text = {}) {
  std::string message(1, tag);
  if (tag == not_opened || tag == exits) message.append(text).push_back('\0');
  for (std::string_view rest = message; !rest.empty();) {
    const ssize_t n = ::write(fd, rest.data(), rest.size());
    if (n < 0 && errno != EINTR) ::_exit(1);
    if (n > 0) rest.remove_prefix(static_cast<size_t>(n));
  }
}

// exit() in a constructor: handlers run last to first, so this one keeps the host's own from running in the child.
void on_exit_called(int status, void *fd) {
  say(static_cast<int>(reinterpret_cast<intptr_t>(fd)), exits, std::to_string(status));
  ::_exit(status);
}

// Of this process now, in bytes; 0 when the system does not tell.
uint64_t address_space() {
  const auto text = read_file("/proc/self/statm");
  return text ? std::strtoull(text->c_str(), nullptr, 10) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)) : 0;
}

// noexcept: what a constructor throws would go through dlopen into the host's frames.
[[noreturn]] void run_child(std::span<const ProbeRequest> requests, const LoadOptions &options, int reports,
                            int output) noexcept {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  if (const uint64_t own = address_space()) {
    const rlimit memory{own + options.probe_memory, own + options.probe_memory};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTERM, SIGINT}) ::signal(signal, SIG_DFL);
  const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ::dup2(nothing.get(), 0);
  ::dup2(output, 1);
  ::dup2(output, 2);
  ::on_exit(on_exit_called, reinterpret_cast<void *>(static_cast<intptr_t>(reports)));
  for (const ProbeRequest &request : requests) {
    if (::ftruncate(output, 0) == 0) ::lseek(output, 0, SEEK_SET); // its own words only
    say(reports, opening);
    void *const handle = ::dlopen(request.library->path().c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) {
      say(reports, not_opened, ::dlerror());
      continue;
    }
    say(reports, reading);
    const auto *entry = static_cast<const htp_entry *>(::dlsym(handle, HTP_ENTRY_SYMBOL));
    if (entry) {
      Diagnostics scratch; // the host asks again, in its own process; here it only has to survive
      shake_hands(*request.manifest, *entry, options.releases, scratch);
    }
    say(reports, entry ? survived : no_entry);
  }
  ::_exit(0);
}

// ── the host ────────────────────────────────────────────────────────────────────────────────────────────────────────

// The last lines of what the child wrote.
std::string tail(int output) {
  std::array<char, 1024> buffer;
  const off_t size = ::lseek(output, 0, SEEK_END);
  const off_t from = std::max<off_t>(0, size - static_cast<off_t>(buffer.size()));
  const ssize_t n = ::pread(output, buffer.data(), buffer.size(), from);
  std::string text(buffer.data(), n > 0 ? static_cast<size_t>(n) : 0);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  size_t begin = text.size();
  for (int lines = 0; lines < 3 && begin != std::string::npos && begin != 0; ++lines)
    begin = text.rfind('\n', begin - 1);
  if (begin != std::string::npos && begin != 0) text.erase(0, begin + 1);
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t') c = '?';
  return text;
}

std::string signal_name(int signal) {
  const char *name = ::sigabbrev_np(signal);
  return name ? std::string("SIG") + name : "signal " + std::to_string(signal);
}

// One child's life: verdicts for as many requests as it got through.
class Child {
public:
  Child(std::span<const ProbeRequest> requests, const LoadOptions &options) : requests_(requests), options_(options) {}

  std::vector<ProbeVerdict> run() {
    const auto no_child = [&] {
      return std::vector{ProbeVerdict{ProbeVerdict::Outcome::no_child, std::strerror(errno), {}, {}}};
    };
    int pipe[2];
    if (::pipe2(pipe, O_CLOEXEC) != 0) return no_child();
    reports_ = Fd(pipe[0]);
    Fd write(pipe[1]);
    output_ = Fd(::memfd_create("htp-probe", MFD_CLOEXEC));
    child_ = ::fork();
    if (child_ < 0) return no_child();
    if (child_ == 0) run_child(requests_, options_, write.get(), output_.get());
    write.reset();
    listen();
    finish();
    return std::move(verdicts_);
  }

private:
  void listen() {
    std::string heard;
    auto deadline = Clock::now() + options_.probe_timeout;
    while (verdicts_.size() < requests_.size()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      pollfd ready{reports_.get(), POLLIN, 0};
      const int n = left > 0 ? ::poll(&ready, 1, static_cast<int>(left)) : 0;
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) {
        hung_ = true;
        return;
      }
      std::array<char, 4096> buffer;
      const ssize_t size = ::read(reports_.get(), buffer.data(), buffer.size());
      if (size < 0 && errno == EINTR) continue;
      if (size <= 0) return; // it died
      heard.append(buffer.data(), static_cast<size_t>(size));
      if (understand(heard)) deadline = Clock::now() + options_.probe_timeout;
    }
  }

  // Takes whole messages off `heard`; true when there was any.
  bool understand(std::string &heard) {
    bool any = false;
    while (!heard.empty()) {
      const Tag tag = static_cast<Tag>(heard[0]);
      std::string text;
      size_t used = 1;
      if (tag == not_opened || tag == exits) {
        const size_t end = heard.find('\0');
        if (end == std::string::npos) break;
        text = heard.substr(1, end - 1);
        used = end + 1;
      }
      heard.erase(0, used);
      any = true;
      if (tag == opening) phase_ = "while it was opened";
      if (tag == reading) phase_ = "while its entry was read";
      if (tag == survived) verdicts_.push_back({ProbeVerdict::Outcome::survived, {}, {}, {}});
      if (tag == no_entry) verdicts_.push_back({ProbeVerdict::Outcome::no_entry, {}, {}, {}});
      if (tag == not_opened) verdicts_.push_back({ProbeVerdict::Outcome::not_opened, text, {}, {}});
      if (tag == exits) exit_status_ = text;
    }
    return any;
  }

  // Collects the child; one that ended early leaves a verdict about the library it was at.
  void finish() {
    const bool early = verdicts_.size() < requests_.size();
    if (early && hung_) ::kill(child_, SIGKILL);
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    if (!early) return;
    const std::string output = tail(output_.get());
    if (hung_)
      verdicts_.push_back({ProbeVerdict::Outcome::hung, {}, phase_, output});
    else if (!exit_status_.empty())
      verdicts_.push_back({ProbeVerdict::Outcome::died, "it called exit(" + exit_status_ + ")", phase_, output});
    else if (WIFSIGNALED(status))
      verdicts_.push_back({ProbeVerdict::Outcome::died, "killed by " + signal_name(WTERMSIG(status)), phase_, output});
    else
      verdicts_.push_back({ProbeVerdict::Outcome::died,
                           fmt::format("it ended the process with status {}", WEXITSTATUS(status)), phase_, output});
  }

  std::span<const ProbeRequest> requests_;
  const LoadOptions &options_;
  Fd reports_, output_;
  pid_t child_ = -1;
  bool hung_ = false;
  std::string phase_ = "while it was opened", exit_status_;
  std::vector<ProbeVerdict> verdicts_;
};

} // namespace

std::vector<ProbeVerdict> probe(std::span<const ProbeRequest> requests, const LoadOptions &options) {
  std::vector<ProbeVerdict> verdicts;
  while (verdicts.size() < requests.size())
    for (ProbeVerdict &verdict : Child(requests.subspan(verdicts.size()), options).run())
      verdicts.push_back(std::move(verdict));
  return verdicts;
}

void report_probe(const ProbeRequest &request, const ProbeVerdict &verdict, const LoadOptions &options,
                  Diagnostics &diagnostics) {
  const Manifest &manifest = *request.manifest;
  Diagnostic *reported = nullptr;
  switch (verdict.outcome) {
  case ProbeVerdict::Outcome::survived: return;
  case ProbeVerdict::Outcome::not_opened:
    return report_open_failure(manifest, request.library->facts(), verdict.words, diagnostics);
  case ProbeVerdict::Outcome::no_entry: return report_no_entry(manifest, diagnostics);
  case ProbeVerdict::Outcome::no_child:
    diagnostics.report(diag::load_cannot_open, manifest.library.span, manifest.library.value,
                       "no child process: " + verdict.words);
    return;
  case ProbeVerdict::Outcome::hung:
    reported =
        &diagnostics.report(diag::load_hung, manifest.library.span, manifest.id.value, options.probe_timeout.count());
    break;
  case ProbeVerdict::Outcome::died:
    reported = &diagnostics.report(diag::load_crashed_at_load, manifest.library.span, manifest.id.value, verdict.phase,
                                   verdict.words);
    break;
  }
  if (!verdict.output.empty()) reported->note("it wrote: " + verdict.output);
  reported->hint("debug it with `HTP_LOAD=path`; nothing else of this plugin was used");
}

} // namespace htp
