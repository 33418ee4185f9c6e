// host/load/handshake.h — compares a library's entry with its manifest.
#pragma once

#include "host/load/elf.h"
#include "host/load/release.h"
#include "host/load/step.h"
#include "host/manifest/manifest.h"

#include <optional>

struct htp_entry;

namespace htp {

// Compares what the library's note says with the manifest, and with the ABI; reports each thing that does not fit.
// Nothing of the library needs to be loaded for it.
bool check_notes(const Manifest &manifest, const ElfFacts &facts, std::span<const AbiRelease> releases,
                 Diagnostics &diagnostics);

// Reads all of the entry; reports each thing that does not fit, and returns the step at which it failed first. Calls no
// code of the plugin. (Garbage pointers in an entry make it crash: the probe calls it in the child first.)
std::optional<LoadStep> shake_hands(const Manifest &manifest, const htp_entry &entry,
                                    std::span<const AbiRelease> releases, Diagnostics &diagnostics);

} // namespace htp
