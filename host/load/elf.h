// host/load/elf.h — what a library says of itself before any of it runs.
#pragma once

#include "host/base/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace htp {

struct ElfFacts {
  std::vector<std::string> needed;    // libraries it links to
  std::vector<std::string> run_paths; // folders it wants them looked for in (RPATH, RUNPATH), as written
  bool beside_itself = false;         // one of those is by $ORIGIN
  bool has_entry = false;             // exports htp_plugin_entry, as data
};

// The error says why it is no shared library of this machine. Safe on any bytes.
Expected<ElfFacts, std::string> read_elf(std::string_view bytes);

} // namespace htp
