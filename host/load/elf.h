// host/load/elf.h — what a library says of itself before any of it runs.
#pragma once

#include "host/base/expected.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace htp {

// The note of htp/note.h.
struct PluginNote {
  uint32_t abi_major = 0, abi_minor = 0;
  uint64_t layout = 0;
  std::string id, version;
};

struct ElfFacts {
  struct Version {
    std::string library, version; // "libc.so.6", "GLIBC_2.34"
  };

  std::string name;                         // its own (SONAME)
  std::vector<std::string> needed;          // libraries it links to
  std::vector<Version> needed_versions;     // of their symbols
  std::vector<std::string> other_libraries; // that the loader opens for it otherwise: filters, auditors
  std::vector<std::string> run_paths;       // folders it wants them looked for in, as written
  bool is_runpath = false;                  // they are a RUNPATH, else an RPATH
  bool beside_itself = false;               // one of them is by $ORIGIN

  bool has_entry = false;             // exports htp_plugin_entry, as data
  std::vector<std::string> exports;   // strong symbols besides that one
  uint64_t weak_exports = 0;          //
  std::vector<std::string> unique;    // symbols of which a process has one (STB_GNU_UNIQUE)
  std::vector<std::string> undefined; // symbols that must come from elsewhere
  std::vector<PluginNote> notes;      // one, in a plugin
  bool damaged_note = false;          // one of this owner that cannot be read

  uint64_t constructors = 0, destructors = 0; // what runs when it is opened and closed
  uint64_t resolvers = 0;                     // IFUNC: what runs to find out what a symbol is
  bool executable_stack = false;
  bool text_relocations = false; // its code is written to while it is opened
  bool writable_code = false;    // and stays writable
  bool static_tls = false;       // takes memory that is reserved when a process starts
  bool stays = false;            // asks never to be unloaded (NODELETE)
  bool bound_at_once = false;    // its own references are resolved when it is opened, whatever is asked for (NOW)
};

// The error says why it is no shared library of this machine. Safe on any bytes, in time linear in them.
Expected<ElfFacts, std::string> read_elf(std::string_view bytes);

// Whether the beginning of a file is that of an ELF file for this machine.
bool is_for_this_machine(std::string_view head);

// The folders of its run paths, `folder` being the library's own.
std::vector<std::string> expand_run_paths(const ElfFacts &facts, const std::string &folder);

// The symbols and the symbol versions that a library defines for others, looked up as the dynamic loader does. The
// bytes must outlive it; safe on any.
class ElfImage;
class ElfSymbols {
public:
  explicit ElfSymbols(std::string_view bytes);
  ~ElfSymbols();
  ElfSymbols(ElfSymbols &&) noexcept;
  bool defines(std::string_view symbol) const;
  bool defines_version(std::string_view version) const;
  bool has_versions() const;

private:
  std::unique_ptr<ElfImage> image_;
};

} // namespace htp
