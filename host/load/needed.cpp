#include "host/load/needed.h"

#include "host/base/beneath.h"
#include "host/base/environment.h"
#include "host/base/fd.h"
#include "host/base/fs.h"
#include "host/base/hash.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

namespace htp {

namespace {

using Place = NeededLibrary::Place;

std::string contents_of(const std::string &path) {
  auto bytes = read_file(path);
  return bytes ? std::move(*bytes) : std::string();
}

// Where the dynamic loader looks when nobody says otherwise: what ldconfig wrote down, then the built-in folders.
class SystemLibraries {
public:
  std::string find(std::string_view name) const {
    if (std::string path = in_cache(name); !path.empty()) return path;
    for (const char *folder : {
#if defined(__x86_64__)
           "/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu",
#elif defined(__aarch64__)
             "/lib/aarch64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
#elif defined(__riscv)
             "/lib/riscv64-linux-gnu", "/usr/lib/riscv64-linux-gnu",
#endif
               "/lib64", "/usr/lib64", "/lib", "/usr/lib"
         })
      if (std::string path = join_path(folder, name); is_library_here(path)) return path;
    return {};
  }

private:
  // /etc/ld.so.cache as glibc writes it since 2.2: a head, `count` entries, texts; offsets count from the head.
  struct Head {
    char magic[20];
    uint32_t count, text_size;
    uint32_t others[5];
  };
  struct Entry {
    int32_t flags;
    uint32_t name, path, os;
    uint64_t hardware;
  };

  std::string in_cache(std::string_view name) const {
    constexpr std::string_view magic = "glibc-ld.so.cache1.1";
    const size_t begin = bytes_.find(magic); // behind an older cache, perhaps
    if (begin == std::string::npos) return {};
    const std::string_view cache = std::string_view(bytes_).substr(begin);
    Head head;
    if (cache.size() < sizeof head) return {};
    std::memcpy(&head, cache.data(), sizeof head);
    const auto text = [&](uint32_t offset) {
      if (offset >= cache.size()) return std::string_view();
      const std::string_view rest = cache.substr(offset);
      return rest.substr(0, rest.find('\0'));
    };
    for (uint64_t i = 0; i < head.count; ++i) {
      Entry entry;
      const uint64_t at = sizeof head + i * sizeof entry;
      if (at + sizeof entry > cache.size()) return {};
      std::memcpy(&entry, cache.data() + at, sizeof entry);
      if (text(entry.name) != name) continue;
      if (std::string path(text(entry.path)); is_library_here(path))
        return path; // of several machines' the one for this
    }
    return {};
  }

  static bool is_library_here(const std::string &path) {
    const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    char head[64];
    const ssize_t n = fd ? ::pread(fd.get(), head, sizeof head, 0) : -1;
    return n > 0 && is_for_this_machine({head, static_cast<size_t>(n)});
  }

  std::string bytes_ = contents_of("/etc/ld.so.cache");
};

std::string folder_of(const std::string &path) { return path.substr(0, path.rfind('/')); }

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const size_t end = std::min(text.find(':'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

class Finder {
public:
  // What is left to the system is not looked for unless asked.
  Finder(const std::string &library, const ElfFacts &facts, bool system) : system_(system) {
    if (const char *path = environment("LD_LIBRARY_PATH")) environment_ = split(path);
    add(library, facts);
    for (size_t i = 0; i < users_.size(); ++i)
      for (const std::string &name : std::vector(users_[i].needed)) need(i, name);
  }

  std::vector<NeededLibrary> take() { return std::move(found_); }

private:
  struct User {
    std::string path;
    std::vector<std::string> needed, run_paths;
    bool is_runpath;
  };

  void add(const std::string &path, const ElfFacts &facts) {
    users_.push_back({path, facts.needed, expand_run_paths(facts, folder_of(path)), facts.is_runpath});
  }

  void need(size_t user, const std::string &name) {
    if (!seen_.insert(name).second) return; // the loader takes the one that it has already
    NeededLibrary library{name, users_[user].path, Place::missing, {}};
    locate(users_[user], library);
    const bool ours = library.place == Place::folder || library.place == Place::environment;
    if (ours)
      if (const auto bytes = read_file(library.path))
        if (const auto facts = read_elf(*bytes)) add(library.path, *facts);
    found_.push_back(std::move(library));
  }

  void locate(const User &user, NeededLibrary &library) {
    const auto in = [&](const std::vector<std::string> &folders, Place place) {
      for (const std::string &folder : folders) {
        std::string path = absolute_path(join_path(folder.empty() ? "." : folder, library.name));
        if (library.place != Place::missing || !exists(path)) continue;
        library.path = std::move(path);
        library.place = place;
      }
    };
    if (library.name.find('/') != std::string::npos) return in({""}, Place::folder); // a path is taken as it is
    if (!user.is_runpath) in(user.run_paths, Place::folder);
    in(environment_, Place::environment);
    if (user.is_runpath) in(user.run_paths, Place::folder);
    if (library.place != Place::missing || !system_) return;
    if (!places_) places_.emplace();
    if (std::string path = places_->find(library.name); !path.empty()) {
      library.path = std::move(path);
      library.place = Place::system;
      return;
    }
    if (void *const handle = ::dlopen(library.name.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
      link_map *map = nullptr;
      if (::dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0) library.path = map->l_name;
      library.place = Place::process;
      ::dlclose(handle);
    }
  }

  bool system_;
  std::vector<std::string> environment_;
  std::optional<SystemLibraries> places_;
  std::vector<User> users_;
  std::set<std::string> seen_;
  std::vector<NeededLibrary> found_;
};

} // namespace

std::vector<std::string> expand_run_paths(const ElfFacts &facts, const std::string &folder) {
  std::vector<std::string> result;
  for (std::string path : facts.run_paths) {
    for (const std::string_view origin : {"$ORIGIN", "${ORIGIN}"})
      for (size_t at; (at = path.find(origin)) != std::string::npos;) path.replace(at, origin.size(), folder);
    result.push_back(std::move(path));
  }
  return result;
}

std::vector<NeededLibrary> needed_libraries(const std::string &library, const ElfFacts &facts) {
  return Finder(library, facts, true).take();
}

std::vector<NeededLibrary> needed_beside(const std::string &library, const ElfFacts &facts) {
  std::vector<NeededLibrary> found = Finder(library, facts, false).take();
  std::erase_if(found, [](const NeededLibrary &needed) { return needed.place == Place::missing; });
  return found;
}

std::vector<NeededDigest> needed_digests(const std::string &folder, const std::string &library, const ElfFacts &facts) {
  std::vector<NeededDigest> digests;
  const std::string beneath = absolute_path(folder) + "/";
  for (NeededLibrary &needed : needed_beside(library, facts)) {
    const auto bytes = read_file(needed.path);
    if (needed.path.starts_with(beneath)) needed.path.erase(0, beneath.size());
    digests.push_back({std::move(needed.path), bytes ? sha256(*bytes) : ""});
  }
  std::sort(digests.begin(), digests.end(), [](const auto &a, const auto &b) { return a.path < b.path; });
  return digests;
}

std::vector<NeededDigest> needed_digests(const Manifest &manifest, Diagnostics &diagnostics) {
  const std::string &library = manifest.library.value;
  if (library.empty()) return {};
  const std::string folder = manifest.folder.empty() ? "." : manifest.folder;
  const auto bytes = read_beneath(folder, library);
  if (!bytes) {
    diagnostics
        .report(diag::load_missing_library, manifest.library.span, library, manifest.id.value, bytes.error().reason)
        .hint("build the plugin, or correct `library:`, which is relative to the manifest");
    return {};
  }
  const auto facts = read_elf(*bytes);
  if (!facts) {
    diagnostics.report(diag::load_not_a_library, manifest.library.span, library, facts.error());
    return {};
  }
  return needed_digests(folder, absolute_path(join_path(folder, library)), *facts);
}

} // namespace htp
