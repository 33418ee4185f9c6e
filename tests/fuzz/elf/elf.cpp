// Any bytes as a library: all that is asked of one before it is opened.
#include "host/load/elf.h"
#include "host/load/audit.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const std::string bytes(reinterpret_cast<const char *>(data), size);
  htp::is_for_this_machine(bytes);
  const auto facts = htp::read_elf(bytes);
  if (!facts) return 0;
  // What a file can make us keep is bounded by its size.
  size_t kept = 0;
  for (const auto *list : {&facts->needed, &facts->exports, &facts->undefined, &facts->unique})
    for (const std::string &name : *list) kept += name.size();
  if (kept > 8 * size + 4096 + 65536) std::abort();
  htp::expand_run_paths(*facts, "/folder");
  htp::why_it_stays(*facts);
  htp::linked_in(bytes);
  const htp::ElfSymbols symbols(bytes);
  for (const char *name : {"htp_plugin_entry", "main", "", "_ZNSt6thread"}) symbols.defines(name);
  for (size_t i = 0; i < std::min<size_t>(4, facts->exports.size()); ++i) symbols.defines(facts->exports[i]);
  symbols.defines_version("HTP");
  return 0;
}
