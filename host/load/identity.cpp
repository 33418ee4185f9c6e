#include "host/load/identity.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <climits>
#include <cstdlib>
#include <cstring>

namespace htp {

namespace {

int find_build_id(struct dl_phdr_info *info, size_t, void *data) {
  const auto self = reinterpret_cast<uintptr_t>(&host_identity);
  bool ours = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &p = info->dlpi_phdr[i];
    const uintptr_t begin = info->dlpi_addr + p.p_vaddr;
    ours |= p.p_type == PT_LOAD && self >= begin && self < begin + p.p_memsz;
  }
  if (!ours) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto &p = info->dlpi_phdr[i];
    if (p.p_type != PT_NOTE) continue;
    const char *at = reinterpret_cast<const char *>(info->dlpi_addr + p.p_vaddr), *end = at + p.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char *name = at + sizeof note, *bytes = name + ((note.n_namesz + 3) & ~3u);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        auto &id = *static_cast<std::string *>(data);
        for (unsigned k = 0; k < note.n_descsz; ++k) {
          constexpr char digits[] = "0123456789abcdef";
          id += digits[static_cast<unsigned char>(bytes[k]) >> 4];
          id += digits[bytes[k] & 15];
        }
        return 1;
      }
      at = bytes + ((note.n_descsz + 3) & ~3u);
    }
  }
  return 1;
}

} // namespace

std::string host_identity() {
  static const std::string identity = [] {
    std::string id;
    dl_iterate_phdr(find_build_id, &id);
    return id.empty() ? std::string(HTP_VERSION) : HTP_VERSION " " + id;
  }();
  return identity;
}

const std::string &own_file() {
  static const std::string file = [] {
    Dl_info self{};
    char path[PATH_MAX];
    if (!::dladdr(reinterpret_cast<const void *>(&own_file), &self) || !self.dli_fname) return std::string();
    // A program's name is argv[0], which may have been found by PATH.
    const char *const named = std::strchr(self.dli_fname, '/') ? self.dli_fname : "/proc/self/exe";
    return std::string(::realpath(named, path) ? path : "");
  }();
  return file;
}

} // namespace htp
