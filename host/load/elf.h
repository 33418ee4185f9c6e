// host/load/elf.h — what a library says of itself before any of it runs.
#pragma once

#include "host/base/expected.h"

#include <string>
#include <string_view>
#include <vector>

namespace htp {

struct ElfFacts {
  std::vector<std::string> needed; // libraries it links to
  bool beside_itself = false;      // it finds others by $ORIGIN
  bool has_entry = false;          // exports htp_plugin_entry
};

// The error says why it is no shared library of this machine. Safe on any bytes.
Expected<ElfFacts, std::string> read_elf(std::string_view bytes);

} // namespace htp
