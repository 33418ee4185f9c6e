#include "host/load/library.h"

#include "host/base/beneath.h"
#include "host/base/environment.h"
#include "host/base/fs.h"
#include "host/base/hash.h"
#include "host/base/running.h"
#include "host/load/access.h"
#include "host/load/audit.h"
#include "host/load/handshake.h"
#include "htp/entry.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace htp {

namespace {

constexpr uint64_t library_limit = 1u << 30;
const std::string its_library = "its library"; // what runs of a plugin where none of its units does

// The file's bytes in a memory file that no one can change any more; invalid when this system has none that may be
// executed, or they do not fit.
Fd sealed(const Fd &file, const char *name) {
#ifdef MFD_EXEC
  Fd fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC));
#else
  Fd fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | 0x10u)); // MFD_EXEC, of Linux 6.3
#endif
  if (!fd) fd = Fd(::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!fd) return fd;
  for (off_t at = 0;;) { // to the end, wherever that is by now
    const ssize_t n = ::sendfile(fd.get(), file.get(), &at, size_t{1} << 30);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 || static_cast<uint64_t>(at) > library_limit) return Fd();
    if (n == 0) break;
  }
  if (::fcntl(fd.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return Fd();
  void *const page = ::mmap(nullptr, 1, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd.get(), 0);
  if (page == MAP_FAILED) return Fd();
  ::munmap(page, 1);
  return fd;
}

} // namespace

LoadOptions LoadOptions::from_environment() {
  LoadOptions options;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  options.from = From::path;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  options.from = From::path;
#endif
#endif
  if (const char *wish = environment("HTP_LOAD"))
    options.from = std::strcmp(wish, "path") == 0 ? From::path : From::memory;
  return options;
}

void report_open_failure(const Manifest &manifest, const ElfFacts &facts, std::string_view message,
                         Diagnostics &diagnostics) {
  const std::string &library = manifest.library.value;
  for (const std::string &needed : facts.needed)
    if (message.starts_with(needed + ": cannot open shared object file")) {
      diagnostics.report(diag::load_missing_dependency, manifest.library.span, library, needed)
          .hint("install `" + needed + "`, or name its folder in LD_LIBRARY_PATH");
      return;
    }
  // "/proc/self/fd/7: undefined symbol: frobnicate"
  constexpr std::string_view undefined = ": undefined symbol: ";
  if (const size_t at = message.find(undefined); at != std::string_view::npos) {
    const std::string_view symbol = message.substr(at + undefined.size());
    diagnostics.report(diag::load_undefined_symbol, manifest.library.span, library,
                       symbol.substr(0, symbol.find_first_of(" ,")));
    return;
  }
  // The path is ours (a memory file's name says nothing to a user).
  if (const size_t at = message.find(": "); at != std::string_view::npos && message.starts_with('/'))
    message.remove_prefix(at + 2);
  diagnostics.report(diag::load_cannot_open, manifest.library.span, library, message);
}

void report_no_entry(const Manifest &manifest, Diagnostics &diagnostics) {
  diagnostics.report(diag::load_not_a_plugin, manifest.library.span, manifest.library.value)
      .hint("define the entry with `HTP_PLUGIN(…)` and build with `htp_add_plugin()`");
}

std::optional<Library> Library::check(const Manifest &manifest, const LoadOptions &options, FileDigests &digests,
                                      Diagnostics &diagnostics, LoadStep &failed) {
  const std::string &name = manifest.library.value;
  failed = LoadStep::file;
  const std::string folder = manifest.folder.empty() ? "." : manifest.folder;
  Fd fd = open_beneath(folder, name, Links::inside);
  if (!fd) {
    if (errno == EXDEV)
      diagnostics.report(diag::load_outside_folder, manifest.library.span, name, manifest.id.value)
          .hint("put the library beside its manifest");
    else
      diagnostics
          .report(diag::load_missing_library, manifest.library.span, name, manifest.id.value, std::strerror(errno))
          .hint("build the plugin, or correct `library:`, which is relative to the manifest");
    return std::nullopt;
  }
  Library library;
  library.folder_ = folder;
  const auto refuse = [&](const std::string &why) {
    diagnostics.report(diag::load_not_a_library, manifest.library.span, name, why);
    return std::nullopt;
  };
  if (::fstat(fd.get(), &library.file_) != 0) return refuse(std::strerror(errno));
  if (!check_access(join_path(folder, name), library.file_, manifest.library.span, diagnostics)) {
    failed = LoadStep::access;
    return std::nullopt;
  }
  library.path_ = library.file_path_ = absolute_path(join_path(folder, name));
  if (options.from == LoadOptions::From::memory && S_ISREG(library.file_.st_mode)) {
    library.memory_ = sealed(fd, name.c_str());
    library.mapped_ = Mapped(library.memory_);
    if (library.mapped_.bytes().empty()) library.memory_.reset();
  }
  if (!library.memory_) {
    auto bytes = read_all(fd, name, library_limit);
    if (!bytes) return refuse(bytes.error().reason);
    library.read_ = std::move(*bytes);
  }

  failed = LoadStep::elf;
  auto facts = read_elf(library.bytes());
  if (!facts) return refuse(facts.error());
  if (!facts->has_entry) {
    report_no_entry(manifest, diagnostics);
    return std::nullopt;
  }
  library.facts_ = std::move(*facts);
  // The bytes were copied after the file was looked at: what changed meanwhile has another stamp now.
  if (auto known = digests.known(fd)) {
    library.sha256_ = std::move(*known);
  } else {
    library.sha256_ = htp::sha256(library.bytes());
    digests.keep(fd, stamp_of(library.file_), library.sha256_);
  }
  failed = LoadStep::note;
  if (!check_notes(manifest, library.facts_, options.releases, diagnostics)) return std::nullopt;
  if (library.facts_.beside_itself) { // where it lies counts
    library.read_ = library.bytes();
    library.mapped_ = Mapped();
    library.memory_.reset();
  }
  if (library.memory_) library.path_ = "/proc/self/fd/" + std::to_string(library.memory_.get());
  return library;
}

std::string_view Library::bytes() const { return mapped_.bytes().empty() ? read_ : mapped_.bytes(); }

Library::Library(Library &&other) noexcept { *this = std::move(other); }

Library &Library::operator=(Library &&other) noexcept {
  std::swap(plugin_, other.plugin_);
  std::swap(folder_, other.folder_);
  std::swap(file_path_, other.file_path_);
  std::swap(sha256_, other.sha256_);
  std::swap(facts_, other.facts_);
  std::swap(path_, other.path_);
  std::swap(memory_, other.memory_);
  std::swap(mapped_, other.mapped_);
  std::swap(read_, other.read_);
  std::swap(file_, other.file_);
  std::swap(handle_, other.handle_);
  return *this;
}

namespace {

// What was opened by its path in this process, and may be there still: by the path its bytes' digest.
std::mutex by_path_guard;
std::map<std::string, std::string> by_path;

// Whether an object is mapped at the address where this one was.
bool is_mapped(const void *address) {
  Dl_info info;
  return ::dladdr(address, &info) != 0;
}

} // namespace

Library::~Library() { close(); }

Unloaded Library::close() {
  Unloaded result;
  void *const handle = std::exchange(handle_, nullptr);
  if (!handle) return result;
  result.why = why_it_stays(facts_);
  const void *const inside = ::dlsym(handle, HTP_ENTRY_SYMBOL);
  if (result.why.empty()) {
    const Running running(plugin_, its_library);
    ::dlclose(handle);
  }
  result.gone = result.why.empty() && !(inside && is_mapped(inside));
  if (!result.gone && result.why.empty()) result.why.emplace_back("something else in this process uses it");
  // The loader knows a library by its path. While it keeps one whose memory file is closed, another plugin's file under
  // the same number would be taken for it; so that file stays open as long as the process.
  if (!result.gone) memory_.release();
  return result;
}

bool Library::is_new(const Manifest &manifest, Diagnostics &diagnostics) const {
  if (memory_) return true;
  const std::lock_guard lock(by_path_guard);
  void *const there = ::dlopen(path_.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (there) ::dlclose(there);
  const auto before = by_path.find(path_);
  if (!there || before == by_path.end() || before->second == sha256_) return true;
  diagnostics.report(diag::load_old_stays, manifest.library.span, manifest.library.value)
      .hint("start the program again, or take `HTP_LOAD=path` away");
  return false;
}

bool Library::unchanged() const {
  if (memory_) return true;
  struct stat now {};
  if (::stat(path_.c_str(), &now) != 0) return false;
  const auto same_time = [](const timespec &a, const timespec &b) {
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
  };
  return now.st_dev == file_.st_dev && now.st_ino == file_.st_ino && now.st_size == file_.st_size &&
         same_time(now.st_mtim, file_.st_mtim) && same_time(now.st_ctim, file_.st_ctim);
}

bool Library::open(const Manifest &manifest, Diagnostics &diagnostics) {
  const auto changed = [&] {
    diagnostics.report(diag::load_changed, manifest.library.span, manifest.library.value)
        .hint("load it again once it is finished");
    return false;
  };
  if (!unchanged()) return changed();
  plugin_ = manifest.id.value;
  const Running running(plugin_, its_library);
  // Declared as one that throws nothing, which a constructor within it may well do.
  void *(*const volatile throwing_dlopen)(const char *, int) = ::dlopen;
  try {
    // Where its own references are bound at once all the same, the many of the system's libraries among themselves are
    // left until they are used; the probe has seen that they can all be bound.
    handle_ = throwing_dlopen(path_.c_str(), (facts_.bound_at_once ? RTLD_LAZY : RTLD_NOW) | RTLD_LOCAL);
  } catch (...) { // one that did not throw in the probe; the loader keeps the library, half made
    memory_.release();
    diagnostics.report(diag::load_crashed_at_load, manifest.library.span, manifest.id.value, "while it was opened",
                       "it threw an exception");
    return false;
  }
  if (running.is_copy()) ::_exit(1);
  if (!handle_) {
    report_open_failure(manifest, facts_, ::dlerror(), diagnostics);
    return false;
  }
  mapped_ = Mapped();
  read_ = std::string();
  if (!memory_) {
    const std::lock_guard lock(by_path_guard);
    by_path[path_] = sha256_;
  }
  return unchanged() ? true : changed();
}

const htp_entry *Library::entry() const { return static_cast<const htp_entry *>(::dlsym(handle_, HTP_ENTRY_SYMBOL)); }

} // namespace htp
