// host/load/release.h — the versions of the ABI that plugins may have been built with, and how large its structs were.
#pragma once

#include "host/manifest/manifest.h"

#include <array>
#include <span>

namespace htp {

struct InterfaceLayout {
  uint32_t size = 0; // 0: units of this kind have no interface struct
  uint64_t layout = 0;
};

// A minor version of this major one, as it was released. Structs grow at their end only, so what an older one has
// begins what today's has.
struct AbiRelease {
  uint32_t minor;
  uint64_t layout; // HTP_LAYOUT_ALL
  uint32_t entry_size;
  std::array<InterfaceLayout, 11> interfaces; // by UnitKind
};

// Oldest first; the last is that of the headers this host was built with.
std::span<const AbiRelease> abi_releases();

// The size of that kind's interface in this host's headers; 0: it has none (a pipeline).
uint32_t interface_size(UnitKind kind);
inline bool has_interface(UnitKind kind) { return interface_size(kind) != 0; }
// Whether the plugin's library must bring the unit: it is neither data nor written in Python.
inline bool in_library(const Unit &unit) { return has_interface(unit.kind) && unit.code.value.empty(); }

} // namespace htp
